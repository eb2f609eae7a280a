import assert from "node:assert/strict";
import { test } from "node:test";
import { titleOf } from "../../core/object/index.ts";
import { gateNotation, orderFromNotation } from "../../../test/support/order/notation.ts";

const pod = (spec: string) => `spec: {template: {spec: {containers: [{name: c}], ${spec}}}}`;
const container = (fields: string) => `spec: {template: {spec: {containers: [{name: c, ${fields}}]}}}`;

/** The first object's implied needs, as `kind/name gate (why)`. */
const cases: Readonly<Record<string, readonly [string, string]>> = {
  namespace: ["ConfigMap shop/c\nNamespace shop", "namespace/shop ready (its namespace)"],
  CRD: [
    "MyResource m\nCustomResourceDefinition d {} | spec: {group: example.com, names: {kind: MyResource}}",
    "customresourcedefinition/d ready (its kind)",
  ],
  "env from a ConfigMap": [
    `Deployment d {} | ${container("env: [{valueFrom: {configMapKeyRef: {name: x}}}]")}\nConfigMap x`,
    "configmap/x applied (an environment variable of it)",
  ],
  "env from a Secret": [
    `Job d {} | ${container("env: [{valueFrom: {secretKeyRef: {name: x}}}]")}\nSecret x`,
    "secret/x applied (an environment variable of it)",
  ],
  envFrom: [
    `DaemonSet d {} | ${container("envFrom: [{configMapRef: {name: x}}, {secretRef: {name: k}}]")}\nConfigMap x\nSecret k`,
    "configmap/x applied (an environment variable of it), secret/k applied (an environment variable of it)",
  ],
  volumes: [
    `Deployment d {} | ${pod("volumes: [{configMap: {name: x}}, {secret: {secretName: k}}, {persistentVolumeClaim: {claimName: z}}]")}\nConfigMap x\nSecret k\nPersistentVolumeClaim z`,
    "configmap/x applied (a volume of it), secret/k applied (a volume of it), persistentvolumeclaim/z applied (a volume of it)",
  ],
  "projected volumes": [
    `Deployment d {} | ${pod("volumes: [{projected: {sources: [{configMap: {name: x}}, {secret: {name: k}}]}}]")}\nConfigMap x\nSecret k`,
    "configmap/x applied (a volume of it), secret/k applied (a volume of it)",
  ],
  "pull secrets": [`Deployment d {} | ${pod("imagePullSecrets: [{name: x}]")}\nSecret x`, "secret/x applied (its pull secret)"],
  "classes of a pod": [
    `Deployment d {} | ${pod("priorityClassName: p, runtimeClassName: r")}\nPriorityClass p\nRuntimeClass r`,
    "priorityclass/p applied (its priority class), runtimeclass/r applied (its runtime class)",
  ],
  "a pod of its own": [
    "Pod d {} | spec: {serviceAccountName: s, containers: []}\nServiceAccount s",
    "serviceaccount/s applied (its service account)",
  ],
  "a CronJob's pod": [
    "CronJob d {} | spec: {jobTemplate: {spec: {template: {spec: {serviceAccountName: s, containers: []}}}}}\nServiceAccount s",
    "serviceaccount/s applied (its service account)",
  ],
  "an account with its rights": [
    `Deployment d {} | ${pod("serviceAccountName: s")}\nServiceAccount s\nRoleBinding b {} | subjects: [{kind: ServiceAccount, name: s}]`,
    "serviceaccount/s applied (its service account), rolebinding/b applied (what its service account may do)",
  ],
  "an account of the same name elsewhere": [`Deployment d {} | ${pod("serviceAccountName: s")}\nServiceAccount shop/s`, ""],
  "a binding": [
    "RoleBinding b {} | roleRef: {kind: Role, name: r} && subjects: [{kind: ServiceAccount, name: s, namespace: shop}]\nRole r\nServiceAccount shop/s\nServiceAccount s",
    "role/r applied (its role), serviceaccount/s applied (its subject)",
  ],
  "a cluster's binding": [
    "ClusterRoleBinding b {} | roleRef: {kind: ClusterRole, name: r}\nClusterRole r",
    "clusterrole/r applied (its role)",
  ],
  "a StatefulSet": [
    "StatefulSet s {} | spec: {serviceName: x, volumeClaimTemplates: [{spec: {storageClassName: fast}}]}\nService x\nStorageClass fast",
    "service/x applied (its service), storageclass/fast applied (its storage class)",
  ],
  "a claim": [
    "PersistentVolumeClaim p {} | spec: {storageClassName: fast, volumeName: v}\nStorageClass fast\nPersistentVolume v",
    "storageclass/fast applied (its storage class), persistentvolume/v applied (its volume)",
  ],
  "an Ingress": [
    "Ingress i {} | spec: {ingressClassName: nginx, rules: [{http: {paths: [{backend: {service: {name: web}}}]}}], tls: [{secretName: t}]}\nIngressClass nginx\nService web\nSecret t",
    "ingressclass/nginx applied (its class), service/web applied (its backend), secret/t applied (its certificate)",
  ],
  "an autoscaler": [
    "HorizontalPodAutoscaler h {} | spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: s}}\nStatefulSet s",
    "statefulset/s applied (what it scales)",
  ],
  "a token's Secret": [
    "Secret t {kubernetes.io/service-account.name: s} | type: kubernetes.io/service-account-token\nServiceAccount s",
    "serviceaccount/s applied (its service account)",
  ],
  "what is not in the release": [`Deployment d {} | ${pod("serviceAccountName: s")}`, ""],
};

