import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { stringAt, titleOf, type ObjectRef } from "../../core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import type { Plan } from "../plan/index.ts";
import { historyOf } from "../record/index.ts";
import { deploy, uninstallRelease, rollback, test as testRelease, type DeployOptions, type DeployRequest } from "./index.ts";

const release = { name: "web", namespace: "default" };
const never = new AbortController().signal;
let identities = 0;

type DeployCluster = { readonly clock: VirtualClock; readonly cluster: Cluster };

function startDeployCluster(behaviour: readonly object[] = []): DeployCluster {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock, behaviour: parseBehaviour(behaviour).behaviour });
  return { clock, cluster: connect(exchange, { clock }) };
}

function read(yaml: string, file = "web.yaml"): readonly LocatedManifest[] {
  const { manifests, problems } = readManifests(yaml, file);
  assert.deepEqual(problems, []);
  return manifests;
}

const configMap = (name: string, value: string, annotations = "{}") =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: ${annotations}}\ndata: {value: "${value}"}\n`;
const job = (name: string, annotations: string, image = "good") => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: ${annotations}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: ${image}}]}}}
`;
const failing = [{ match: { image: "bad" }, fail: { exitCode: 3, at: "1s" } }];

/** The progress, one line per event; a thrown fault is the last. */
async function linesOf({ clock }: DeployCluster, events: AsyncIterable<Progress>, look?: (event: Progress) => void): Promise<string[]> {
  const lines: string[] = [];
  const listen = async () => {
    for await (const event of events) {
      look?.(event);
      if (event.type === "planned") continue;
      if (event.type === "done") lines.push(`${event.status}${event.because === undefined ? "" : `: ${event.because}`}`);
      else if ("verb" in event && event.type !== "started" && event.type !== "waiting")
        lines.push(`${event.type} ${event.verb} ${nameOf(event.ref)}`);
    }
  };
  await clock.until(listen().catch((error: Error) => void lines.push(`! ${error.message}`)));
  return lines;
}

function nameOf(ref: ObjectRef): string {
  return ref.kind === "Secret" ? ref.name : titleOf(ref);
}

function options(more: Partial<DeployOptions> = {}): DeployOptions {
  return { signal: never, identity: `tester-${++identities}`, ...more };
}

function deploying(at: DeployCluster, yaml: string, more: Partial<DeployOptions & DeployRequest> = {}): AsyncGenerator<Progress> {
  return deploy({ release, manifests: read(yaml), ...more }, at.cluster, options(more));
}

/** The number and state of every revision. */
async function states({ cluster, clock }: DeployCluster): Promise<string[]> {
  const revisions = await clock.until(historyOf(cluster).revisions(release));
  return revisions.map(({ revision, state }) => `${revision} ${state}`);
}

async function valueOf({ cluster, clock }: DeployCluster, name: string): Promise<string | undefined> {
  const found = await clock.until(cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name }));
  return stringAt(found, "data.value");
}

test("install, upgrade with a removal, rollback, delete", async () => {
  const at = startDeployCluster();
  assert.equal((await linesOf(at, deploying(at, configMap("a", "1") + configMap("b", "1")))).at(-1), "deployed");
  assert.equal((await linesOf(at, deploying(at, configMap("a", "2")))).at(-1), "deployed");
  assert.deepEqual([await valueOf(at, "a"), await valueOf(at, "b")], ["2", undefined]);
  assert.deepEqual(await states(at), ["1 superseded", "2 deployed"]);
  assert.equal((await linesOf(at, rollback({ release }, at.cluster, options()))).at(-1), "deployed");
  assert.deepEqual([await valueOf(at, "a"), await valueOf(at, "b")], ["1", "1"]);
  assert.deepEqual(await states(at), ["1 superseded", "2 superseded", "3 deployed"]);
  assert.equal((await linesOf(at, uninstallRelease({ release }, at.cluster, options()))).at(-1), "deleted");
  assert.deepEqual([await valueOf(at, "a"), await valueOf(at, "b")], [undefined, undefined]);
  assert.deepEqual(await states(at), []);
});

