import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Argument, Command, Option } from "commander";
import { plainPaint } from "../../view/index.ts";
import { clusterFlagsIn } from "../command/complete-releases.ts";
import { sluiceProgram } from "../program.ts";
import { outlineOf } from "./program-outline.ts";
import { completionScript, type Shell } from "./script.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-completion-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "app one.yaml"), "");
writeFileSync(join(folder, "db.yaml"), "");
mkdirSync(join(folder, "more"));

const program = new Command("sluice").version("1.0.0", "-V, --version", "print the version");
program
  .command("deploy")
  .description("bring it [there]: it's quick")
  .argument("<release>")
  .argument("<source...>")
  .option("--context <name>", "the context")
  .option("--kubeconfig <file>", "the kubeconfig")
  .addOption(new Option("-o, --output <format>", "how").choices(["text", "ndjson"]))
  .addOption(new Option("--wait [what]", "until when").choices(["all", "hooks"]))
  .option("--no-wait", "do not wait");
program.command("delete").argument("<release>").option("--delete-data", "all of it");
program.command("completion").addArgument(new Argument("<shell>").choices(["bash", "zsh"]));
const repo = program.command("repo");
repo.command("add").argument("<name>").option("--ca-file <file>", "whom to trust");
repo.command("list").addOption(new Option("-o, --output <format>", "how").choices(["table", "json"]));
const show = program.command("show");
show.command("values").argument("<chart>");
show.command("addons").addOption(new Option("-o, --output <format>", "how").choices(["table", "wide"]));
show.command("events").addOption(new Option("-o, --output <format>", "how").choices(["table", "json"]));
program.command("get").command("notes").argument("<release>");
program.command("__complete", { hidden: true });

const outline = outlineOf(program);
const scriptFor = (shell: Shell) => completionScript(shell, outline);

/** What bash offers at the end of a line, as it parts it into words: at blanks, and around `=`. */
function offered(line: string): readonly string[] {
  const words = line.split(" ").flatMap((word) => word.split(/(=)/).filter((part, at) => part !== "" || at === 0));
  const script = `
${scriptFor("bash")}
sluice() { printf '%s\\n' "$*" >> "$LOG"; printf 'web\\nweb-2\\nshop\\n'; }
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_sluice
printf '%s\\n' "\${COMPREPLY[@]}"
`;
  const out = execFileSync("bash", ["--norc", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, LOG: join(folder, "more", "log") },
  });
  return out.split("\n").filter((each) => each !== "");
}

const cases: Readonly<Record<string, readonly string[]>> = {
  "sluice ": ["deploy", "delete", "get", "completion", "repo", "show", "help"],
  "sluice de": ["deploy", "delete"],
  "sluice -": ["-V", "--version", "-h", "--help"],
  "sluice deploy --": ["--context", "--kubeconfig", "--output", "--wait", "--no-wait", "--help"],
  "sluice deploy --o": ["--output"],
  "sluice deploy ": ["web", "web-2", "shop"],
  "sluice deploy we": ["web", "web-2"],
  "sluice deploy --context a -o text we": ["web", "web-2"],
  "sluice deploy web ": ["app one.yaml", "db.yaml", "more"],
  "sluice deploy web db.yaml d": ["db.yaml"],
  "sluice deploy web --output ": ["text", "ndjson"],
  "sluice deploy web -o nd": ["ndjson"],
  "sluice deploy web --output=": ["text", "ndjson"],
  "sluice deploy web --output=t": ["text"],
  "sluice deploy web --context ": [],
  "sluice deploy --kubeconfig d": ["db.yaml"],
  "sluice delete ": ["web", "web-2", "shop"],
  "sluice delete web ": [],
  "sluice completion ": ["bash", "zsh"],
  "sluice help d": ["deploy", "delete"],
  "sluice nonsense ": [],
  "sluice repo ": ["add", "list"],
  "sluice repo list ": [],
  "sluice repo list --o": ["--output"],
  "sluice repo list -o ": ["table", "json"],
  "sluice repo add x --ca-file d": ["db.yaml"],
  "sluice show values d": ["db.yaml"],
  "sluice get notes we": ["web", "web-2"],
  "sluice show addons -o ": ["table", "wide", "json"],
};

for (const [line, expected] of Object.entries(cases)) {
  test(`bash: ${line}`, () => assert.deepEqual(offered(line).toSorted(), expected.toSorted()));
}

