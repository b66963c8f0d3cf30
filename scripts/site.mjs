// `npm run site`: the guide, a page per command, vehicle and export, the Studio and a gallery, as one static folder: site/dist.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = `${root}site/pages`;

const say = (text) => console.error(`site: ${text}`);
const write = (name, text) => {
  mkdirSync(`${pages}/${name.replace(/[^/]*$/, "")}`, { recursive: true });
  writeFileSync(`${pages}/${name}`, text);
};
const sideslip = (...args) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [`${root}bin/sideslip.js`, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`sideslip ${args.join(" ")}: ${stderr}`);
  return stdout;
};
/** Text in a cell of a table. */
const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
const table = (header, rows) =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** docs/ as it is; links to files outside become code, since the site has no sources. */
function documents() {
  cpSync(`${root}docs`, pages, { recursive: true });
  cpSync(`${root}CHANGELOG.md`, `${pages}/changelog.md`);
  cpSync(`${pages}/studio.md`, `${pages}/studio-guide.md`);
  rmSync(`${pages}/studio.md`);
  const inner = (text) =>
    text
      .replace(/\[([^\]]*)\]\((?:\.\.\/)+(?:src|examples|test|CHANGELOG|CONTRIBUTING)[^)]*\)/g, "$1")
      .replace(/\(((?:\.\.\/)*)studio\.md/g, "($1studio-guide.md");
  for (const file of readdirSync(pages, { recursive: true }))
    if (file.endsWith(".md"))
      writeFileSync(`${pages}/${file}`, inner(readFileSync(`${pages}/${file}`, "utf8")));
  const front = readFileSync(`${root}README.md`, "utf8")
    .replaceAll("](docs/", "](")
    .replaceAll("(CHANGELOG.md)", "(changelog.md)")
    .replace(/ · \[Contributing\]\([^)]*\)/, "");
  write("index.md", inner(front));
}

/** Each command's own help. */
function commands() {
  const help = sideslip("--help");
  const names = [...help.matchAll(/^ {2}([a-z]+)[ |]/gm)].map(([, name]) => name).filter((n) => n !== "help");
  for (const name of names) {
    const own = sideslip(name, "--help").replaceAll("```", "'''");
    write(`cli/${name}.md`, `# sideslip ${name}\n\n\`\`\`text\n${own.trim()}\n\`\`\`\n`);
  }
  return names.map((name) => ({ text: name, link: `/cli/${name}` }));
}

/** Every field of a vehicle of each type, from `describe`. */
function vehicles() {
  const list = JSON.parse(sideslip("list", "--json"));
  const pages = [...new Set(list.map((v) => v.model))].map((type) => {
    const presets = list.filter((v) => v.model === type);
    const first = presets.find((v) => v.name !== "f1tenth") ?? presets[0];
    const d = JSON.parse(sideslip("describe", first.name, "--json"));
    const fields = (title, rows) =>
      rows.length === 0
        ? ""
        : `\n## ${title}\n\n${table(
            ["name", "unit", "range", "meaning"],
            rows.map((f) => [`\`${f.name}\``, f.unit, f.range, f.meaning]),
          )}\n`;
    write(
      `vehicles/${type}.md`,
      [
        `# ${type}\n\n`,
        table(
          ["ships as", "what it is"],
          presets.map((v) => [`\`${v.name}\``, v.description]),
        ),
        `\n\nFields of \`${first.name}\`; \`npx sideslip describe\` prints those of any vehicle.\n`,
        fields("Parameters", d.parameters),
        fields("States", d.states),
        fields("Inputs", d.inputs),
        fields("Environment", d.environment),
        fields("Outputs", d.outputs),
      ].join(""),
    );
    return { text: type, link: `/vehicles/${type}` };
  });
  return pages;
}

/** Every exported name, from its TSDoc comment. */
function api() {
  const entries = ["src/index.ts", ...readdirSync(`${root}src/library`).map((f) => `src/library/${f}`)];
  const { status, stderr, stdout } = spawnSync(
    `${root}node_modules/.bin/typedoc`,
    [
      ...entries.flatMap((entry) => ["--entryPoints", entry]),
      ...["--plugin", "typedoc-plugin-markdown", "--out", `${pages}/api`, "--readme", "none"],
      ...["--disableSources", "--hideBreadcrumbs", "true", "--entryFileName", "index"],
      ...["--logLevel", "Error", "--skipErrorChecking", "--name", "Sideslip"],
    ],
    { cwd: root, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`typedoc: ${stdout}${stderr}`);
  return ["index", ...readdirSync(`${root}src/library`).map((f) => f.replace(".ts", ""))].map((name) => ({
    text: name === "index" ? "sideslip" : `sideslip/${name}`,
    link: name === "index" ? "/api/index/" : `/api/library/${name}/`,
  }));
}

/** Each example as a link that opens it in the Studio, made as the Studio makes links. */
async function gallery() {
  const { flightLink } = await import("./flight-link.mjs");
  const rows = [];
  for (const file of readdirSync(`${root}examples`).filter((f) => f.endsWith(".yaml"))) {
    const { description, link } = await flightLink(`${root}examples/${file}`);
    rows.push([`<a href="/studio/index.html#flight=${link}" target="_self">${file}</a>`, description]);
  }
  const lines = rows.map(([link, text]) => `| ${link} | ${cell(text)} |`).join("\n");
  write(
    "gallery.md",
    `# Gallery\n\nEach example opens in the Studio and waits at its start; press play.\n\n| example | what happens |\n| --- | --- |\n${lines}\n`,
  );
}

export async function site() {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  say("documents, commands, vehicles ...");
  documents();
  const made = { commands: commands(), vehicles: vehicles() };
  say("gallery ...");
  await gallery();
  say("API reference ...");
  made.api = api();
  writeFileSync(`${pages}/made.json`, JSON.stringify(made));
  say("pages ...");
  cpSync(`${root}dist/studio`, `${pages}/public/studio`, { recursive: true });
  await build(`${root}site`);
  say(`written to site/dist`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await site();