for (const [what, [objects, expected]] of Object.entries(cases)) {
  test(what, () => {
    const { ordered } = orderFromNotation(objects);
    const [kind, name] = objects.split(/\s/).slice(0, 2);
    const first = ordered.find(({ ref }) => ref.kind === kind && ref.name === name!.split("/").at(-1))!;
    const shown = first.constraints.needs.map(({ target, gate, because, implied }) => {
      assert.equal(implied, true);
      return `${titleOf({ kind: target.kind!, name: target.name! })} ${gateNotation(gate)} (${because})`;
    });
    assert.equal(shown.join(", "), expected);
  });
}

const needsOf = (objects: string, name: string) =>
  orderFromNotation(objects)
    .ordered.find(({ ref }) => ref.name === name)!
    .constraints.needs.filter(({ implied }) => implied === true).length;

const mounts = pod("volumes: [{configMap: {name: c}}]");

test("an implied need yields to annotations", () => {
  assert.equal(needsOf(`Deployment d {} | ${mounts}\nConfigMap c`, "d"), 1);
  assert.equal(needsOf(`Deployment d {} | ${mounts}\nConfigMap c {werf.io/weight: "-5"}`, "d"), 1);
  assert.equal(needsOf(`Deployment d {} | ${mounts}\nConfigMap c {werf.io/weight: "5"}`, "d"), 0);
  assert.equal(needsOf(`Deployment d {helm.sh/hook: pre-install} | ${mounts}\nConfigMap c`, "d"), 0);
  const waits = `{werf.io/deploy-dependency-x: "state=ready,kind=Deployment,name=d"}`;
  assert.equal(needsOf(`Deployment d {} | ${mounts}\nConfigMap c ${waits}`, "d"), 0);
  assert.equal(
    needsOf(
      `Deployment d {} | ${mounts}\nConfigMap c ${waits}\nConfigMap e\nDeployment f {} | ${pod("volumes: [{configMap: {name: e}}]")}`,
      "f",
    ),
    1,
  );
});

