import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as index from "../src/index.ts";
import * as analysis from "../src/library/analysis.ts";
import * as control from "../src/library/control.ts";
import * as formats from "../src/library/formats.ts";
import * as math from "../src/library/math.ts";
import * as models from "../src/library/models.ts";

const sideslip = { ...analysis, ...models, ...math, ...formats, ...control, ...index };

const page = readFileSync(new URL("../docs/conventions.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^## (.+?)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(([, title, text]) => ({
  title,
  code: [...text.matchAll(/```js\n([\s\S]*?)```/g)].map((m) => m[1]).join("\n"),
}));

it("the statements of docs/conventions.md hold, section by section", () => {
  expect(blocks.length).toBeGreaterThan(6);
  let before = "";
  for (const { title, code } of blocks) {
    expect(code, `${title} has no executable statement`).toContain("expect(");
    // Later sections may use the names of earlier ones.
    before += code;
    try {
      new Function("expect", ...Object.keys(sideslip), before)(expect, ...Object.values(sideslip));
    } catch (error) {
      throw new Error(`docs/conventions.md, ${title}: ${(error as Error).message}`);
    }
  }
});
