import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { titleOf } from "../../core/object/index.ts";
import { orderFromNotation, placeTexts } from "../../../test/support/order/notation.ts";

const titles = (text: string) => orderFromNotation(text).ordered.map(({ ref }) => titleOf(ref));

const releases: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "werf's weights": [
    `StatefulSet database {werf.io/weight: "-1"}
     Job database-migrations
     Deployment app1 {werf.io/weight: "1"}
     Deployment app2 {werf.io/weight: "1"}`,
    [
      "main -1 statefulset/database until ready",
      "main 0 job/database-migrations until ready",
      "main 1 deployment/app1 until ready",
      "main 1 deployment/app2 until ready",
    ],
  ],
  "werf's CRD and its custom resource": [
    `CronTab daily
     CustomResourceDefinition crontabs.example.org {} | spec: {group: example.org, names: {kind: CronTab}}`,
    ["crds 0 customresourcedefinition/crontabs.example.org until ready", "main 0 crontab/daily until ready"],
  ],
  "werf's hook before the first installation": [
    `Job database-initialization {helm.sh/hook: pre-install}
     Deployment myapp`,
    ["pre-install 0 job/database-initialization until completed", "main 0 deployment/myapp until ready"],
  ],
  "werf's hooks by weight": [
    `Job third {helm.sh/hook: pre-install, helm.sh/hook-weight: "1"}
     Job second {helm.sh/hook: pre-install}
     Job first {helm.sh/hook: pre-install, helm.sh/hook-weight: "-1"}`,
    ["pre-install -1 job/first until completed", "pre-install 0 job/second until completed", "pre-install 1 job/third until completed"],
  ],
  "hooks of one weight by name": [
    `Job b {helm.sh/hook: post-install}
     ConfigMap c {helm.sh/hook: post-install}
     Job a {helm.sh/hook: post-install}
     Deployment d`,
    [
      "main 0 deployment/d until ready",
      "post-install 0 job/a until completed",
      "post-install 0 job/b until completed",
      "post-install 0 configmap/c until ready",
    ],
  ],
  "KOTS' phases: objects without annotations are in phase 0, and only applied": [
    `Deployment late {kots.io/creation-phase: "1"}
     Deployment plain
     CustomResourceDefinition myresources.example.com {kots.io/creation-phase: "-1", kots.io/deletion-phase: "1"}`,
    [
      "main -1 customresourcedefinition/myresources.example.com until applied",
      "main 0 deployment/plain until applied",
      "main 1 deployment/late until applied",
    ],
  ],
  "KOTS' wait for ready": [
    `StatefulSet postgresql {kots.io/wait-for-ready: 'true'}
     Deployment web`,
    ["main 0 deployment/web until applied", "main 0 statefulset/postgresql until kots-ready, barrier"],
  ],
  "KOTS' wait for properties": [
    `MyResource my-resource {kots.io/wait-for-properties: '.status.tasks.extract=true,.status.tasks.transform=true,.status.tasks.load=true'}`,
    ["main 0 myresource/my-resource until .status.tasks.extract=true & .status.tasks.transform=true & .status.tasks.load=true, barrier"],
  ],
  "hooks do not count when the only dialect is determined": [
    `Job h {helm.sh/hook: pre-install, werf.io/weight: "3"}
     Deployment plain
     Deployment late {kots.io/creation-phase: "1"}`,
    ["pre-install 3 job/h until completed", "main 0 deployment/plain until applied", "main 1 deployment/late until applied"],
  ],
  "both dialects share one axis, and objects without annotations are waited for until ready": [
    `Deployment w {werf.io/weight: "2"}
     Deployment k {kots.io/creation-phase: "1"}
     Deployment plain`,
    ["main 0 deployment/plain until ready", "main 1 deployment/k until applied", "main 2 deployment/w until ready"],
  ],
  "an external dependency is werf's too": [
    `Deployment k {kots.io/creation-phase: "1"}
     Deployment w {x.external-dependency.werf.io/resource: secret/s}
     Deployment plain`,
    ["main 0 deployment/w until ready", "main 0 deployment/plain until ready", "main 1 deployment/k until applied"],
  ],
  "Sluice's own words speak of one object alone": [
    `Deployment k {kots.io/creation-phase: "1"}
     Deployment g {sluice.dev/gate: ready}
     Deployment plain`,
    ["main 0 deployment/g until ready", "main 0 deployment/plain until applied", "main 1 deployment/k until applied"],
  ],
};

