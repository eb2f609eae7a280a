import assert from "node:assert/strict";
import { test } from "node:test";
import { endText, options, RehearsalFixture, requestOf, titles } from "../../../test/support/rehearsal-fixture.ts";
import { widgetCrd } from "../../../test/support/widget-crd.ts";
import { fieldsAt, keyOf, listAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { compareRevisions, readDrift } from "../diff/index.ts";
import { historyOf } from "../record/index.ts";
import { concealedPlan, objectDiffs, sensitiveObjectsOf } from "../deploy/index.ts";
import { concealedSnapshot } from "./conceal-snapshot.ts";
import { withQuotesOf } from "./quotes-in-snapshot.ts";
import { rehearseEveryFailure } from "./every-failure.ts";
import { rehearseEveryKill } from "./every-kill.ts";
import { learnBehaviour } from "./learn-behaviour.ts";
import { reportOf } from "./rehearsal-report.ts";
import { rehearse } from "./rehearse.ts";
import { parseSnapshot, snapshotText } from "./snapshot-text.ts";
import type { WhatIf } from "./what-if.ts";

const deployment = (
  name: string,
  { weight = 0, replicas = 1, cpu = "100m", image = "example.com/web:1", strategy = "RollingUpdate" } = {},
) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, annotations: {werf.io/weight: "${weight}"}}
spec:
  replicas: ${replicas}
  strategy: {type: ${strategy}}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "${image}", resources: {requests: {cpu: ${cpu}}}}]}
`;
const configMap = (name: string, weight = 0) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {werf.io/weight: "${weight}"}}\n`;
const app = `${deployment("db")}${deployment("web", { weight: 1 })}${configMap("last", 2)}`;
const ref = (kind: string, name: string, group = "apps"): ObjectRef => ({ group, version: "v1", kind, namespace: "default", name });

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("a rehearsal reads and tries, and changes nothing", async (t) => {
  const live = new RehearsalFixture(t);
  await live.deploy(deployment("db"));
  live.requests.length = 0;
  const run = await live.rehearse(app);
  assert.equal(endText(run), "deployed");
  const changes = live.requests.filter(
    (request) => !request.startsWith("GET ") && !/[?&]dryRun=All\b|\/selfsubjectaccessreviews\b/.test(request),
  );
  assert.deepEqual(changes, []);
  assert.ok(live.requests.some((request) => request.includes("dryRun=All")));
});

const quota: KubeObject = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "small", namespace: "default" },
  spec: { hard: { "requests.cpu": "1" } },
};
const policy: readonly KubeObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "few" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }] },
      validations: [{ expression: "!object.metadata.name.startsWith('web-')", message: "no web here" }],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "few" },
    spec: { policyName: "few", validationActions: ["Deny"] },
  },
];
const busy: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "busy", namespace: "kube-system" },
  spec: { containers: [{ name: "main", image: "example.com/busy", resources: { requests: { cpu: "511" } } }] },
};

const found: Readonly<Record<string, { live?: readonly KubeObject[]; deploy: string; whatIf?: Partial<WhatIf>; ends: RegExp }>> = {
  "a quota that is too small": { live: [quota], deploy: deployment("web", { cpu: "2" }), ends: /^failed: .*exceeded quota: small/ },
  "a policy of the cluster": { live: policy, deploy: deployment("web"), ends: /^failed: .*no web here/ },
  "no room beside what others run": { live: [busy], deploy: deployment("web", { cpu: "2" }), ends: /^failed: .*Insufficient cpu/ },
  "a crash": { deploy: app, whatIf: { fail: [{ ref: ref("Deployment", "web"), how: "crash" }] }, ends: /^failed: .*web.*exit code 1/ },
  "a missing image": {
    deploy: app,
    whatIf: { fail: [{ ref: ref("Deployment", "db"), how: "pull" }] },
    ends: /^failed: .*db.*ErrImagePull/,
  },
  "what never gets ready": {
    deploy: app,
    whatIf: { fail: [{ ref: ref("Deployment", "db"), how: "never-ready" }] },
    ends: /^failed: .*db.*the time is up.*running but not ready/,
  },
  "a write that is denied": {
    deploy: app,
    whatIf: { fail: [{ ref: ref("ConfigMap", "last", ""), how: "denied" }] },
    ends: /^failed: .*configmap\/last.*denied on purpose/,
  },
  "a node that is down": { deploy: app, whatIf: { nodesDown: ["node-1"] }, ends: /^failed: .*no nodes available/ },
  "a server that fails now and then is no failure": { deploy: app, whatIf: { apiErrors: 0.05 }, ends: /^deployed$/ },
};

