import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runSluice } from "../../test/support/command-line.ts";
import { openCluster } from "../kube/index.ts";
import { plainPaint } from "../view/index.ts";
import { openClusterSession } from "./cluster-session.ts";
import { run, sluiceProgram } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const configMap = file("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");

test("version and help are no failures", async () => {
  assert.match((await runSluice("version")).out, /^sluice \d+\.\d+\.\d+$/);
  const help = await runSluice("--help");
  assert.equal(help.code, 0);
  for (const command of ["apply", "check", "cluster", "demo"]) assert.match(help.out, new RegExp(`^  ${command}\\b`, "m"));
});

test("every command has the help that it has among all, by each of its names", async () => {
  let help: string[] = [];
  const whole = sluiceProgram({ out: (text) => help.push(text), err: () => {}, paint: plainPaint }, async () => {});
  for (const command of whole.commands.flatMap((each) => [each, ...each.commands])) {
    const outer = command.parent === whole ? [] : [command.parent?.name() ?? ""];
    help = [];
    command.outputHelp();
    for (const name of [command.name(), ...command.aliases()]) {
      const { code, out } = await runSluice(...outer, name, "--help");
      assert.deepEqual({ code, out }, { code: 0, out: help.join("\n") }, [...outer, name].join(" "));
    }
  }
});

const wrongUsage: readonly (readonly string[])[] = [
  [],
  ["frobnicate"],
  ["apply"],
  ["apply", configMap, "--timeout", "soon"],
  ["apply", configMap, "--embedded", "--context", "x"],
  ["check", configMap, "--embedded"],
  ["cluster"],
  ["cluster", "--kubeconfig", "x", "--port", "70000"],
  ["cluster", "--kubeconfig", "x", "--clusters", "0"],
  ["cluster", "--kubeconfig", "x", "--port", "65535", "--clusters", "2"],
];

for (const args of wrongUsage) {
  test(`wrong usage: sluice ${args.join(" ")}`, async () => {
    const { code, err, out } = await runSluice(...args);
    assert.equal(code, 2);
    assert.notEqual(err + out, "");
    assert.doesNotMatch(err, /\n\s+at /);
  });
}

test("apply --embedded deploys to a cluster of its own", async () => {
  const { code, out } = await runSluice("apply", configMap, "--embedded");
  assert.equal(code, 0);
  assert.match(out, /^\d\d:\d\d:\d\dZ +\d+s {2}ready {4}configmap\/a in default: created$/);
});

