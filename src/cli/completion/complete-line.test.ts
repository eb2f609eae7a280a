import assert from "node:assert/strict";
import { test } from "node:test";
import { plainPaint } from "../../view/index.ts";
import { sluiceProgram } from "../program.ts";
import { candidateLines } from "./candidate.ts";
import { readUnfinishedLine } from "./command-line.ts";
import { completeLine } from "./complete-line.ts";

const program = sluiceProgram({ out: () => {}, err: () => {}, paint: plainPaint }, async () => {});

/** What completes the last word of a line: words, `<names>` that are read, `<files>`. */
function offered(text: string): readonly string[] {
  const words = text.split(" ");
  const word = words.pop() ?? "";
  const { candidates, names, files } = completeLine(readUnfinishedLine(program, words, word));
  const lines = candidateLines(candidates, word).map((line) => line.split("\t")[0] ?? "");
  return [...lines, ...(names === undefined ? [] : [`<${names}>`]), ...(files === true ? ["<files>"] : [])];
}

const lines: readonly (readonly [line: string, ...offered: readonly string[]])[] = [
  ["de", "deploy", "delete", "dependency", "deregister", "demo"],
  ["--v", "--version"],
  ["up", "upgrade"],
  ["__"],
  ["deploy ", "<releases>"],
  ["deploy we", "<releases>"],
  ["deploy web ", "<files>"],
  ["deploy web a.yaml ", "<files>"],
  ["deploy --context a -o text we", "<releases>"],
  ["deploy --context ", "<contexts>"],
  ["deploy --context=", "<contexts>"],
  ["deploy --kube-context ", "<contexts>"],
  ["deploy -n ", "<namespaces>"],
  ["deploy --namespace=sh", "<namespaces>"],
  ["deploy web -o ", "text", "ndjson"],
  ["deploy web -o nd", "ndjson"],
  ["deploy web --output=t", "--output=text"],
  ["deploy web --wait=", "--wait=all", "--wait=hooks"],
  ["deploy web --wait ", "<files>"],
  ["deploy --kubeconfig ", "<files>"],
  ["deploy web --auto", "--auto-rollback"],
  ["deploy web --timeout "],
  ["deploy -- ", "<releases>"],
  ["deploy -- --", "<releases>"],
  ["rollback web ", "<revisions>"],
  ["why ", "<subjects>"],
  ["why ClusterProfile/web --cluster ", "<clusters>"],
  ["show resources --profile ", "<profiles>"],
  ["show events --si", "--since"],
  ["rollback -nshop web ", "<revisions>"],
  ["rollback web 1 "],
  ["get values ", "<releases>"],
  ["get values web --revision ", "<revisions>"],
  ["get v", "values"],
  ["plan ro", "rollback", "<releases>"],
  ["plan rollback web ", "<revisions>"],
  ["plan web ", "<files>"],
  ["diff rev", "revision", "<releases>"],
  ["diff revision web ", "<revisions>"],
  ["diff revision web 1 ", "<revisions>"],
  ["diff revision web 1 2 "],
  ["diff release web ", "<releases>"],
  ["diff web --revision ", "<revisions>"],
  ["diff upgrade web ", "<files>"],
  ["install ", "<files>"],
  ["install web ", "<files>"],
  ["install --wait web ", "<files>"],
  ["upgrade ", "<releases>"],
  ["upgrade web ", "<files>"],
  ["upgrade -i web ./c --reu", "--reuse-values"],
  ["uninstall ", "<releases>"],
  ["uninstall web ", "<releases>"],
  ["del ", "<releases>"],
  ["status ", "<releases>"],
  ["show ad", "addons", "admin-rbac"],
  ["show addons --cluster ", "<clusters>"],
  ["show addons --profile ", "<profiles>"],
  ["show values ", "<files>"],
  ["deregister cluster ", "<clusters>"],
  ["register cluster east --fleet-cluster-context ", "<fleetContexts>"],
  ["redeploy cluster east --profile=", "<profiles>"],
  ["repo remove ", "<repositories>"],
  ["repo up", "update"],
  ["completion ", "bash", "zsh", "fish", "powershell"],
  ["help ge", "get", "generate"],
  ["help get va", "values"],
  ["nonsense "],
  ['deploy "web" ', "<files>"],
];

for (const [line, ...expected] of lines) test(`sluice ${line}|`, () => assert.deepEqual(offered(line), expected));

test("the root offers every command that the help shows, and no other", () => {
  const shown = program.createHelp().visibleCommands(program);
  assert.deepEqual(
    offered(""),
    shown.map((command) => command.name()),
  );
});

test("flags that the help does not show are not offered", () => {
  const flags = offered("install --");
  assert.ok(flags.includes("--generate-name") && flags.includes("--set") && flags.includes("--help"));
  for (const hidden of ["--force", "--kube-token", "--kube-context", "--debug"]) assert.ok(!flags.includes(hidden), hidden);
});

const values = (text: string) => readUnfinishedLine(program, text.split(" "), "").values;

test("values of flags are read as they were typed, and nothing is expanded", () => {
  assert.deepEqual(values("deploy --context=a -n shop"), { "--context": "a", "--namespace": "shop" });
  assert.deepEqual(values("deploy --kubeconfig=/a=b -nshop"), { "--kubeconfig": "/a=b", "--namespace": "shop" });
  assert.deepEqual(values("deploy --kubeconfig '/a' -n"), { "--kubeconfig": "/a" });
  assert.deepEqual(values('deploy --context "$(id)"'), { "--context": '"$(id)"' });
  assert.deepEqual(values("deploy --set a=b --context -n"), { "--set": "a=b", "--context": "-n" });
});

const hostile = [
  "$(id)",
  "`id`",
  "a b",
  "a;b",
  "a|b",
  "a&b",
  "a>b",
  "a<b",
  "a'b",
  'a"b',
  "a\\b",
  "a*",
  "~",
  "a\nb",
  "a\tb",
  "\u001b[2J",
  "a\u202eb",
  "{a,b}",
  "!!",
  "#a",
  "a,b",
  "",
  "x".repeat(257),
];

for (const value of hostile)
  test(`${JSON.stringify(value.slice(0, 20))} is never offered`, () => assert.deepEqual(candidateLines([{ value }], ""), []));

const plain = [
  "web",
  "web-2",
  "gke_a_b_c",
  "arn:aws:eks:us-east-1:1:cluster/x",
  "me@east.eksctl.io",
  "default/api:6443/kube:admin",
  "ClusterProfile/web",
  "--context=a:b",
];

for (const value of plain) test(`${value} is offered`, () => assert.deepEqual(candidateLines([{ value }], value.slice(0, 2)), [value]));

test("descriptions are one line that moves no cursor, and not too long", () => {
  assert.deepEqual(candidateLines([{ value: "a", description: "x\ty\nz\u001b[31m \u202e" }], ""), ["a\tx y z [31m"]);
  assert.equal(candidateLines([{ value: "a", description: "x".repeat(200) }], "")[0]?.length, "a\t".length + 80);
});
