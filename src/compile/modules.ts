/** Source files of models: parsed when something in them is asked for, their constants computed when they are read. */
import { parse, type Node as Syntax } from "acorn";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";
import { Scope } from "./values.ts";

/** A syntax tree's node with whatever members its type has. */
// biome-ignore lint/suspicious/noExplicitAny: ESTree nodes differ by type, and acorn gives no narrowing here
export type Tree = Syntax & Record<string, any>;

interface Declaration {
  readonly tree: Tree;
  /** Of an import the file and its name there. */
  readonly from?: { readonly file: string; readonly name: string };
}

export interface Module {
  readonly file: string;
  readonly scope: Scope;
  readonly declarations: Map<string, Declaration>;
  readonly reexports: Map<string, { readonly file: string; readonly name: string }>;
}

/** "a/b.ts" and "../c.ts" make "c.ts". */
function resolve(file: string, target: string): string {
  const parts = file.split("/").slice(0, -1);
  for (const part of target.split("/"))
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  return parts.join("/");
}

function parseSource(text: string, file: string): Tree {
  try {
    return parse(text, { ecmaVersion: 2022, sourceType: "module", locations: true }) as Tree;
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } };
    throw new UnsupportedSyntax(file, loc?.line ?? 1, `cannot be read: ${message}`, "write plain JavaScript");
  }
}

const parsed = new Map<string, Tree>();

export class Modules {
  private readonly modules = new Map<string, Module>();
  private readonly sources: Readonly<Record<string, string>>;

  constructor(sources: Readonly<Record<string, string>>) {
    this.sources = sources;
  }

  get(file: string): Module {
    let module = this.modules.get(file);
    if (module === undefined) this.modules.set(file, (module = this.read(file)));
    return module;
  }

  private read(file: string): Module {
    const text = this.sources[file];
    if (text === undefined)
      throw new UnsupportedSyntax(
        file,
        1,
        "its source is not available",
        "equations import only from the folders of models",
      );
    let tree = parsed.get(text);
    if (tree === undefined) parsed.set(text, (tree = parseSource(text, file)));
    const module: Module = { file, scope: new Scope(), declarations: new Map(), reexports: new Map() };
    const declare = (statement: Tree) => {
      if (statement.type === "VariableDeclaration")
        for (const d of statement.declarations) module.declarations.set(d.id.name, { tree: d });
      else if (statement.id) module.declarations.set(statement.id.name, { tree: statement });
    };
    for (const statement of tree.body as Tree[])
      if (statement.type === "ImportDeclaration")
        for (const s of statement.specifiers) {
          const name = s.type === "ImportSpecifier" ? s.imported.name : "*";
          const target = resolve(file, statement.source.value);
          module.declarations.set(s.local.name, { tree: s, from: { file: target, name } });
        }
      else if (statement.type === "ExportNamedDeclaration")
        if (statement.declaration) declare(statement.declaration);
        else
          for (const s of statement.specifiers)
            module.reexports.set(s.exported.name, {
              file: statement.source ? resolve(file, statement.source.value) : file,
              name: s.local.name,
            });
      else if (statement.type.endsWith("Declaration")) declare(statement);
      // The tables of src/math are known as instructions.
      else if (
        statement.type !== "EmptyStatement" &&
        statement.directive === undefined &&
        !file.startsWith("math/")
      )
        throw new UnsupportedSyntax(
          file,
          statement.loc?.start.line ?? 1,
          "the file has statements with effects at load time",
          "compute constants in their declarations",
        );
    return module;
  }
}