for (const [what, { live = [], deploy, whatIf, ends }] of Object.entries(found)) {
  test(`found in a rehearsal: ${what}`, async (t) => {
    const fixture = new RehearsalFixture(t);
    await fixture.create(...live);
    assert.match(endText(await fixture.rehearse(deploy, whatIf)), ends);
  });
}

test("what is slow takes as long as it is said to", async (t) => {
  const live = new RehearsalFixture(t);
  const run = await live.rehearse(app, { slow: [{ ref: ref("Deployment", "db"), ms: 300_000 }] });
  assert.equal(endText(run), "deployed");
  assert.ok(run.endedAtMs - run.startedAtMs > 300_000);
});

/** Lets a user work in the namespace default, and see nothing else. */
const rights: readonly KubeObject[] = [
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "admin", namespace: "default" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "widgets", namespace: "default" },
    rules: [
      { apiGroups: ["example.com"], resources: ["widgets"], verbs: ["*"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["*"] },
    ],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "widgets", namespace: "default" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "widgets" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  },
];

test("what nobody may read is named, something stands for it, and the rehearsal goes on", async (t) => {
  const live = new RehearsalFixture(t);
  await live.create(widgetCrd, ...rights);
  const claim = `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
  const yaml = `${deployment("web")}${claim}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n`;
  const { snapshot } = await live.read(yaml, live.cluster.impersonate("ann"));
  const unseen = snapshot.unseen.map(({ what }) => what);
  for (const what of ["Node objects", "Pod objects", "StorageClass objects", "CustomResourceDefinition widgets.example.com"])
    assert.ok(unseen.includes(what), `${what} in ${unseen.join(", ")}`);
  assert.ok(!unseen.some((what) => what.endsWith(" in default")), unseen.join(", "));
  assert.match(snapshot.unseen[0]!.because, /ann/);
  assert.equal(endText(await rehearse(requestOf(yaml), snapshot, { namespace: "default", deploy: options })), "deployed");
});

const mayWork = (...resources: readonly string[]): readonly KubeObject[] => [
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "work", namespace: "default" },
    rules: [
      { apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch", "create", "patch"] },
      { apiGroups: ["*"], resources, verbs: ["update", "delete"] },
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["named"], verbs: ["delete"] },
    ],
  },
  {
    ...rights[2]!,
    metadata: { name: "work", namespace: "default" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "work" },
  },
];

const missingRights: Readonly<Record<string, { may: readonly KubeObject[]; goes: string; lacks: readonly string[] }>> = {
  "to delete what leaves the release": { may: mayWork("secrets", "leases"), goes: "old", lacks: ["delete configmaps in default"] },
  "to write records and the Lease": {
    may: mayWork("configmaps"),
    goes: "old",
    lacks: ["update secrets in default", "update leases.coordination.k8s.io in default"],
  },
  "none, as it is given by name": { may: mayWork("secrets", "leases"), goes: "named", lacks: [] },
};

for (const [what, { may, goes, lacks }] of Object.entries(missingRights)) {
  test(`a right that the deploy lacks is told before: ${what}`, async (t) => {
    const live = new RehearsalFixture(t);
    await live.create(...may);
    await live.deploy(`${configMap(goes)}${configMap("stays")}`);
    const { snapshot, proposal } = await live.read(configMap("stays"), live.cluster.impersonate("ann"));
    assert.deepEqual(snapshot.missingRights, lacks);
    const run = await rehearse(requestOf(configMap("stays")), snapshot, { namespace: "default", deploy: options });
    const { status, because } = reportOf({ proposal, snapshot, run, learnt: [] });
    assert.deepEqual(
      [status, because],
      lacks.length === 0 ? ["deployed", undefined] : ["failed", `you may not ${lacks.join(", ")}: ask for these rights`],
    );
  });
}

test("a saved snapshot has nothing that is marked as sensitive, in the object or in what repeats it", async (t) => {
  const live = new RehearsalFixture(t);
  const secret = "correct-horse-battery";
  const before = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: whole, annotations: {werf.io/sensitive: "true"}}
data: {token: ${secret}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: paths, annotations: {werf.io/sensitive-paths: "$.data.token"}}
data: {token: ${secret}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {werf.io/sensitive-paths: "$.spec.template.spec.containers[*].env[*].value"}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: example.com/web, args: ["--token=${secret}"], env: [{name: TOKEN, value: ${secret}}]}]}
`;
  await live.deploy(before);
  const copy = { "kubectl.kubernetes.io/last-applied-configuration": secret };
  await live.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "copied", namespace: "default", annotations: copy } });
  const after = before + configMap("more");
  const { proposal, snapshot } = await live.read(after);
  const sensitive = new Map(proposal.objects.map((object) => [keyOf(object.ref), object.sensitive]));
  const text = snapshotText(concealedSnapshot(snapshot, sensitive));
  assert.ok(snapshotText(snapshot).includes(secret));
  assert.ok(
    !text.includes(secret),
    text.split("\n").find((line) => line.includes(secret)),
  );
  const saved = parseSnapshot(text, "snapshot.json");
  assert.equal(endText(await rehearse(requestOf(after), saved, { namespace: "default", deploy: options })), "deployed");
});

