/** The library: what it exports is documented, small where little is used, and compiles in somebody else's project. */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  exports: Record<string, string | { types: string }>;
};
const entries = Object.values(exports).flatMap((e) =>
  typeof e === "string" ? [] : [e.types.replace("./dist", `${root}src`).replace(".d.ts", ".ts")],
);
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(entries, options);
const checker = program.getTypeChecker();
const exported = entries.flatMap((entry) => {
  const file = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
  return checker.getExportsOfModule(file).map((symbol) => ({ entry: entry.slice(root.length), symbol }));
});

describe("the library", () => {
  it("begins with about thirty names", () => {
    const first = exported.filter(({ entry }) => entry === "src/index.ts");
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThanOrEqual(36);
  });

  it("has a TSDoc comment on every exported name", () => {
    const original = (symbol: ts.Symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const silent = exported.filter(({ symbol }) => {
      const of = original(symbol);
      const isModule = (of.flags & ts.SymbolFlags.ValueModule) !== 0;
      return !isModule && of.getDocumentationComment(checker).length === 0;
    });
    expect(silent.map(({ entry, symbol }) => `${entry}: ${symbol.name}`)).toEqual([]);
  });

  /** Minified, without the packages that Node brings. */
  const bytesOf = async (code: string) => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: root },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["import"],
      write: false,
    });
    return outputFiles[0].contents.length;
  };

  it("costs 1 kB where only rk4 is used", async () => {
    expect(await bytesOf('import { rk4 } from "sideslip"; console.log(rk4)')).toBeLessThan(1000);
  });
  it("costs 350 kB where the README's example is used", async () => {
    const page = readFileSync(`${root}README.md`, "utf8");
    const example = [...page.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, code]) => code)[0];
    expect(example).toContain('from "sideslip"');
    expect(await bytesOf(example)).toBeLessThan(350_000);
  });
});
