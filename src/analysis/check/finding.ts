import type { CheckName } from "../../model/model-checks.ts";

/** What a check says: all well, something wrong, something known, or something worth knowing. */
export interface Finding {
  readonly check: CheckName;
  readonly status: "ok" | "wrong" | "accepted" | "note";
  readonly text: string;
}

export const finding = (check: CheckName, status: Finding["status"], text: string): Finding => ({
  check,
  status,
  text,
});
export const shown = (v: number) => String(Number(v.toPrecision(4)));