test("a saved snapshot does not quote a Secret", async (t) => {
  const live = new RehearsalFixture(t);
  const secret = "correct-horse-battery";
  const annotations = { note: `it is ${secret}`, encoded: Buffer.from(secret).toString("base64") };
  const data = { token: Buffer.from(secret).toString("base64") };
  await live.create(
    { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "default", annotations }, data },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "quotes", namespace: "default", annotations } },
  );
  await live.deploy(
    deployment("web").replace("  template:\n    metadata: {", `  template:\n    metadata: {annotations: {note: ${secret}}, `),
  );
  const { snapshot } = await live.read(deployment("web"));
  const text = snapshotText(concealedSnapshot(snapshot, new Map()));
  assert.ok(snapshotText(snapshot).split(secret).length > 3, "the Secret, the ConfigMap and the pods quote it");
  for (const spelling of [secret, data.token]) assert.ok(!text.includes(spelling), spelling);
});

test("every failure is played, with what it skips, what it leaves, and whether it can be undone", async (t) => {
  const live = new RehearsalFixture(t);
  // Of a rolling update the old pods would stay: this one has to start them again when it is undone.
  await live.deploy(deployment("db", { strategy: "Recreate" }));
  const upgrade = `${deployment("db", { image: "example.com/web:2", strategy: "Recreate" })}${deployment("web", { weight: 1 })}${configMap("last", 2)}`;
  const { proposal, snapshot } = await live.read(upgrade);
  const rows = await all(rehearseEveryFailure(requestOf(upgrade), proposal.plan, snapshot, { namespace: "default", deploy: options }));
  assert.deepEqual(
    rows.map(({ ref: { kind, name }, how, status, skipped, leftBehind, undo }) => [
      `${kind} ${name} ${how}`,
      status,
      titles(skipped).join(),
      titles(leftBehind).join(),
      undo,
    ]),
    [
      ["Deployment db crash", "failed", "deployment/web,configmap/last", "deployment/db", "restored"],
      ["Deployment web crash", "failed", "configmap/last", "deployment/db,deployment/web", "restored"],
      ["ConfigMap last denied", "failed", "", "deployment/db,deployment/web", "restored"],
    ],
  );
  for (const { knownAfterMs } of rows) assert.ok(knownAfterMs !== undefined && knownAfterMs > 0);
});

test("a program that is killed after any step is carried on to the same end", async (t) => {
  const live = new RehearsalFixture(t);
  const { proposal, snapshot } = await live.read(app);
  const rows = await all(rehearseEveryKill(requestOf(app), proposal.plan, snapshot, { namespace: "default", deploy: options }));
  assert.ok(rows.length >= 6, `${rows.length} steps`);
  for (const { afterSteps, status, different } of rows) assert.deepEqual([afterSteps, different], [afterSteps, []], status);
  assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(["deployed", "unchanged"]));
});

const quoting = (secret: string) => `---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: ${secret}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/migrate, command: [sh, -c, "echo migrating with ${secret}"]}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: login-notes}
data: {note: "the password is ${secret}"}
${deployment("web").replace("image:", `args: ["--password=${secret}"], env: [{name: A, value: ${secret}}], image:`)}`;

test("neither a plan nor a diff nor a saved snapshot shows what objects quote of a Secret, and the snapshot is still good", async (t) => {
  const live = new RehearsalFixture(t);
  const [secret, other] = ["s3cretpassword", "an0therpassword"];
  const first = await live.read(quoting(secret));
  assert.doesNotMatch(JSON.stringify([objectDiffs(first.proposal), concealedPlan(first.proposal)]), new RegExp(secret));
  assert.match(JSON.stringify(objectDiffs(first.proposal)), /echo migrating with \(hidden\)/);
  assert.match(JSON.stringify(first.proposal.plan), new RegExp(`echo migrating with ${secret}`), "it is applied as it is");
  await live.deploy(quoting(secret));
  const { proposal } = await live.read(quoting(other).replace("echo", "print").replace("{name: migrate}", "{name: migrate2}"));
  assert.doesNotMatch(JSON.stringify([objectDiffs(proposal), concealedPlan(proposal)]), new RegExp(`${secret}|${other}`));
  const { snapshot, proposal: again } = await live.read(quoting(secret));
  const text = snapshotText(concealedSnapshot(snapshot, new Map(), sensitiveObjectsOf(again)));
  assert.doesNotMatch(text, new RegExp(secret));
  const request = requestOf(quoting(secret));
  const saved = withQuotesOf(parseSnapshot(text, "snapshot.json"), request.manifests);
  const run = await rehearse(request, saved, { namespace: "default", deploy: options });
  assert.equal(endText(run), "deployed");
  const changed = run.progress.flatMap(({ event }) =>
    event.type === "finished" && event.verb === "apply" ? [[event.ref.name, event.because]] : [],
  );
  assert.deepEqual(changed, [["login", "updated"]], "the values of Secrets are not in a snapshot");
});

