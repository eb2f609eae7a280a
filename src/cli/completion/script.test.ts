import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { testFolder } from "../../../test/support/command-line.ts";
import { completionScript } from "./script.ts";

const folder = testFolder("completion");
folder.file("app one.yaml", "");
folder.file("db.yaml", "");
folder.file("more/x", "");
const log = join(folder.path, "more", "log");

/** Runs lines of bash after the completion script. */
function bash(lines: string, env: Readonly<Record<string, string>> = {}) {
  const script = `${completionScript("bash", "sluice")}\n${lines}`;
  return spawnSync("bash", ["--norc", "-c", script], { cwd: folder.path, encoding: "utf8", env: { ...process.env, ...env } });
}

/** The parts of a line as bash makes them: at blanks, and around runs of `=`, `:` and `@`. */
function partsOf(line: string): readonly string[] {
  return line.split(/ +/).flatMap((word) => (word === "" ? [""] : word.split(/([=:@]+)/).filter((part) => part !== "")));
}

/** What bash offers at the end of a line, where the program answers as given. */
function offered(line: string, answers: readonly string[], { program = "sluice" } = {}): readonly string[] {
  const parts = partsOf(line);
  const { stdout, stderr } = bash(
    `
${program}() { printf '%s|' "$@" > "$LOG"; printf '%s\\n' "\${ANSWERS[@]}"; }
ANSWERS=(${answers.map((answer) => `$'${answer.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\t", "\\t")}'`).join(" ")})
COMP_LINE='${line}'
COMP_POINT=\${#COMP_LINE}
COMP_WORDS=(${parts.map((part) => `'${part}'`).join(" ")})
COMP_CWORD=${parts.length - 1}
_sluice
((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"
`,
    { LOG: log },
  );
  assert.equal(stderr, "");
  return stdout.split("\n").filter((each) => each !== "");
}

test("bash: names are offered without their descriptions, and those alone that begin like the word", () => {
  assert.deepEqual(offered("sluice deploy we", ["web\tdeployed, 3h", "web-2", "shop"]), ["web", "web-2"]);
  assert.deepEqual(offered("sluice deploy ", ["web\tdeployed", "shop"]), ["web", "shop"]);
});

test("bash: names with : and @ are completed though bash parts words there", () => {
  const answers = ["arn:aws:eks:east", "arn:aws:eks:west", "me@east"];
  assert.deepEqual(offered("sluice list --context arn:aws:ek", answers), ["eks:east", "eks:west"]);
  assert.deepEqual(offered("sluice list --context arn:", answers), ["aws:eks:east", "aws:eks:west"]);
  assert.deepEqual(offered("sluice list --context me@e", answers), ["east"]);
  assert.deepEqual(
    offered(
      "sluice list --context=arn:aws:",
      answers.map((name) => `--context=${name}`),
    ),
    ["eks:east", "eks:west"],
  );
  assert.deepEqual(offered("sluice list --output=", ["--output=json", "--output=yaml"]), ["json", "yaml"]);
  assert.deepEqual(offered("sluice list --output=j", ["--output=json", "--output=yaml"]), ["json"]);
});

const calls: Readonly<Record<string, string>> = {
  "sluice deploy --context a we": "__complete|--word=we|--|deploy|--context|a|",
  "sluice deploy ": "__complete|--word=|--|deploy|",
  "sluice list --context=arn:aws:ek": "__complete|--word=--context=arn:aws:ek|--|list|",
  "sluice list --context me@east -n ": "__complete|--word=|--|list|--context|me@east|-n|",
  "sluice  list   --kube-context=a:b  x": "__complete|--word=x|--|list|--kube-context=a:b|",
};

for (const [line, call] of Object.entries(calls))
  test(`bash: the program is asked with all that was typed: ${line}`, () => {
    offered(line, []);
    assert.equal(readFileSync(log, "utf8"), call);
  });