/** The warnings, after the object's title. */
const warned: Readonly<Record<string, readonly [string, RegExp | undefined]>> = {
  "a weight that comes too late": [
    `Deployment d {} | ${mounts}\nConfigMap c {werf.io/weight: "5"}`,
    /^deployment\/d: the wait for it never ends: configmap\/c, a volume of it, comes only after it \(rank 5 \(werf\.io\/weight\) is after rank 0\): give configmap\/c an earlier place$/,
  ],
  "a later phase holds up nothing": [`Deployment d {} | ${mounts}\nConfigMap c {kots.io/creation-phase: "5"}`, undefined],
  "a pre hook that needs what is main": [
    `Job j {helm.sh/hook: pre-install} | ${mounts}\nConfigMap c`,
    /^job\/j: the wait for it never ends: configmap\/c, .*main resources come after pre hooks/,
  ],
  "a post hook that main resources need": [
    `Deployment d {} | ${mounts}\nConfigMap c {helm.sh/hook: post-install}`,
    /^deployment\/d: the wait for it never ends: configmap\/c, .*post hooks .* come after main resources/,
  ],
  "an optional reference holds up nothing": [
    `Deployment d {} | ${pod("volumes: [{configMap: {name: c, optional: true}}]")}\nConfigMap c {werf.io/weight: "5"}`,
    undefined,
  ],
  "a kind that comes too late": [
    "MyResource m\nCustomResourceDefinition d {werf.io/weight: '1'} | spec: {group: example.com, names: {kind: MyResource}}",
    /^myresource\/m: it cannot be applied: customresourcedefinition\/d, its kind, comes only after it/,
  ],
  "a Service waited for before its pods": [
    "Service s {kots.io/wait-for-ready: 'true'} | spec: {selector: {app: web}}\nDeployment d {} | spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}",
    /^service\/s: the wait for it never ends: its pods come only after it, from deployment\/d \(kots\.io\/wait-for-ready holds back all that is sorted after it\): wait for deployment\/d instead$/,
  ],
  "a Service whose pods come first": [
    "Service s {kots.io/wait-for-ready: 'true', kots.io/creation-phase: '1'} | spec: {selector: {app: web}}\nDeployment d {} | spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}",
    undefined,
  ],
  "a Service of other pods": [
    "Service s {kots.io/wait-for-ready: 'true'} | spec: {selector: {app: db}}\nDeployment d {} | spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}",
    undefined,
  ],
  "a volume claim that waits for its first consumer": [
    `StorageClass late {} | volumeBindingMode: WaitForFirstConsumer\nPersistentVolumeClaim p {werf.io/weight: "-1"} | spec: {storageClassName: late}\nDeployment d {} | ${pod("volumes: [{persistentVolumeClaim: {claimName: p}}]")}`,
    /^persistentvolumeclaim\/p: the wait for it never ends: it is bound for its first consumer, and that comes only after it, from deployment\/d/,
  ],
  "a volume claim that binds at once": [
    `StorageClass now {} | volumeBindingMode: Immediate\nPersistentVolumeClaim p {werf.io/weight: "-1"} | spec: {storageClassName: now}\nDeployment d {} | ${pod("volumes: [{persistentVolumeClaim: {claimName: p}}]")}`,
    undefined,
  ],
  "Argo CD's waves": [
    `Deployment d {argocd.argoproj.io/sync-wave: "1"}`,
    /^deployment\/d: argocd\.argoproj\.io\/sync-wave is an annotation of Argo CD, which is not supported: it has no effect/,
  ],
  "kapp's groups": ["Deployment d {kapp.k14s.io/change-group: a}", /an annotation of kapp, which is not supported/],
  "cli-utils' edges": [
    "Deployment d {config.kubernetes.io/depends-on: /namespaces/a/Pod/b}",
    /an annotation of cli-utils, kpt and Config Sync/,
  ],
  "Helm's proposal": ["Deployment d {helm.sh/resource-group: a}", /an annotation of Helm's proposal HIP-0025/],
  "a typing error": [
    "Deployment d {werf.io/wieght: '1'}",
    /^deployment\/d: werf\.io\/wieght is no annotation of werf and has no effect: did you mean werf\.io\/weight\?$/,
  ],
  "an unknown key": [
    "Deployment d {kots.io/flux-compensator: '1'}",
    /kots\.io\/flux-compensator is no annotation of KOTS and has no effect$/,
  ],
  "keys that order nothing": ["Deployment d {helm.sh/chart: web-1, kots.io/app-slug: a, werf.io/version: v2, example.com/x: z}", undefined],
  "a hook's weight without a hook": [
    "Deployment d {helm.sh/hook-weight: '1'}",
    /helm\.sh\/hook-weight has no effect without helm\.sh\/hook: use werf\.io\/weight/,
  ],
  "a phase on a hook": [
    "Job j {helm.sh/hook: pre-install, kots.io/creation-phase: '1'}",
    /kots\.io\/creation-phase has no effect on a hook/,
  ],
};

for (const [what, [objects, expected]] of Object.entries(warned)) {
  test(`${what}: ${expected === undefined ? "no warning" : "a warning"}`, () => {
    const { warnings, problems } = orderFromNotation(objects);
    assert.deepEqual(problems, []);
    assert.equal(warnings.length, expected === undefined ? 0 : 1, JSON.stringify(warnings));
    if (expected !== undefined) assert.match(warnings[0]!.message, expected);
  });
}
