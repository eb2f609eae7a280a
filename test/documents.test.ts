import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sluiceProgram, run } from "../src/cli/program.ts";
import type { Terminal } from "../src/cli/terminal.ts";
import { plainPaint } from "../src/view/index.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "sluice-documents-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()].map((name) => ({
  name,
  text: readFileSync(join(root, name), "utf8"),
}));

type Block = { readonly language: string; readonly lines: readonly string[] };

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({ language, lines: code.split("\n") }));
}

/** The command lines of Sluice in a document, without what comes before a pipe and without remarks. */
function commandsOf(text: string): readonly string[] {
  const lines = blocksOf(text).flatMap(({ language, lines: all }) => (language === "" || language === "sh" ? all : []));
  return lines.flatMap((line) => /(?:^|\| )npx sluice (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? []);
}

/** What a reader would have in the folder: the examples, and the file of rules that the document shows. */
function argumentsOf(command: string, text: string): readonly string[] {
  const rules = blocksOf(text).find(({ language, lines }) => language === "yaml" && lines[0]?.startsWith("- match:") === true);
  if (rules !== undefined) writeFileSync(join(folder, "rules.yaml"), rules.lines.join("\n"));
  return command
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replace(/^\/tmp\//, `${folder}/`).replace(/^examples\//, `${root}/examples/`))
    .map((word) => (word === "rules.yaml" ? join(folder, word) : word));
}

const ignore = () => {};

/** The line that says how to use it is the last one before it waits. */
function endWhenServing(line: string): void {
  if (line.startsWith("kubectl ")) process.emit("SIGINT");
}

for (const { name, text } of documents) {
  for (const command of commandsOf(text)) {
    test(`${name}: sluice ${command} is a command line`, async () => {
      let performed = 0;
      const terminal: Terminal = { out: ignore, err: ignore, paint: plainPaint };
      await sluiceProgram(terminal, async () => void performed++).parseAsync([...argumentsOf(command, text)], { from: "user" });
      assert.equal(performed, 1);
    });
  }
  for (const command of commandsOf(text).filter((line) => line.startsWith("cluster "))) {
    test(`${name}: sluice ${command} serves until it is ended`, async () => {
      const said: string[] = [];
      const terminal: Terminal = { out: endWhenServing, err: (line) => said.push(line), paint: plainPaint };
      assert.equal(await run(argumentsOf(command, text), terminal), 0, said.join("\n"));
    });
  }
}

function textOf(document: string): string {
  return documents.find(({ name }) => name === document)!.text;
}

test("the documents show commands to try", () => {
  const all = documents.flatMap(({ text }) => commandsOf(text));
  for (const command of ["apply", "check", "cluster"])
    assert.ok(
      all.some((line) => line.startsWith(`${command} `)),
      command,
    );
});

test("links between the documents lead somewhere", () => {
  for (const { name, text } of documents) {
    for (const [, link = "", anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const file = link === "" ? join(root, name) : join(root, name, "..", link);
      assert.equal(globSync(file).length, 1, `${name}: ${link}`);
      if (anchor !== undefined) assert.ok(anchorsOf(readFileSync(file, "utf8")).has(anchor), `${name}: ${link}#${anchor}`);
    }
  }
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title.toLowerCase());
  return new Set(headings.map((title) => title.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")));
}

test("files that the documents name are there", () => {
  const contributing = { name: "CONTRIBUTING.md", text: readFileSync(join(root, "CONTRIBUTING.md"), "utf8") };
  for (const { name, text } of [...documents, contributing]) {
    for (const [, path = ""] of text.matchAll(/`((?:src|test|tools|bench)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(join(root, path)), `${name}: ${path}`);
    }
  }
});

test("docs/commands.md has every command, every flag and an example of each; flags that no help shows may be in docs/helm.md", () => {
  const text = textOf("docs/commands.md");
  const sections = new Map(text.split(/^## /m).map((section) => [section.split("\n")[0]!, section]));
  const common = sections.get("What they have in common")!;
  const program = sluiceProgram({ out: ignore, err: ignore, paint: plainPaint }, async () => {});
  const visible = program.createHelp().visibleCommands(program);
  for (const command of visible.filter((each) => each.name() !== "help")) {
    const section = sections.get(command.name());
    assert.ok(section !== undefined, `${command.name()} is missing`);
    assert.ok(command.name() === "version" || commandsOf(section).length > 0, `${command.name()} has no example`);
    for (const { long = "", hidden } of [command, ...command.commands].flatMap((each) => each.options)) {
      const told = `${common}\n${section}${hidden ? textOf("docs/helm.md") : ""}`;
      assert.match(told, new RegExp(`\\\`[^\`]*${long}\\b`), `sluice ${command.name()} ${long}`);
    }
  }
});
