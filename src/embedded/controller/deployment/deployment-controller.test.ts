import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt, numberAt, type KubeObject } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const deployments = "deployments.apps";
const sets = "replicasets.apps";
const revision = "deployment.kubernetes.io/revision";

function deployment(replicas: number, spec: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas, selector: appSelector, template: appPodTemplate("app:1"), ...spec },
  };
}

async function rolledOut(replicas: number, spec: object = {}): Promise<EmbeddedTestCluster> {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(deployments, deployment(replicas, spec));
  await cluster.settle();
  return cluster;
}

const setImage = (cluster: EmbeddedTestCluster, image: string) =>
  cluster.patch(deployments, "web", { spec: { template: appPodTemplate(image) } });

/** `app:1=8 app:2=5`: the sizes of the sets by their image, empty ones left out. */
async function sizes(cluster: EmbeddedTestCluster): Promise<string> {
  const all = (await cluster.list(sets)).map((set) => ({
    image: imageOf(fieldsAt(set, "spec.template")),
    replicas: numberAt(set, "spec.replicas", 0),
  }));
  return all
    .filter(({ replicas }) => replicas > 0)
    .map(({ image, replicas }) => `${image}=${replicas}`)
    .sort()
    .join(" ");
}

const imageOf = (from: unknown) => (from as { spec: { containers: { image: string }[] } }).spec.containers[0]?.image ?? "";
const conditionText = (object: KubeObject, type: string) => {
  const { status, reason, message } = findCondition(object, type) ?? { status: "", reason: "", message: "" };
  return `${status} ${reason}: ${message}`;
};

test("a first rollout ends complete and available", async () => {
  const cluster = await rolledOut(3);
  const web = await cluster.read(deployments, "web");
  const [set] = await cluster.list(sets);
  const { conditions: _conditions, ...counts } = fieldsAt(web, "status");
  assert.deepEqual(counts, {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
  });
  assert.equal(conditionText(web, "Available"), "True MinimumReplicasAvailable: Deployment has minimum availability.");
  assert.equal(
    conditionText(web, "Progressing"),
    `True NewReplicaSetAvailable: ReplicaSet "${set!.metadata.name}" has successfully progressed.`,
  );
  assert.equal(web.metadata.annotations?.[revision], "1");
  assert.match(set!.metadata.name, /^web-[456789bcdf]{6,10}$/);
  const hash = set!.metadata.name.slice(4);
  assert.deepEqual(set!.metadata.labels, { app: "web", "pod-template-hash": hash });
  assert.deepEqual(fieldsAt(set, "spec.selector"), { matchLabels: { app: "web", "pod-template-hash": hash } });
  assert.deepEqual(set!.metadata.annotations, {
    [revision]: "1",
    "deployment.kubernetes.io/desired-replicas": "3",
    "deployment.kubernetes.io/max-replicas": "4",
  });
});

test("conditions report a rollout in progress", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(deployments, deployment(3));
  await cluster.clock.advance(3);
  const [set] = await cluster.list(sets);
  assert.equal(
    conditionText(await cluster.read(deployments, "web"), "Progressing"),
    `True NewReplicaSetCreated: Created new replica set "${set!.metadata.name}"`,
  );
  await cluster.clock.advance(500);
  const web = await cluster.read(deployments, "web");
  assert.equal(conditionText(web, "Progressing"), `True ReplicaSetUpdated: ReplicaSet "${set!.metadata.name}" is progressing.`);
  assert.equal(conditionText(web, "Available"), "False MinimumReplicasUnavailable: Deployment does not have minimum availability.");
});

// The sequence of the example in the Kubernetes documentation for 10 replicas, a surge of 3 and 2 unavailable
// (pkg/controller/deployment/rolling.go reconcileOldReplicaSets names the same numbers).
test("an update scales up by maxSurge and down by maxUnavailable", async () => {
  const cluster = await rolledOut(10);
  await setImage(cluster, "app:2");
  await cluster.settle();
  const lines = await cluster.events("Deployment", "web");
  const scalings = lines.map((line) => /Scaled (\w+) replica set web-\w+ from (\d+) to (\d+)/.exec(line)?.slice(1).join(" "));
  assert.deepEqual(scalings.slice(0, 4), ["up 0 10", "up 0 3", "down 10 8", "up 3 5"]);
  assert.equal(await sizes(cluster), "app:2=10");
  const web = await cluster.read(deployments, "web");
  assert.equal(web.metadata.annotations?.[revision], "2");
  assert.equal(numberAt(web, "status.updatedReplicas"), 10);
});

test("an image that cannot be had stops the rollout, which fails at its deadline and is taken back", async () => {
  const cluster = await rolledOut(10);
  await setImage(cluster, "app:missing");
  await cluster.clock.advance(60_000);
  assert.equal(await sizes(cluster), "app:1=8 app:missing=5");
  assert.match(conditionText(await cluster.read(deployments, "web"), "Progressing"), /^True ReplicaSetUpdated/);
  await cluster.clock.advance(600_000);
  const stuck = await cluster.read(deployments, "web");
  const bad = (await cluster.list(sets)).find((set) => imageOf(fieldsAt(set, "spec.template")) === "app:missing")!;
  assert.equal(
    conditionText(stuck, "Progressing"),
    `False ProgressDeadlineExceeded: ReplicaSet "${bad.metadata.name}" has timed out progressing.`,
  );
  assert.equal(conditionText(stuck, "Available"), "True MinimumReplicasAvailable: Deployment has minimum availability.");

  await setImage(cluster, "app:1");
  await cluster.settle();
  assert.equal(await sizes(cluster), "app:1=10");
  const back = await cluster.read(deployments, "web");
  assert.equal(back.metadata.annotations?.[revision], "3");
  assert.match(conditionText(back, "Progressing"), /^True NewReplicaSetAvailable/);
  const good = (await cluster.list(sets)).find((set) => imageOf(fieldsAt(set, "spec.template")) === "app:1")!;
  assert.equal(good.metadata.annotations?.["deployment.kubernetes.io/revision-history"], "1");
});

