import type { Plugin } from "vite";

export function bundleCli(options?: {
  readonly outDir?: string;
  readonly plugins?: readonly Plugin[];
}): Promise<void>;
