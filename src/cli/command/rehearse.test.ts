import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";

const { path: folder, file } = testFolder("rehearse");
const { sluice } = await serveClusters({ path: folder, file });

const password = "correct-horse-battery";
const app = file(
  "app.yaml",
  `apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: ${password}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: example.com/web, envFrom: [{secretRef: {name: login}}]}]}
`,
);

test("a rehearsal tells when all is ready, and leaves the cluster as it is", async () => {
  const { code, out, err } = await sluice("rehearse", "app", app);
  assert.equal(code, 0, err);
  assert.match(out, /app in default, revision 1: install deployed in \d/);
  assert.match(out, /^deployment\/web {2}/m);
  assert.match(out, /durations by default, as nobody has seen them yet: deployment\/web\nwould end well: deployed in \d/);
  assert.equal((await sluice("list")).out, "");
});

test("a failure is told with what fails, in every format", async () => {
  const fail = ["rehearse", "app", app, "--embedded", "--fail", "Deployment/web=pull"];
  const text = await runSluice(...fail);
  assert.equal(text.code, 1);
  assert.match(text.out, /would fail: deployment\/web: .*ErrImagePull/);
  const json = JSON.parse((await runSluice(...fail, "-o", "json")).out) as { status: string; timeline: { rows: unknown[] } };
  assert.deepEqual([json.status, json.timeline.rows.length], ["failed", 2]);
  assert.match((await runSluice(...fail, "-o", "junit")).out, /<testsuite .*failures="2".*>\n.*<failure message="deployment\/web: /);
  assert.match((await runSluice(...fail, "-o", "mermaid")).out, /^gantt\n[\s\S]*deployment\/web :crit, /);
  assert.match(
    (await runSluice(...fail, "-o", "html")).out,
    /^<!doctype html>[\s\S]*<title>a rehearsal of app in default: [\s\S]*would fail: /,
  );
  assert.match((await runSluice(...fail, "-o", "ndjson")).out, /"type":"done".*"status":"failed"/);
});

test("a snapshot is enough to rehearse an upgrade, and holds no secret", async () => {
  assert.equal((await sluice("deploy", "app", app)).code, 0);
  const saved = join(folder, "snapshot.json");
  const next = file("next.yaml", readFileSync(app, "utf8").replace("example.com/web", "example.com/web:2"));
  const live = await sluice("rehearse", "app", next, "--save-snapshot", saved);
  assert.equal(live.code, 0, live.err);
  assert.match(live.out, /durations from the recording of revision 1: deployment\/web\n/);
  const text = readFileSync(saved, "utf8");
  for (const secret of [password, Buffer.from(password).toString("base64")]) assert.ok(!text.includes(secret));
  assert.equal(statSync(saved).mode & 0o777, 0o600);
  const offline = await runSluice("rehearse", "app", next, "--snapshot", saved, "--every-failure");
  assert.equal(offline.code, 0, offline.err);
  assert.match(offline.out, /app in default, revision 2: upgrade deployed in/);
  assert.match(offline.out, /^deployment\/web +crash +failed .* restored$/m);
});

test("a snapshot is of the namespace that it was taken in, and says so of any other", async () => {
  const saved = join(folder, "shop.json");
  const live = await sluice("rehearse", "app", app, "-n", "shop", "--create-namespace", "--save-snapshot", saved);
  assert.equal(live.code, 0, live.err);
  const offline = await runSluice("rehearse", "app", app, "--snapshot", saved, "--create-namespace");
  assert.equal(offline.code, 0, offline.err);
  assert.match(offline.out, /app in shop, revision 1/);
  assert.match(
    (await runSluice("rehearse", "app", app, "--snapshot", saved)).err,
    /there is no namespace shop.*: make it with --create-namespace/,
  );
  assert.match(
    (await runSluice("rehearse", "app", app, "--snapshot", saved, "-n", "ops")).err,
    /shop\.json: it holds nothing of namespace ops, only of shop: name one of these with -n, or take another with --save-snapshot/,
  );
});

const refused: Readonly<Record<string, { args: readonly string[]; code: number; err: RegExp }>> = {
  "an object that is not in the plan": {
    args: ["--fail", "Deployment/wbe"],
    code: 1,
    err: /--fail: the plan applies no Deployment\/wbe: is Deployment\/web meant/,
  },
  "a way in which it cannot fail": { args: ["--fail", "Secret/login=crash"], code: 1, err: /cannot fail by crash: expected denied/ },
  "a node that is not there": { args: ["--node-down", "n7"], code: 1, err: /there is no node n7: there are node-1/ },
  "more nodes than there are": { args: ["--node-down", "5"], code: 1, err: /there are 1 nodes, and not 5/ },
  "every failure in a format that has no place for it": {
    args: ["--every-failure", "-o", "junit"],
    code: 2,
    err: /told as text or json, and not as junit/,
  },
  "no object": { args: ["--fail", "web"], code: 2, err: /expected KIND\/NAME/ },
  "no share": { args: ["--api-errors", "lots"], code: 2, err: /expected a share such as 5% or 0\.05/ },
  "a share that may be 5 % or all": { args: ["--api-errors", "5"], code: 2, err: /expected a share such as 5% or 0\.05/ },
  "a behaviour file that is not there": {
    args: ["--behaviour", "/nope/b.yaml"],
    code: 1,
    err: /use the behaviour file \/nope\/b\.yaml: there is no such file/,
  },
  "a folder as a behaviour file": { args: ["--behaviour", folder], code: 1, err: /it is a folder: name a file/ },
  "no number of nodes": { args: ["--nodes", "0"], code: 2, err: /--nodes <count>/ },
  "a snapshot beside a cluster": { args: ["--snapshot", "x"], code: 2, err: /cannot be used with/ },
};

for (const [what, { args, code, err }] of Object.entries(refused)) {
  test(`refused: ${what}`, async () => {
    const result = await runSluice("rehearse", "app", app, "--embedded", ...args);
    assert.equal(result.code, code);
    assert.match(result.err, err);
  });
}

test("objects are named as kubectl names them, and shares of requests with or without a per cent sign", async () => {
  for (const kind of ["deploy", "deployments", "deployment.apps", "Deployment"]) {
    const { code, out } = await runSluice("rehearse", "app", app, "--embedded", "--fail", `${kind}/web=pull`);
    assert.deepEqual([kind, code], [kind, 1]);
    assert.match(out, /would fail: deployment\/web: .*ErrImagePull/);
  }
  const lengths = ["0.05", "5%", "0"].map(async (share) => {
    const { out, err } = await runSluice("rehearse", "app", app, "--embedded", "--api-errors", share, "-o", "json");
    assert.equal(err, "");
    return (JSON.parse(out) as { timeline: { lengthMs: number } }).timeline.lengthMs;
  });
  const [share, percent, none] = await Promise.all(lengths);
  assert.equal(share, percent);
  assert.notEqual(share, none);
});

test("an embedded cluster has as many nodes as it is told", async () => {
  const args = ["rehearse", "app", app, "--embedded", "--nodes", "3", "--node-down"];
  assert.equal((await runSluice(...args, "node-3")).code, 0);
  assert.match((await runSluice(...args, "node-4")).err, /there is no node node-4: there are node-1, node-2, node-3/);
  const live = await sluice("rehearse", "app", app, "--nodes", "3");
  assert.deepEqual([live.code, /--nodes is for --embedded: the nodes of a live cluster are read/.test(live.err)], [2, true], live.err);
});

test("a snapshot in which somebody has changed the type of a field is refused with its object", async () => {
  const path = join(folder, "changed.json");
  assert.equal((await runSluice("rehearse", "app", app, "--embedded", "--save-snapshot", path)).code, 0);
  const snapshot = JSON.parse(readFileSync(path, "utf8")) as { objects: { kind: string; spec: object }[] };
  const node = snapshot.objects.find(({ kind }) => kind === "Node")!;
  node.spec = { taints: "none" };
  const { code, err } = await runSluice("rehearse", "app", app, "--snapshot", file("changed.json", JSON.stringify(snapshot)));
  assert.equal(code, 1);
  assert.match(err, /use the snapshot .*: take over node\/.*taints.*: take it again with sluice rehearse --save-snapshot/);
});

test("a snapshot that is cut short, of another version or missing is refused with what to do", async () => {
  const texts: readonly (readonly [text: string | undefined, why: RegExp])[] = [
    ['{"format": "sluice.dev/snap', /no JSON, or was cut short: take it again with sluice rehearse --save-snapshot/],
    ['{"format": "sluice.dev/snapshot", "version": 9}', /of version 9, and this sluice reads version 1/],
    ["{}", /it is not a snapshot/],
    [undefined, /there is no such file/],
  ];
  for (const [text, why] of texts) {
    const path = text === undefined ? join(folder, "none.json") : file("bad.json", text);
    const { code, err } = await runSluice("rehearse", "app", app, "--snapshot", path);
    assert.equal(code, 1);
    assert.match(err, why);
  }
});

test("a deploy that is refused at once is a report for programs, too", async () => {
  const wrong = file("wrong.yaml", "apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: n}\n");
  const json = await runSluice("rehearse", "app", wrong, "--embedded", "-o", "json");
  const { status, because } = JSON.parse(json.out) as { status: string; because: string };
  assert.deepEqual([json.code, status], [1, "refused"]);
  assert.match(because, /Nothing/);
  const junit = await runSluice("rehearse", "app", wrong, "--embedded", "-o", "junit");
  assert.match(junit.out, /<testsuite .*failures="1"[\s\S]*<failure message=".*Nothing/);
});

/** How long back-offs take is a matter of chance. */
const roughly = (text: string) => text.replaceAll(/\b3\d\.\ds/g, "3x.xs");

test("docs/rehearsals.md shows the failures of examples/hello as they are told", async () => {
  const root = join(import.meta.dirname, "../../..");
  const { out } = await runSluice("rehearse", "web", join(root, "examples/hello"), "--embedded", "--every-failure");
  const table = out.slice(out.indexOf("FAILS  ")).trimEnd();
  assert.ok(table.startsWith("FAILS  "), out);
  assert.ok(roughly(readFileSync(join(root, "docs/rehearsals.md"), "utf8")).includes(`\n${roughly(table)}\n`), table);
});
