import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { VirtualClock } from "../core/clock/index.ts";
import { connect, type Cluster } from "../kube/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { deploy, proposeDeploy, type Proposal } from "../release/deploy/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { readManifests, type LocatedManifest } from "../lang/yaml/index.ts";
import { planDot, planMermaid, proposalJson, proposalLines } from "./index.ts";

const release = { name: "web", namespace: "default" };
const { signal } = new AbortController();

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster };

function lab(): Lab {
  const clock = new VirtualClock();
  return { clock, cluster: connect(startEmbeddedCluster({ clock }).exchange, { clock }) };
}

function read(text: string): readonly LocatedManifest[] {
  return readManifests(text, "web.yaml").manifests;
}

function propose({ clock, cluster }: Lab, manifests: readonly LocatedManifest[]): Promise<Proposal> {
  return clock.until(proposeDeploy({ release, manifests, forceConflicts: true }, cluster, { signal }));
}

async function deployed({ clock, cluster }: Lab, manifests: readonly LocatedManifest[]): Promise<void> {
  const run = async () => {
    for await (const event of deploy({ release, manifests }, cluster, { signal, identity: "tester" }))
      if (event.type === "done") assert.equal(event.status, "deployed");
  };
  await clock.until(run());
}

const before = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: red, size: small}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
data: {password: aHVudGVy, user: bWU=}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: leaves}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: files}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
const after = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: blue, size: small}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
data: {password: aHVudGVyMg==, user: bWU=}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: fresh, annotations: {werf.io/weight: "1"}}
`;

const golden = `update secret/login in default
    apiVersion: v1
    data:
  -   password: (hidden)
  +   password: (hidden, changed)
      user: (hidden)
    kind: Secret
    metadata:
  ...

update configmap/settings in default
    apiVersion: v1
    data:
  -   colour: red
  +   colour: blue
      size: small
    kind: ConfigMap
    metadata:
  ...

create configmap/fresh in default
  + apiVersion: v1
  + kind: ConfigMap
  + metadata:
  +   annotations:
  +     meta.helm.sh/release-name: web
  +     meta.helm.sh/release-namespace: default
  +     werf.io/weight: "1"
  +   labels:
  +     app.kubernetes.io/managed-by: Helm
  +   name: fresh
  +   namespace: default

delete configmap/leaves in default

upgrade web in default, revision 2: 3 to apply, 1 to delete, 4 to wait for
main
  update secret/login until ready
  update configmap/settings until ready
main, rank 1
  create configmap/fresh until ready
main, to be deleted
  delete configmap/leaves until gone, after configmap/fresh (the main resources)
stays
  persistentvolumeclaim/files: it holds data: delete it with --delete-data`;

test("a proposal reads as what changes, then as what happens in which order", async () => {
  const site = lab();
  await deployed(site, read(before));
  const proposal = await propose(site, read(after));
  assert.equal(proposalLines(proposal).join("\n"), golden);
  assert.deepEqual(proposalLines(proposal, { diff: false }), golden.slice(golden.indexOf("upgrade web")).split("\n"));
});

test("a proposal is one JSON document", async () => {
  const site = lab();
  await deployed(site, read(before));
  const proposal = await propose(site, read(after));
  const document = JSON.parse(proposalJson(proposal)) as Record<string, unknown> & {
    changes: { change: string; diff?: string; ref: object }[];
  };
  assert.deepEqual(Object.keys(document), ["release", "revision", "operation", "unchanged", "plan", "changes", "kept", "warnings"]);
  assert.deepEqual(
    [document["release"], document["revision"], document["operation"], document["unchanged"]],
    [release, 2, "upgrade", false],
  );
  assert.deepEqual(
    document.changes.map(({ change }) => change),
    ["updated", "updated", "created", "deleted"],
  );
  assert.deepEqual(document.changes[1]?.ref, { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "settings" });
  assert.match(document.changes[1]?.diff ?? "", /^ {2}apiVersion: v1\n {2}data:\n- {3}colour: red\n\+ {3}colour: blue\n/);
  assert.equal(document.changes[3]?.diff, "");
  assert.doesNotMatch(proposalJson(proposal, { diff: false }), /"diff"/);
});

test("a release without changes is reported as unchanged", async () => {
  const site = lab();
  await deployed(site, read(before));
  assert.deepEqual(proposalLines(await propose(site, read(before))), ["unchanged: web in default, revision 1"]);
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secret = (more: object): KubeObject => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, ...more });
const configMap = (annotations: Record<string, string>, data: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "x", annotations },
  data,
});
const kubectl = "kubectl.kubernetes.io/last-applied-configuration";

/** Ways in which an object can hold a secret value, good and bad. */
const holders: readonly ((value: string) => KubeObject)[] = [
  (value) => secret({ data: { a: base64(value), b: base64(`${value}\n${value}`) } }),
  (value) => secret({ stringData: { a: value, b: "b" } }),
  (value) => secret({ immutable: true, stringData: { a: value } }),
  (value) => secret({ metadata: { name: "x", annotations: { "werf.io/sensitive": "false", [kubectl]: value } }, stringData: { a: value } }),
  (value) =>
    secret({
      metadata: { name: "x", annotations: { "werf.io/delete-policy": "before-creation-if-immutable" } },
      immutable: true,
      stringData: { a: value },
    }),
  (value) => secret({ data: { a: value } }),
  (value) => secret({ data: { a: { b: value } } }),
  (value) => secret({ data: value }),
  (value) => secret({ stringData: [value] }),
  (value) => configMap({ "werf.io/sensitive": "true" }, { a: value }),
  (value) => configMap({ "werf.io/sensitive-paths": "$.data.a,$.data.b" }, { a: value, b: `${value}!` }),
  (value) => configMap({ "werf.io/sensitive-paths": "$..a" }, { a: value }),
];

function manifest(object: KubeObject, name: string): LocatedManifest {
  const [found] = read(JSON.stringify({ ...object, metadata: { ...object.metadata, name } }));
  return found!;
}

/** All that anybody gets to see, whatever comes of it. */
async function shown(site: Lab, manifests: readonly LocatedManifest[]): Promise<string> {
  try {
    const proposal = await propose(site, manifests);
    return [...proposalLines(proposal), proposalJson(proposal), planMermaid(proposal.plan), planDot(proposal.plan)].join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("no output ever shows a secret value", async () => {
  const value = fc.stringMatching(/^[0-9a-f]{12}$/).map((hex) => `zq${hex}`);
  const holder = fc.constantFrom(...holders);
  const object = fc.record({
    live: fc.option(holder, { nil: undefined }),
    next: fc.option(holder, { nil: undefined }),
    values: fc.tuple(value, value),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 4 }), async (objects) => {
      const site = lab();
      const versions = (pick: "live" | "next", at: 0 | 1) =>
        objects.flatMap(({ values, ...each }, index) => (each[pick] === undefined ? [] : [manifest(each[pick](values[at]), `x${index}`)]));
      const live = versions("live", 0);
      const said = [await shown(site, live)];
      // What the cluster does not take is not there to be changed.
      await deployed(site, live).catch(() => {});
      said.push(await shown(site, versions("next", 1)));
      // What stays as it is beside something new.
      said.push(await shown(site, [...live, manifest(configMap({}, {}), "new")]));
      for (const secretValue of objects.flatMap(({ values }) => values)) {
        for (const spelling of [secretValue, base64(secretValue)]) assert.ok(!said.join("\n").includes(spelling), said.join("\n"));
      }
    }),
    { numRuns: 30 },
  );
});