test("bash: a flag that may do without a value offers its values, and what else may follow", () => {
  assert.deepEqual(offered("sluice deploy web --wait h"), ["hooks"]);
  assert.deepEqual(offered("sluice deploy web --wait d"), ["db.yaml"]);
});

test("bash: the program is asked for names with all that was typed", () => {
  rmSync(join(folder, "more", "log"), { force: true });
  offered("sluice deploy --context a we");
  assert.equal(readFileSync(join(folder, "more", "log"), "utf8"), "__complete releases -- deploy --context a we\n");
});

test("bash: a cluster that cannot be asked is no noise", () => {
  const script = `${scriptFor("bash")}\nsluice() { echo trouble >&2; return 1; }\nCOMP_WORDS=(sluice delete '')\nCOMP_CWORD=2\n_sluice\nprintf '%s' "\${#COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  assert.deepEqual([stdout, stderr], ["0", ""]);
});

test("bash: it is registered under the program's name", () => {
  const out = execFileSync("bash", ["--norc", "-c", `${scriptFor("bash")}\ncomplete -p sluice`], { encoding: "utf8" });
  assert.equal(out.trim(), "complete -F _sluice sluice");
});

/** Shells that are there check the syntax; where one is not, what must be in the script is looked for. */
const checks: Readonly<Record<"bash" | "zsh" | "fish", readonly string[]>> = { bash: ["-n"], zsh: ["-n"], fish: ["-n"] };
const real = outlineOf(sluiceProgram({ out: () => {}, err: () => {}, paint: plainPaint }, async () => {}));

for (const shell of ["bash", "zsh", "fish"] as const) {
  const isThere = spawnSync(shell, ["-c", "true"]).status === 0;
  test(`${shell} takes the script of the real program`, { skip: isThere ? false : `${shell} is not installed` }, () => {
    const file = join(folder, `sluice.${shell}`);
    writeFileSync(file, completionScript(shell, real));
    const { status, stderr } = spawnSync(shell, [...checks[shell], file], { encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  });
}

for (const shell of ["bash", "zsh", "fish", "powershell"] as const) {
  test(`${shell}: every command, flag and choice of the real program is in the script, and nothing hidden`, () => {
    const script = completionScript(shell, real);
    assert.ok(real.commands.length > 10);
    for (const { name, flags, arguments: all } of real.commands) {
      assert.match(script, new RegExp(`\\b${name}\\b`));
      for (const { long } of flags) assert.ok(script.includes(shell === "fish" ? `-l ${long.slice(2)} ` : long), `${name} ${long}`);
      const places = [...flags.map(({ value }) => value?.completes), ...all.map(({ completes }) => completes)];
      for (const place of places)
        if (place?.by === "words") for (const word of place.words) assert.ok(script.includes(word), `${name}: ${word}`);
    }
    assert.doesNotMatch(script.replaceAll("__complete releases", ""), /__complete/);
  });
}

test("what parts a specification in zsh, fish and PowerShell is escaped in texts", () => {
  assert.ok(scriptFor("zsh").includes(String.raw`'deploy:bring it [there]: it'\''s quick'`));
  assert.ok(scriptFor("zsh").includes("'(-o --output)'{-o,--output}'[how]:format:(text ndjson)'"));
  assert.ok(scriptFor("zsh").includes("--wait'[until when]::what:(all hooks)'"));
  assert.ok(scriptFor("zsh").includes("'1:release:_sluice_releases'"));
  assert.ok(scriptFor("zsh").includes("'*:source:_files'"));
  assert.ok(scriptFor("fish").includes(String.raw`-a deploy -d 'bring it [there]: it\'s quick'`));
  assert.ok(scriptFor("fish").includes("-l output -s o -r -a 'text ndjson' -d 'how'"));
  assert.ok(scriptFor("powershell").includes("'deploy --output' = @('text', 'ndjson')"));
  assert.ok(scriptFor("powershell").includes("'deploy 0' = @('<releases>')"));
});

const lines: readonly (readonly [line: string, expected: object])[] = [
  ["deploy web", {}],
  ["deploy --context a -n shop we", { context: "a", namespace: "shop" }],
  ["deploy --context=a --namespace = shop", { context: "a", namespace: "shop" }],
  ["deploy --kubeconfig=/a=b -n", { kubeconfig: "/a=b" }],
];

for (const [line, expected] of lines) {
  test(`whom names are asked of: ${line}`, () => assert.deepEqual(clusterFlagsIn(line.split(" ")), expected));
}