test("objects carry Helm's marks, hooks and records do not", async () => {
  const at = startDeployCluster();
  await linesOf(at, deploying(at, configMap("a", "1") + configMap("h", "1", "{helm.sh/hook: pre-install}")));
  const marks = await Promise.all(
    ["a", "h"].map(async (name) => {
      const found = await at.clock.until(at.cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name }));
      return [found?.metadata.annotations?.["meta.helm.sh/release-name"], found?.metadata.labels?.["app.kubernetes.io/managed-by"]];
    }),
  );
  assert.deepEqual(marks, [
    ["web", "Helm"],
    [undefined, undefined],
  ]);
});

test("when nothing changed no revision is written, and no hook runs", async () => {
  const at = startDeployCluster();
  const source = configMap("a", "1") + job("h", "{helm.sh/hook: pre-upgrade}");
  await linesOf(at, deploying(at, source));
  assert.deepEqual(await linesOf(at, deploying(at, source)), ["unchanged"]);
  assert.deepEqual(await states(at), ["1 deployed"]);
});

test("the same manifests by another path are no new revision, and no hook runs", async () => {
  const at = startDeployCluster();
  const source = configMap("a", "1") + job("h", "{helm.sh/hook: pre-upgrade}");
  await linesOf(at, deploying(at, source));
  const moved = deploying(at, source, { manifests: read(source, "/elsewhere/web.yaml") });
  assert.deepEqual(await linesOf(at, moved), ["unchanged"]);
  assert.deepEqual(await states(at), ["1 deployed"]);
});

test("a manual change is reverted, as a revision", async () => {
  const at = startDeployCluster();
  await linesOf(at, deploying(at, configMap("a", "1")));
  const [byHand] = read(configMap("a", "3"));
  await at.clock.until(at.cluster.apply(byHand!.object, { manager: "somebody", force: true }));
  const lines = await linesOf(at, deploying(at, configMap("a", "1")));
  assert.match(lines.at(-1)!, /^! web\.yaml:2: configmap\/a: .*\.data\.value belongs to somebody/);
  assert.equal((await linesOf(at, deploying(at, configMap("a", "1"), { forceConflicts: true }))).at(-1), "deployed");
  assert.equal(await valueOf(at, "a"), "1");
  assert.deepEqual(await states(at), ["1 superseded", "2 deployed"]);
});

const beforeAndAfter = "{helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-delete-policy: before-hook-creation}";

test("a deploy that is stopped is carried on under its number, and its hooks do not run again", async () => {
  const at = startDeployCluster();
  const stop = new AbortController();
  const source = job("h", beforeAndAfter) + configMap("a", "1");
  const stopped = await linesOf(at, deploying(at, source, { signal: stop.signal }), (event) => {
    if (event.type === "finished" && event.verb === "record" && event.stage === "pre") stop.abort();
  });
  assert.equal(stopped.at(-1), "stopped");
  assert.deepEqual(await states(at), ["1 pending-install"]);
  const again = await linesOf(at, deploying(at, source));
  assert.ok(!again.some((line) => line.includes("job/h")), again.join("\n"));
  assert.equal(again.at(-1), "deployed");
  assert.deepEqual(await states(at), ["1 deployed"]);
});

test("with another manifest the stopped one is given up, and all hooks run", async () => {
  const at = startDeployCluster();
  const stop = new AbortController();
  await linesOf(at, deploying(at, job("h", beforeAndAfter) + configMap("a", "1"), { signal: stop.signal }), (event) => {
    if (event.type === "finished" && event.verb === "record" && event.stage === "pre") stop.abort();
  });
  const again = await linesOf(at, deploying(at, job("h", beforeAndAfter) + configMap("a", "2")));
  assert.ok(again.includes("finished await job/h"), again.join("\n"));
  assert.deepEqual(await states(at), ["1 failed", "2 deployed"]);
});

test("a failure is recorded with its reason, and the next deploy starts anew", async () => {
  const at = startDeployCluster(failing);
  const lines = await linesOf(at, deploying(at, job("h", beforeAndAfter, "bad") + configMap("a", "1")));
  assert.match(lines.at(-1)!, /^failed: job\/h: /);
  assert.equal(await valueOf(at, "a"), undefined);
  assert.deepEqual(await states(at), ["1 failed"]);
  const [latest] = await at.clock.until(historyOf(at.cluster).revisions(release));
  assert.match(latest!.description, /^Release "web" failed: job\/h: /);
  assert.equal(latest!.hooks[0]!.lastRun.phase, "Failed");
  assert.equal((await linesOf(at, deploying(at, job("h", beforeAndAfter) + configMap("a", "1")))).at(-1), "deployed");
  assert.deepEqual(await states(at), ["1 failed", "2 deployed"]);
});

