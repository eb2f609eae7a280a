import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import { historyOf } from "../record/index.ts";
import {
  deploy,
  proposeDeploy,
  readIdentity,
  parseSavedPlan,
  savedPlanText,
  usePlan,
  type DeployOptions,
  type DeployRequest,
  type SavedPlan,
} from "./index.ts";

const release = { name: "web", namespace: "default" };
const { signal } = new AbortController();
let identities = 0;

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster };

function lab(seed = 1): Lab {
  const clock = new VirtualClock();
  const behaviour = parseBehaviour([{ match: { image: "bad" }, fail: { exitCode: 3, at: "1s" } }]).behaviour;
  return { clock, cluster: connect(startEmbeddedCluster({ clock, seed, behaviour }).exchange, { clock }) };
}

function read(yaml: string): readonly LocatedManifest[] {
  const { manifests, problems } = readManifests(yaml, "web.yaml");
  assert.deepEqual(problems, []);
  return manifests;
}

const configMap = (name: string, value: string) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`;
const deployment = (name: string, image: string, replicas = 1) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec: {replicas: ${replicas}, selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: c, image: ${image}}]}}}
`;
const crd = (note: string) => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com, labels: {note: ${note}}}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

/** The result of an operation, or the fault that ended it. */
async function ending({ clock }: Lab, events: AsyncIterable<Progress>): Promise<string> {
  const listen = async () => {
    let last = "";
    for await (const event of events)
      if (event.type === "done") last = `${event.status}${event.because === undefined ? "" : `: ${event.because}`}`;
    return last;
  };
  return clock.until(listen().catch((error: Error) => `! ${error.message}`));
}

function options(more: Partial<DeployOptions> = {}): DeployOptions {
  return { signal, identity: `tester-${++identities}`, ...more };
}

async function deployed(at: Lab, yaml: string): Promise<void> {
  assert.equal(await ending(at, deploy({ release, manifests: read(yaml) }, at.cluster, options())), "deployed");
}

/** Proposes a deploy, and writes and parses its file. */
async function saved(at: Lab, yaml: string, more: Partial<DeployRequest> = {}): Promise<SavedPlan> {
  const request = { release, manifests: read(yaml), ...more };
  const proposal = await at.clock.until(proposeDeploy(request, at.cluster, { signal }));
  const cluster = await at.clock.until(readIdentity(at.cluster, request.release.namespace, { signal }));
  const text = savedPlanText({ cluster, proposal });
  return parseSavedPlan(text, "web.plan");
}

const at = (name: string, kind = "ConfigMap", group = ""): ObjectRef => ({ group, version: "v1", kind, namespace: "default", name });