test("bash: files are completed where the program says so, beside its own answers", () => {
  assert.deepEqual(offered("sluice deploy web ", [":files"]).toSorted(), ["app one.yaml", "db.yaml", "more"]);
  assert.deepEqual(offered("sluice deploy web d", ["delete", ":files"]), ["delete", "db.yaml"]);
  assert.deepEqual(offered("sluice list --kubeconfig=d", [":files"]), ["db.yaml"]);
});

test("bash: what the program prints is never executed", () => {
  const answers = ["$(touch pwned)", "`touch pwned`", "x;touch pwned", "$HOME", "*"];
  assert.deepEqual(offered("sluice deploy ", answers), answers);
  assert.deepEqual(offered("sluice deploy $(touch", answers), ["$(touch pwned)"]);
  assert.equal(existsSync(join(folder.path, "pwned")), false);
});

test("bash: a program that fails is no noise", () => {
  const { stdout, stderr } = bash(
    "sluice() { echo trouble >&2; return 1; }\nCOMP_LINE='sluice delete '\nCOMP_POINT=14\nCOMP_WORDS=(sluice delete '')\nCOMP_CWORD=2\n_sluice\nprintf '%s' \"${#COMPREPLY[@]}\"",
  );
  assert.deepEqual([stdout, stderr], ["0", ""]);
});

test("bash: it is registered under the program's name", () => {
  assert.equal(bash("complete -p sluice").stdout.trim(), "complete -F _sluice sluice");
});

test("bash: the real program does not run what hostile contexts are called", () => {
  const contexts = ["good:one", "$(touch owned)", "`touch owned`", "a b", "-rf", "--help", "x;touch owned", "\u001b[2J", "good@two"];
  const kubeconfig = folder.file(
    "kubeconfig",
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      contexts: contexts.map((name) => ({ name, context: { cluster: "c", user: "u" } })),
    }),
  );
  const main = join(import.meta.dirname, "..", "main.ts");
  const program = folder.file("bin/sluice", `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(program, 0o755);
  const { stdout, stderr } = bash(
    `COMP_LINE='sluice list --context '\nCOMP_POINT=\${#COMP_LINE}\nCOMP_WORDS=(sluice list --context '')\nCOMP_CWORD=3\n_sluice\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    { PATH: `${join(folder.path, "bin")}:${process.env["PATH"]}`, KUBECONFIG: kubeconfig },
  );
  assert.deepEqual([stdout, stderr], ["good:one\ngood@two\n", ""]);
  assert.equal(existsSync(join(folder.path, "owned")), false);
});

for (const shell of ["bash", "zsh", "fish"] as const) {
  const isThere = spawnSync(shell, ["-c", "true"]).status === 0;
  test(`${shell} takes the script`, { skip: isThere ? false : `${shell} is not installed` }, () => {
    const file = folder.file(`script.${shell}`, completionScript(shell, "sluice"));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  });
}

const hasFish = spawnSync("fish", ["-c", "true"]).status === 0;

/** What fish offers where a function stands for the program, and answers when it is asked as it should be. */
function offeredByFish(word: string): string {
  const answers = "printf 'web\\tdeployed, 3h\\nshop\\n'";
  const program = `function sluice; test "$argv[1] $argv[2]" = '__complete --word=${word}'; and ${answers}; end`;
  const script = `${completionScript("fish", "sluice")}\n${program}\ncomplete -C 'sluice deploy ${word}'`;
  return spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8" }).stdout;
}

test("fish: names come with their descriptions", { skip: hasFish ? false : "fish is not installed" }, () => {
  assert.equal(offeredByFish(""), "shop\nweb\tdeployed, 3h\n");
  assert.equal(offeredByFish("we"), "web\tdeployed, 3h\n");
});

for (const shell of ["bash", "zsh", "fish", "powershell"] as const)
  test(`${shell}: the script asks the program, silently`, () => {
    const script = completionScript(shell, "sluice");
    assert.match(script, /__complete .*2>(\/dev\/null|\$null)/);
    assert.match(script, /:files|':\*'/);
  });