/** Keeps why each plan was made. */
async function* seen(progress: AsyncIterable<Progress>, plans: (string | undefined)[]): AsyncGenerator<Progress> {
  for await (const event of progress) {
    if (event.type === "planned") plans.push(event.because);
    yield event;
  }
}

test("--auto-rollback goes back to the revision that was deployed", async () => {
  const at = startDeployCluster(failing);
  await linesOf(at, deploying(at, configMap("a", "1")));
  const bad = configMap("a", "2") + job("b", "{}", "bad");
  const plans: (string | undefined)[] = [];
  const lines = await linesOf(at, seen(deploying(at, bad, { autoRollback: true }), plans));
  assert.equal(plans[0], undefined);
  assert.match(plans[1] ?? "", /^job\/b: .*; rolling back to revision 1$/, "the second plan says what it undoes");
  assert.match(lines.at(-1)!, /^failed: job\/b: .*; rolled back to revision 1$/);
  assert.equal(await valueOf(at, "a"), "1");
  assert.deepEqual(await states(at), ["1 superseded", "2 failed", "3 deployed"]);
});

test("--auto-rollback deletes a first deploy that failed", async () => {
  const at = startDeployCluster(failing);
  const lines = await linesOf(at, deploying(at, configMap("a", "2") + job("b", "{}", "bad"), { autoRollback: true }));
  assert.match(lines.at(-1)!, /^failed: job\/b: .*; deleted again$/);
  assert.equal(await valueOf(at, "a"), undefined);
  assert.deepEqual(await states(at), []);
});

test("two deploys of one release come one after the other", async () => {
  const at = startDeployCluster();
  const first = linesOf(at, deploying(at, configMap("a", "1") + job("j", "{}")));
  const second = linesOf(at, deploying(at, configMap("a", "2") + job("j", "{}")));
  assert.equal((await first).at(-1), "deployed");
  assert.equal((await second).at(-1), "deployed");
  assert.deepEqual(await states(at), ["1 superseded", "2 deployed"]);
});

test("what was deleted with its history kept is installed anew, after that history", async () => {
  const at = startDeployCluster();
  const source = configMap("a", "1") + configMap("h", "1", "{helm.sh/hook: pre-install}");
  await linesOf(at, deploying(at, source));
  await linesOf(at, uninstallRelease({ release }, at.cluster, options({ keepHistory: true })));
  assert.deepEqual(await states(at), ["1 uninstalled"]);
  const lines = await linesOf(at, deploying(at, source));
  assert.ok(lines.includes("finished apply configmap/h"), lines.join("\n"));
  assert.deepEqual(await states(at), ["1 uninstalled", "2 deployed"]);
});

test("a namespace is made only when that is asked for", async () => {
  const at = startDeployCluster();
  const elsewhere = { name: "web", namespace: "shop" };
  const request = { release: elsewhere, manifests: read(configMap("a", "1").replace("{name: a,", "{name: a, namespace: shop,")) };
  assert.match((await linesOf(at, deploy(request, at.cluster, options()))).at(-1)!, /^! .*there is no namespace shop/);
  assert.equal((await linesOf(at, deploy({ ...request, createNamespace: true }, at.cluster, options()))).at(-1), "deployed");
});

test("a release may contain its own namespace, and does not adopt an existing one", async () => {
  const at = startDeployCluster();
  const shopRelease = { name: "web", namespace: "shop" };
  const own = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: red}}\n";
  const elsewhere = configMap("a", "1").replace("{name: a,", "{name: a, namespace: default,");
  const nowhere = await linesOf(at, deploy({ release: shopRelease, manifests: read(elsewhere) }, at.cluster, options()));
  assert.match(nowhere.at(-1)!, /^! release web has no place: there is no namespace shop: make it with --create-namespace/);
  const lines = await linesOf(at, deploy({ release: shopRelease, manifests: read(own + configMap("a", "1")) }, at.cluster, options()));
  assert.equal(lines.at(-1), "deployed");
  const made = await at.clock.until(at.cluster.find({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "shop" }));
  assert.equal(made?.metadata.labels?.["team"], "red");
});