test("-o ndjson prints the same as data", async () => {
  const { code, out } = await runSluice("apply", configMap, "--embedded", "-o", "ndjson");
  const events = out.split("\n").map((line) => JSON.parse(line) as { at: string; type: string; verb: string; cluster: string });
  assert.equal(code, 0);
  assert.deepEqual(
    events.map(({ type, verb }) => `${type} ${verb}`),
    ["planned undefined", "started apply", "finished apply", "started await", "finished await", "done undefined"],
  );
  assert.match(events[0]!.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

/** Takes an hour to count as available. */
const stuck = file(
  "stuck.yaml",
  "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: slow}\nspec: {minReadySeconds: 3600, progressDeadlineSeconds: 7200, selector: {matchLabels: {app: slow}}, template: {metadata: {labels: {app: slow}}, spec: {containers: [{name: c, image: nginx}]}}}\n",
);

test("what is not ready in time is named with its reason, and exit code 1", async () => {
  const { code, err } = await runSluice("apply", stuck, "--embedded", "--timeout", "300ms");
  assert.equal(code, 1);
  assert.match(
    err,
    /^error: deployment\/slow: the time is up after 0\.3 s.*replicas.*; what was done stays\.($|\nFailed:\n {2}deployment\/slow\n)/,
  );
});

test("Ctrl-C ends with exit code 130 and names what is left", async () => {
  const err: string[] = [];
  const code = await run(["apply", stuck, "--embedded"], {
    out: (line) => void (line.includes("  waiting  ") && process.emit("SIGINT")),
    err: (line) => err.push(line),
    paint: plainPaint,
  });
  assert.equal(code, 130);
  assert.match(
    err.join("\n"),
    /^error: interrupted; what was done stays, and the same command carries it on\.\nNot finished:\n  deployment\/slow: /,
  );
});

const failures: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  "a broken manifest": [["apply", file("broken.yaml", "a: [\n"), "--embedded"], /^error: .*broken\.yaml:\d+: /],
  "a kubeconfig that is not there": [["check", configMap, "--kubeconfig", join(folder, "nope")], /nope/],
  "a context that is not there": [
    [
      "check",
      configMap,
      "--kubeconfig",
      file(
        "kc",
        "apiVersion: v1\nkind: Config\ncontexts: [{name: here, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {}}]\n",
      ),
      "--context",
      "there",
    ],
    /there.*here/s,
  ],
  "an address that nobody serves": [
    ["apply", "http://127.0.0.1:1/a.yaml", "--embedded"],
    /^error: nothing answers at http:\/\/127\.0\.0\.1:1\/a\.yaml .*: check the address/,
  ],
  "a kubeconfig to be written where there is no folder": [
    ["cluster", "--kubeconfig", join(folder, "no", "folder")],
    /^error: write the kubeconfig .*: there is no folder .*no: make it first$/,
  ],
  "a kubeconfig to be written where a folder is": [["cluster", "--kubeconfig", folder], /: it is a folder: name a file in it$/],
  "a refused connection": [["check", configMap, "--kubeconfig", join(folder, "kc"), "--context", "here"], /127\.0\.0\.1:1/],
};

for (const [what, [args, message]] of Object.entries(failures)) {
  test(`${what} is one clear sentence and exit code 1`, async () => {
    const { code, err } = await runSluice(...args);
    assert.equal(code, 1);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at |internal error/);
  });
}

test("cluster writes a kubeconfig for its owner alone, serves it, and cleans up", async () => {
  const kubeconfig = join(folder, "embedded");
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  const terminal = {
    err: (line: string) => said.push(line),
    paint: plainPaint,
    out: (line: string) => (said.push(line), ready.resolve()),
  };
  const running = run(["cluster", "--kubeconfig", kubeconfig, "--clusters", "2"], terminal);
  await ready.promise;
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  for (const context of ["sluice-1", "sluice-2"]) {
    const { code, out } = await runSluice("apply", configMap, "--kubeconfig", kubeconfig, "--context", context);
    assert.equal(code, 0, out);
  }
  assert.match(
    (await runSluice("cluster", "--kubeconfig", kubeconfig)).err,
    /another sluice cluster, which still runs at https:.*: end that one first/,
  );
  const stranger = file("stranger", readFileSync(kubeconfig, "utf8").replaceAll(/client-(certificate|key)-data: .*/g, "token: abc"));
  assert.match((await runSluice("check", configMap, "--kubeconfig", stranger)).err, /Unauthorized: .*credentials.*renew them/);
  assert.match((await runSluice("check", configMap, "--kubeconfig", kubeconfig)).out, /configmap\/a +default +ready/);
  const left = readFileSync(kubeconfig, "utf8");
  process.emit("SIGINT");
  assert.equal(await running, 0);
  assert.equal(existsSync(kubeconfig), false);
  // A cluster that is killed leaves its file; the next one, at the same port, must not take itself for it.
  writeFileSync(kubeconfig, left);
  const again = Promise.withResolvers<string>();
  const listening = { err: (line: string) => again.resolve(line), paint: plainPaint, out: (line: string) => again.resolve(line) };
  const port = /https:\/\/127\.0\.0\.1:(\d+)/.exec(left)?.[1] ?? "";
  const restarted = run(["cluster", "--kubeconfig", kubeconfig, "--port", port, "--nodes", "3"], listening);
  assert.match(await again.promise, /^ready https:/);
  const opened = await openCluster({ kubeconfig });
  const { items } = await opened.cluster.list({ group: "", version: "v1", kind: "Node" });
  opened.close();
  assert.equal(items.length, 3);
  process.emit("SIGINT");
  assert.equal(await restarted, 0);
});

test("every cluster of --embedded has uids of its own", async () => {
  const uids = await Promise.all(
    [1, 2].map(async () => {
      const { cluster, close } = await openClusterSession({ embedded: true }, () => {});
      const { metadata } = await cluster.get({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "kube-system" });
      close();
      return metadata.uid;
    }),
  );
  assert.notEqual(uids[0], uids[1]);
});

test("cluster does not overwrite a user's kubeconfig", async () => {
  const precious = file("precious", "contexts: [{name: production}]\n");
  const { code, err } = await runSluice("cluster", "--kubeconfig", precious);
  assert.equal(code, 1);
  assert.match(err, /it holds the contexts production, which would be lost: name a file that does not exist yet/);
  assert.match(readFileSync(precious, "utf8"), /production/);
});

for (const [args, said] of [
  [["help", "nosuch"], "error: find help for nosuch: there is no such command: sluice --help lists all"],
  [["help", "repo", "nosuch"], "error: find help for repo nosuch: there is no such command: sluice --help lists all"],
  [["apply", "--nosuch"], "error: unknown option '--nosuch'\n(see sluice apply --help)"],
  [["repo", "add", "--nosuch"], "error: unknown option '--nosuch'\n(see sluice repo add --help)"],
  [["nosuch"], "error: unknown command 'nosuch'\n(see sluice --help)"],
  [["depoly"], "error: unknown command 'depoly'\n(Did you mean deploy?)\n(see sluice --help)"],
  ...[
    ["deploy", "x", configMap],
    ["render", "c"],
    ["pull", "c"],
    ["show", "values", "c"],
    ["dependency", "update", "c"],
    ["install", "x", "c"],
  ].map(
    (args) =>
      [
        [...args, "--keyring", "k"],
        "error: --keyring is for --verify, which alone verifies the chart: add it, or leave out --keyring",
      ] as const,
  ),
  [["--nosuch", "deploy"], "error: unknown option '--nosuch'\n(see sluice --help)"],
] as const) {
  test(`sluice ${args.join(" ")} says what is wrong and where its help is`, async () => {
    const { code, err } = await runSluice(...args);
    assert.deepEqual({ code, err }, { code: 2, err: said });
  });
}