test("a paused Deployment scales without a rollout; resuming continues the rollout", async () => {
  const cluster = await rolledOut(4);
  await cluster.patch(deployments, "web", { spec: { paused: true, template: appPodTemplate("app:2"), replicas: 6 } });
  await cluster.settle();
  const paused = await cluster.read(deployments, "web");
  assert.equal(await sizes(cluster), "app:1=6");
  assert.equal(conditionText(paused, "Progressing"), "Unknown DeploymentPaused: Deployment is paused");
  assert.equal(numberAt(paused, "status.updatedReplicas"), undefined);
  await cluster.patch(deployments, "web", { spec: { paused: false } });
  await cluster.settle();
  assert.equal(await sizes(cluster), "app:2=6");
  assert.match(conditionText(await cluster.read(deployments, "web"), "Progressing"), /^True NewReplicaSetAvailable/);
});

test("Recreate ends every old Pod before the first new one", async () => {
  const cluster = await rolledOut(3, {
    strategy: { type: "Recreate" },
    template: appPodTemplate("app:1", { "sim.sluice.dev/terminate-after": "5s" }),
  });
  await setImage(cluster, "app:2");
  const seen = new Set<string>();
  for (let step = 0; step < 200; step++) {
    await cluster.clock.advance(100);
    seen.add([...new Set((await cluster.list("pods")).map(imageOf))].sort().join("+"));
  }
  assert.deepEqual(
    [...seen],
    ["app:1", "", "app:2"].filter((images) => seen.has(images)),
  );
  assert.ok(!seen.has("app:1+app:2"));
  assert.equal(await sizes(cluster), "app:2=3");
});

test("old ReplicaSets are kept up to revisionHistoryLimit", async () => {
  const cluster = await rolledOut(1, { revisionHistoryLimit: 2 });
  for (const image of ["app:2", "app:3", "app:4", "app:5"]) {
    await setImage(cluster, image);
    await cluster.settle();
  }
  const images = (await cluster.list(sets)).map((set) => imageOf(fieldsAt(set, "spec.template")));
  assert.deepEqual(images.sort(), ["app:3", "app:4", "app:5"]);
});

test("a name that is taken makes the hash another one", async () => {
  const [taken] = await (await rolledOut(1)).list(sets);
  const cluster = new EmbeddedTestCluster();
  const squatter = {
    replicas: 0,
    selector: { matchLabels: { app: "other" } },
    template: { ...appPodTemplate("app:1"), metadata: { labels: { app: "other" } } },
  };
  await cluster.create(sets, { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: taken!.metadata.name }, spec: squatter });
  await cluster.create(deployments, deployment(1));
  await cluster.settle();
  const web = await cluster.read(deployments, "web");
  assert.equal(numberAt(web, "status.collisionCount"), 1);
  assert.equal(numberAt(web, "status.availableReplicas"), 1);
  assert.equal((await cluster.list(sets)).length, 2);
});

test("a ReplicaSet's failure to create Pods is a condition of the Deployment too", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create("resourcequotas", {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "few" },
    spec: { hard: { pods: "1" } },
  });
  await cluster.settle();
  await cluster.create(deployments, deployment(3));
  await cluster.clock.advance(20_000);
  assert.match(
    conditionText(await cluster.read(deployments, "web"), "ReplicaFailure"),
    /^True FailedCreate: pods "web-.*" is forbidden: exceeded quota: few/,
  );
});

test("a matching orphan ReplicaSet is adopted as the new one", async () => {
  const cluster = await rolledOut(2);
  await cluster.delete(deployments, "web", "Orphan");
  await cluster.settle();
  const [orphan] = await cluster.list(sets);
  assert.equal(orphan!.metadata.ownerReferences, undefined);
  await cluster.create(deployments, deployment(2));
  await cluster.settle();
  const all = await cluster.list(sets);
  assert.deepEqual(
    all.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.name]),
    [[orphan!.metadata.name, "web"]],
  );
  assert.equal((await cluster.list("pods")).length, 2);
});

test("a status that another client wrote is corrected", async () => {
  const cluster = await rolledOut(2);
  await cluster.patch(deployments, "web/status", { status: { readyReplicas: 1, availableReplicas: 1 } });
  const [set] = await cluster.list(sets);
  await cluster.patch(sets, `${set!.metadata.name}/status`, { status: { readyReplicas: 1, availableReplicas: 1 } });
  await cluster.settle();
  assert.equal(numberAt(await cluster.read(sets, set!.metadata.name), "status.readyReplicas"), 2);
  assert.equal(numberAt(await cluster.read(deployments, "web"), "status.readyReplicas"), 2);
});