test("test hooks run by themselves only, and their result is recorded", async () => {
  const at = startDeployCluster(failing);
  const source = configMap("a", "1") + job("t", "{helm.sh/hook: test}") + job("u", "{helm.sh/hook: test}", "bad");
  assert.ok(!(await linesOf(at, deploying(at, source))).some((line) => line.includes("job/")));
  const lines = await linesOf(at, testRelease({ release }, at.cluster, options()));
  assert.deepEqual(lines.slice(0, 2), ["finished apply job/t", "finished await job/t"]);
  assert.match(lines.at(-1)!, /^failed: job\/u: /);
  const [revision] = await at.clock.until(historyOf(at.cluster).revisions(release));
  assert.deepEqual(
    revision!.hooks.map(({ name, lastRun }) => `${name} ${lastRun.phase}`),
    ["t Succeeded", "u Failed"],
  );
});

test("a release that is not there is said so, and where to look", async () => {
  const at = startDeployCluster();
  assert.deepEqual(await linesOf(at, uninstallRelease({ release }, at.cluster, options())), [
    "! find release web in default: there is no such release: sluice list -A shows all there are",
  ]);
});

test("the record of a failed deploy names every object that failed", async () => {
  const at = startDeployCluster(failing);
  const source = job("a", "{}", "bad") + job("b", "{}", "bad") + job("c", "{}");
  await linesOf(at, deploying(at, source));
  const [revision] = await at.clock.until(historyOf(at.cluster).revisions(release));
  assert.match(revision?.description ?? "", /^Release "web" failed: job\/[ab]: .*; job\/[ab]: /);
  assert.doesNotMatch(revision?.description ?? "", /job\/c/);
});

test("an upgrade prunes workloads in the background and waits for their pods", async () => {
  const lab = startDeployCluster();
  const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: old}
spec:
  selector: {matchLabels: {app: old}}
  template: {metadata: {labels: {app: old}}, spec: {containers: [{name: c, image: good}]}}
`;
  const run = (yaml: string, look?: (event: Progress) => void) =>
    linesOf(lab, deploy({ release, manifests: read(yaml) }, lab.cluster, { signal: never, identity: `tester-${++identities}` }), look);
  await run(configMap("kept", "1") + deployment);
  const plans: Plan[] = [];
  const lines = await run(configMap("kept", "1"), (event) => event.type === "planned" && plans.push(event.plan));
  assert.equal(lines.at(-1), "deployed");
  const actions = plans[0]!.steps.map(({ action }) => action);
  assert.deepEqual(
    actions.flatMap((action) => (action.verb === "delete" ? [action.propagation] : [])),
    ["background"],
  );
  assert.ok(actions.some((action) => action.verb === "await" && action.dependents === true && action.ref.name === "old"));
  const { items } = await lab.clock.until(lab.cluster.list({ group: "", version: "v1", kind: "Pod" }));
  assert.deepEqual(items, []);
});

test("an upgrade that was stopped after it has deleted a workload waits for its pods when it is carried on", async () => {
  const lab = startDeployCluster([{ match: { image: "good" }, terminate: "60s" }]);
  const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: old}
spec:
  selector: {matchLabels: {app: old}}
  template:
    metadata: {labels: {app: old}}
    spec: {terminationGracePeriodSeconds: 120, containers: [{name: c, image: good}]}
`;
  const run = (yaml: string, signal: AbortSignal, look?: (event: Progress) => void) =>
    linesOf(lab, deploy({ release, manifests: read(yaml) }, lab.cluster, { signal, identity: `tester-${++identities}` }), look);
  await run(configMap("kept", "1") + deployment, never);
  const stop = new AbortController();
  await run(configMap("kept", "2"), stop.signal, (event) => {
    if (event.type === "finished" && event.verb === "delete") stop.abort(new Error("stopped"));
  });
  await lab.clock.advance(2000);
  assert.equal((await run(configMap("kept", "2"), never)).at(-1), "deployed");
  const { items } = await lab.clock.until(lab.cluster.list({ group: "", version: "v1", kind: "Pod" }));
  assert.deepEqual(items, []);
});