for (const [what, [objects, expected]] of Object.entries(releases)) {
  test(what, () => {
    const order = orderFromNotation(objects);
    assert.deepEqual(order.problems, []);
    assert.deepEqual(placeTexts(order), expected);
  });
}

/** Seed 003's list, without the kinds that are lists. */
const documented =
  "Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount Secret ConfigMap StorageClass PersistentVolume PersistentVolumeClaim ClusterRole ClusterRoleBinding Role RoleBinding Service DaemonSet Pod ReplicationController ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob Ingress APIService".split(
    " ",
  );

test("inside a rank kinds come in the documented order", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(documented, { minLength: documented.length }), (kinds) => {
      assert.deepEqual(
        titles(kinds.map((kind) => `${kind} x`).join("\n")),
        documented.map((kind) => `${kind.toLowerCase()}/x`),
      );
    }),
    { numRuns: 20 },
  );
});

test("kinds outside of the list take Helm's place, and then come last, by name", () => {
  assert.deepEqual(
    titles("Zebra z\nApple a\nValidatingWebhookConfiguration v\nAPIService s\nIngress i\nIngressClass c\nNamespace n\nPriorityClass p"),
    [
      "priorityclass/p",
      "namespace/n",
      "ingressclass/c",
      "ingress/i",
      "apiservice/s",
      "validatingwebhookconfiguration/v",
      "apple/a",
      "zebra/z",
    ],
  );
});

test("inside a kind objects stay as the documents have them", () => {
  assert.deepEqual(titles("Secret z\nSecret a\nSecret m"), ["secret/z", "secret/a", "secret/m"]);
});

const refs = (text: string, scope?: "cluster" | "namespaced") =>
  orderFromNotation(text, scope === undefined ? {} : { scopeOf: () => scope }).ordered.map(({ ref }) => ref.namespace);

test("objects live in the release's namespace, in their own, or in none", () => {
  assert.deepEqual(refs("Secret s"), ["default"]);
  assert.deepEqual(refs("Secret shop/s"), ["shop"]);
  assert.deepEqual(refs("ClusterRole shop/r"), [""]);
  assert.deepEqual(refs("MyResource m", "cluster"), [""]);
  const crd = "CustomResourceDefinition d {} | spec: {group: example.com, scope: Cluster, names: {kind: MyResource}}";
  assert.deepEqual(refs(`${crd}\nMyResource m`), ["", ""]);
});

test("whatever the order of the documents, ranks ascend and no object is lost", () => {
  const object = fc.record({
    rank: fc.integer({ min: -3, max: 3 }),
    kind: fc.constantFrom("Secret", "Deployment", "Job"),
    key: fc.constantFrom("werf.io/weight", "kots.io/creation-phase"),
  });
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 12 }), (objects) => {
      const lines = objects.map(({ rank, kind, key }, at) => `${kind} o${at} {${key}: "${rank}"}`);
      const { ordered, problems } = orderFromNotation(lines.join("\n"));
      const ranks = ordered.map(({ constraints }) => constraints.rank);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(ordered.map(({ ref }) => ref.name)).size, objects.length);
    }),
    { numRuns: 50 },
  );
});

test("an order survives JSON, but for where its manifests stand", () => {
  const { ordered } = orderFromNotation('Deployment d {werf.io/weight: "1", kots.io/wait-for-properties: ".a=1"}');
  assert.deepEqual(JSON.parse(JSON.stringify(ordered[0]!.constraints)), ordered[0]!.constraints);
});