/** Everything that a refused plan must not change. */
async function traces({ cluster, clock }: Lab): Promise<unknown> {
  const kinds = [at("", "ConfigMap"), at("", "Secret"), at("", "Lease", "coordination.k8s.io"), at("", "Deployment", "apps")];
  const lists = await clock.until(Promise.all(kinds.map((kind) => cluster.list(kind, { namespace: "default" }))));
  return lists.map(({ items }) => items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`));
}

const before = configMap("changed", "1") + configMap("same", "1") + configMap("leaves", "1") + deployment("app", "nginx:1") + crd("a");
const after = configMap("changed", "2") + configMap("same", "1") + configMap("fresh", "1") + deployment("app", "nginx:2") + crd("b");

type Meddling = (cluster: Cluster) => Promise<unknown>;

const set = (name: string, value: string, manager = "helm"): Meddling => {
  const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { value } };
  return (cluster) => cluster.apply(object, { manager, force: true });
};
const patch = (ref: ObjectRef, patched: object, subresource = ""): Meddling => {
  return (cluster) => cluster.patch(ref, { type: "merge", patch: patched }, subresource === "" ? {} : { subresource });
};
const gadget: Meddling = (cluster) =>
  cluster.create({ apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "g", namespace: "default" } });
const again: Meddling = async (cluster) => {
  const { resourceVersion: _version, uid: _uid, ...metadata } = (await cluster.get(at("changed"))).metadata;
  const object = { ...(await cluster.get(at("changed"))), metadata };
  await cluster.delete(at("changed"));
  await cluster.create(object);
};

/** What changes between saving and using a plan, and the result. */
const meddlings: Readonly<Record<string, readonly [Meddling, RegExp]>> = {
  nothing: [async () => {}, /^deployed$/],
  "a status changes": [patch(at("app", "Deployment", "apps"), { status: { replicas: 7 } }, "status"), /^deployed$/],
  "an object that the plan leaves alone changes": [set("same", "3"), /^deployed$/],
  "a CRD that stays gets custom resources": [gadget, /^deployed$/],
  "another manager owns a field that the plan does not touch": [
    set("changed", "1", "somebody"),
    /configmap\/changed: \.data\.value belongs to somebody now: draw up/,
  ],
  "an object is changed": [set("changed", "3"), /since it was drawn up, configmap\/changed was changed: draw up the plan again/],
  "a label comes": [patch(at("changed"), { metadata: { labels: { a: "b" } } }), /configmap\/changed was changed/],
  "an object is scaled": [patch(at("app", "Deployment", "apps"), { spec: { replicas: 3 } }), /deployment\/app was changed/],
  "an object is deleted": [(cluster) => cluster.delete(at("changed")), /configmap\/changed was deleted/],
  "an object is another one of its name": [again, /configmap\/changed was changed/],
  "what is to be created is there": [set("fresh", "1"), /configmap\/fresh was created/],
  "what is to be deleted is changed": [set("leaves", "2"), /configmap\/leaves was changed/],
  "the record is written": [
    patch(at("sh.helm.release.v1.web.v1", "Secret"), { metadata: { labels: { note: "a" } } }),
    /it was drawn up for revision 1 as it was, and the latest is revision 1, deployed: draw up/,
  ],
  "the record is gone": [(cluster) => cluster.delete(at("sh.helm.release.v1.web.v1", "Secret")), /and none is there/],
};

for (const [what, [meddle, end]] of Object.entries(meddlings)) {
  test(`a plan is used after this has happened: ${what}`, async () => {
    const context = lab();
    await deployed(context, before);
    const plan = await saved(context, after);
    await context.clock.until(meddle(context.cluster));
    const found = await traces(context);
    assert.match(await ending(context, usePlan(plan, context.cluster, options())), end);
    if (end.test("deployed")) assert.equal(stringAt(await context.clock.until(context.cluster.get(at("changed"))), "data.value"), "2");
    else assert.deepEqual(await traces(context), found, "a refusal touches nothing");
  });
}

test("a CRD that is to be deleted stays when it got custom resources", async () => {
  const context = lab();
  await deployed(context, configMap("same", "1") + crd("a"));
  const plan = await saved(context, configMap("same", "1"));
  await context.clock.until(gadget(context.cluster));
  assert.match(
    await ending(context, usePlan(plan, context.cluster, options())),
    /gadgets\.example\.com, which is to be deleted, got objects of its kind/,
  );
});

test("a plan is used once", async () => {
  const context = lab();
  const plan = await saved(context, before);
  assert.equal(await ending(context, usePlan(plan, context.cluster, options())), "deployed");
  assert.match(
    await ending(context, usePlan(plan, context.cluster, options())),
    /it was drawn up for no revision, and the latest is revision 1, deployed/,
  );
});

test("a plan is for the cluster that it was drawn up for", async () => {
  const plan = await saved(lab(), before);
  const other = lab(2);
  assert.match(await ending(other, usePlan(plan, other.cluster, options())), /it was drawn up for another cluster: choose that one/);
});

test("a plan that changes nothing changes nothing", async () => {
  const context = lab();
  await deployed(context, before);
  assert.equal(await ending(context, usePlan(await saved(context, before), context.cluster, options())), "unchanged");
});

test("the namespace is created when the plan says so, and the revision starts when the plan is used", async () => {
  const context = lab();
  const shopRelease = { name: "web", namespace: "shop" };
  const inShop = connect(startEmbeddedCluster({ clock: context.clock }).exchange, { clock: context.clock, namespace: "shop" });
  const there = { clock: context.clock, cluster: inShop };
  const own = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: red}}\n";
  const plan = await saved(there, configMap("a", "1") + own, { release: shopRelease, createNamespace: true });
  await context.clock.advance(3_600_000);
  const now = new Date(context.clock.now()).toISOString();
  assert.equal(await ending(there, usePlan(plan, inShop, options())), "deployed");
  const [revision] = await context.clock.until(historyOf(inShop).revisions(shopRelease, { signal }));
  assert.equal(revision?.firstDeployed, now);
  assert.equal(revision?.lastDeployed, now);
});

test("a plan that fails is undone where that is asked for", async () => {
  const context = lab();
  await deployed(context, configMap("a", "1"));
  const job =
    "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: bad}]}}}\n";
  const plan = await saved(context, configMap("a", "2") + job);
  assert.match(
    await ending(context, usePlan(plan, context.cluster, options({ autoRollback: true }))),
    /^failed: job\/j: .*; rolled back to revision 1$/,
  );
  assert.equal(stringAt(await context.clock.until(context.cluster.get(at("a"))), "data.value"), "1");
});

test("a proposal survives JSON", async () => {
  const context = lab();
  await deployed(context, before);
  const proposal = await context.clock.until(proposeDeploy({ release, manifests: read(after) }, context.cluster, { signal }));
  assert.deepEqual(JSON.parse(JSON.stringify(proposal)), proposal);
});

const account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot}\n";
const podOf = (name: string) =>
  `---\napiVersion: v1\nkind: Pod\nmetadata: {name: agent}\nspec: {serviceAccountName: ${name}, containers: [{name: c, image: nginx}]}\n`;

test("a saved plan knows what is checked only after its earlier steps", async () => {
  const start = lab();
  const plan = await saved(start, podOf("robot") + account);
  const deferred = plan.proposal.plan.steps.flatMap(({ action }) => (action.verb === "apply" ? (action.deferred?.after ?? []) : []));
  assert.deepEqual(
    deferred.map(({ kind, name }) => `${kind} ${name}`),
    ["ServiceAccount robot"],
  );
  assert.equal(await ending(start, usePlan(plan, start.cluster, options())), "deployed");
});

test("a saved plan that creates its namespace is checked again in it, and what its steps cure is no objection", async () => {
  const start = lab();
  const plan = await saved(start, podOf("robot") + account, { release: { name: "web", namespace: "fresh" }, createNamespace: true });
  const deferred = plan.proposal.plan.steps.flatMap(({ action }) => (action.verb === "apply" ? [action.deferred?.after[0]?.name] : []));
  assert.deepEqual(deferred, ["fresh", "fresh"]);
  assert.equal(await ending(start, usePlan(plan, start.cluster, options())), "deployed");
});

test("a refusal that no step of the saved plan cures stops it before anything is touched", async () => {
  const start = lab();
  const robot: KubeObject = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: "default" } };
  await start.clock.until(start.cluster.create(robot));
  const plan = await saved(start, podOf("robot") + configMap("a", "1"));
  await start.clock.until(start.cluster.delete(at("robot", "ServiceAccount")));
  const unchanged = await traces(start);
  assert.match(
    await ending(start, usePlan(plan, start.cluster, options())),
    /pod\/agent: .*serviceaccount "robot" not found: draw up the plan again/,
  );
  assert.deepEqual(await traces(start), unchanged);
});

const held = { metadata: { finalizers: ["example.com/hold"] } };
const released = { metadata: { finalizers: null } };
const guarded = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, finalizers: [example.com/guard]}\ndata: {value: "2"}\n';

/** A plan that was saved while a finalizer held an object of the release that was being deleted. */
async function savedWhileGoing(context: Lab): Promise<SavedPlan> {
  await deployed(context, configMap("a", "1"));
  await context.clock.until(patch(at("a"), held)(context.cluster));
  await context.clock.until(context.cluster.delete(at("a")));
  return saved(context, guarded);
}

test("an object that is being deleted is no objection to a plan that waits until it is gone", async () => {
  const context = lab();
  const plan = await savedWhileGoing(context);
  context.clock.after(1_000, () => void patch(at("a"), released)(context.cluster));
  assert.equal(await ending(context, usePlan(plan, context.cluster, options())), "deployed");
  assert.equal(stringAt(await context.clock.until(context.cluster.get(at("a"))), "data.value"), "2");
});

test("nor is it one that the object is gone by then, but another one in its place is", async () => {
  const context = lab();
  const plan = await savedWhileGoing(context);
  await context.clock.until(patch(at("a"), released)(context.cluster));
  const other: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  await context.clock.until(context.cluster.create(other));
  assert.match(await ending(context, usePlan(plan, context.cluster, options())), /configmap\/a was changed/);
  await context.clock.until(context.cluster.delete(at("a")));
  assert.equal(await ending(context, usePlan(plan, context.cluster, options())), "deployed");
});