/** The same without the Job, which cannot be changed. */
const configuredWith = (secret: string) => quoting(secret).replace(/---\napiVersion: batch[^]*?(?=---)/, "");

test("what differs is told without what objects quote of a Secret", async (t) => {
  const live = new RehearsalFixture(t);
  const [secret, other] = ["s3cretpassword", "an0therpassword"];
  const { signal } = options;
  await live.deploy(configuredWith(secret));
  await live.deploy(configuredWith(other));
  await live.clock.until(
    live.cluster.patch(ref("ConfigMap", "login-notes", ""), { type: "merge", patch: { data: { note: `it was ${other}` } } }),
  );
  const revisions = await live.clock.until(historyOf(live.cluster).revisions(requestOf("").release, { signal }));
  const [after, before] = revisions.toSorted((a, b) => b.revision - a.revision);
  const drift = await live.clock.until(readDrift(after!, live.cluster, { signal }));
  const text = JSON.stringify([drift, await live.clock.until(compareRevisions(before!, after!, live.cluster))]);
  assert.match(text, /it was \(hidden\)/);
  assert.match(text, /the password is \(hidden\)/);
  assert.doesNotMatch(text, new RegExp(`${secret}|${other}`));
});

const webOf = (tag: string) => deployment("web", { image: `example.com/web:${tag}` });

test("what has just failed and was rolled back fails in the rehearsal, and another image is not known to work", async (t) => {
  const gone = { rules: [{ match: { image: "example.com/web:2" }, pull: { after: { fixed: 1000 }, fail: "no such image" } }] };
  const live = new RehearsalFixture(t, 1, gone);
  await live.deploy(webOf("1"));
  const rehearsed = async (tag: string) => {
    const { snapshot } = await live.read(webOf(tag));
    const { behaviour } = learnBehaviour(snapshot.evidence);
    return endText(await rehearse(requestOf(webOf(tag)), snapshot, { namespace: "default", deploy: options, behaviour }));
  };
  assert.equal(await rehearsed("2"), "deployed", "nobody has tried it yet");
  assert.match(await rehearsed("missing"), /^failed: .*ErrImagePull/);
  await live.deploy(webOf("2"), { autoRollback: true, ends: "failed" });
  assert.match(await rehearsed("2"), /^failed: .*ErrImagePull.*no such image/);
  assert.equal(await rehearsed("3"), "deployed");
});

const widget = (name: string, size: number) =>
  `---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: {size: ${size}}\n`;

test("custom resources take as long as the recording says, and others of their kind too", async (t) => {
  const [version] = listAt(widgetCrd, "spec.versions");
  const crd = { ...widgetCrd, spec: { ...fieldsAt(widgetCrd, "spec"), versions: [{ ...version, subresources: { status: {} } }] } };
  const conditions = [{ type: "Ready", status: "True", after: { fixed: 20_000 } }];
  const live = new RehearsalFixture(t, 1, { rules: [{ match: { crd: "widgets.example.com" }, conditions }] });
  await live.create(crd);
  await live.deploy(widget("a", 1));
  const next = `${widget("a", 2)}${widget("b", 1)}`;
  const { snapshot, proposal } = await live.read(next);
  const { behaviour, learnt } = learnBehaviour(snapshot.evidence);
  const run = await rehearse(requestOf(next), snapshot, { namespace: "default", deploy: options, behaviour });
  assert.equal(endText(run), "deployed");
  const seconds = (run.endedAtMs - run.startedAtMs) / 1000;
  assert.ok(seconds > 18 && seconds < 22, `${seconds} s`);
  for (const name of ["a", "b"]) {
    const whatIf = { fail: [], slow: [{ ref: ref("Widget", name, "example.com"), ms: 25_000 }], nodesDown: [], apiErrors: 0 };
    const slow = await rehearse(requestOf(next), snapshot, { namespace: "default", deploy: options, behaviour, whatIf });
    assert.equal(Math.round((slow.endedAtMs - slow.startedAtMs) / 1000), 25, name);
  }
  const report = reportOf({ proposal, snapshot, run, learnt });
  assert.deepEqual(
    report.learnt.map(({ from, kind, name }) => [from, kind, name]),
    [["the recording of revision 1", "Widget", "a"]],
  );
});
