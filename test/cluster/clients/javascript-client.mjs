// Uses a cluster with the official JavaScript client, and prints what it sees: `javascript-client.mjs FOLDER KUBECONFIG NAMESPACE`,
// where FOLDER has the client in its node_modules.
import { createRequire } from "node:module";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";

const [folder, kubeconfig, namespace] = process.argv.slice(2);
const entry = createRequire(join(folder, "package.json")).resolve("@kubernetes/client-node");
const k8s = await import(pathToFileURL(entry).href);

const config = new k8s.KubeConfig();
config.loadFromFile(kubeconfig);
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const batch = config.makeApiClient(k8s.BatchV1Api);
const objects = k8s.KubernetesObjectApi.makeApiClient(config);
const longestMs = 120_000;

const show = (what, ...values) => process.stdout.write(`${[what, ...values.map((value) => JSON.stringify(value))].join(" ")}\n`);

async function refused(what, call) {
  try {
    await call();
    show(what, "not refused");
  } catch (error) {
    const { message, reason } = typeof error.body === "string" ? JSON.parse(error.body) : (error.body ?? error);
    show(what, error.code, reason, message);
  }
}

/** An informer of a collection, with what it has seen and a wait for one of its objects. */
async function informer(path, list) {
  const made = k8s.makeInformer(config, path, list);
  const seen = [];
  const checks = new Set();
  for (const type of ["add", "update", "delete"])
    made.on(type, (object) => {
      seen.push([type, object.metadata.name, object.data ?? null]);
      for (const check of checks) check(type, object);
    });
  // A stop aborts the watch.
  made.on("error", (error) => error.name === "AbortError" || show("informer failed", String(error)));
  await made.start();
  const until = (isDone) =>
    new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error(`${path}: nothing within ${longestMs} ms`)), longestMs);
      const check = (type, object) => {
        if (!isDone(type, object)) return;
        checks.delete(check);
        clearTimeout(tooLong);
        resolve(object);
      };
      checks.add(check);
      for (const object of made.list() ?? []) check("add", object);
    });
  return { seen, until, stop: () => made.stop() };
}

show("namespace", (await core.createNamespace({ body: { metadata: { name: namespace } } })).metadata.labels);
// A controller brings this one, sooner or later.
const brought = await informer(`/api/v1/namespaces/${namespace}/configmaps`, () => core.listNamespacedConfigMap({ namespace }));
await brought.until((_, object) => object.metadata.name === "kube-root-ca.crt");
await brought.stop();

// Create, get, list, watch, patch, apply, replace, delete.
const labelSelector = "app=x";
const maps = await informer(`/api/v1/namespaces/${namespace}/configmaps`, () => core.listNamespacedConfigMap({ namespace, labelSelector }));
const body = { metadata: { name: "one", labels: { app: "x" } }, data: { a: "1" } };
const made = await core.createNamespacedConfigMap({ namespace, body });
show("created", made.data, made.metadata.labels);
show("got", (await core.readNamespacedConfigMap({ name: "one", namespace })).data);
const page = await core.listNamespacedConfigMap({ namespace, limit: 1 });
const { _continue } = page.metadata;
const rest = await core.listNamespacedConfigMap({ namespace, limit: 1, _continue });
show(
  "listed",
  [...page.items, ...rest.items].map((item) => item.metadata.name),
  page.metadata.remainingItemCount,
);
const as = (strategy) => k8s.setHeaderOptions("Content-Type", strategy);
const patch = (content, strategy) => core.patchNamespacedConfigMap({ name: "one", namespace, body: content }, as(strategy));
show("merge patch", (await patch({ data: { b: "2" } }, k8s.PatchStrategy.MergePatch)).data);
show("json patch", (await patch([{ op: "remove", path: "/data/b" }], k8s.PatchStrategy.JsonPatch)).data);
show("strategic patch", (await patch({ data: { c: "4" } }, k8s.PatchStrategy.StrategicMergePatch)).data);
const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one", namespace }, data: { a: "3" } };
const apply = (force) => objects.patch(applied, undefined, undefined, "javascript", force, k8s.PatchStrategy.ServerSideApply);
await refused("apply", () => apply(false));
show("applied", (await apply(true)).data);
await refused("replace", () => core.replaceNamespacedConfigMap({ name: "one", namespace, body: made }));
show("dry run", (await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "two" } }, dryRun: "All" })).metadata.name);
const gone = maps.until((type) => type === "delete");
show("deleted", (await core.deleteNamespacedConfigMap({ name: "one", namespace })).status);
await gone;
await maps.stop();
show("informed", maps.seen);
await refused("get", () => core.readNamespacedConfigMap({ name: "one", namespace }));
await refused("invalid", () => core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "No" } } }));

// A Deployment becomes available, scales, and its pod's log is read.
const container = { name: "web", image: "example.com/good:1", command: ["sh", "-c", "echo ready; sleep 100000"] };
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [container] } };
const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template };
await objects.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace }, spec });
const deployments = await informer(`/apis/apps/v1/namespaces/${namespace}/deployments`, () => apps.listNamespacedDeployment({ namespace }));
show("available", (await deployments.until((_, web) => web.status?.availableReplicas === 2)).metadata.name);
const scale = await apps.readNamespacedDeploymentScale({ name: "web", namespace });
show("scale", scale.spec, scale.status);
scale.spec.replicas = 1;
show("scaled", (await apps.replaceNamespacedDeploymentScale({ name: "web", namespace, body: scale })).spec);
show("scaled down", (await deployments.until((_, web) => web.status?.replicas === 1)).metadata.name);
await deployments.stop();
const { items } = await core.listNamespacedPod({ namespace, labelSelector: "app=web" });
const running = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
show("logs", await Promise.all(running.map(({ metadata }) => core.readNamespacedPodLog({ name: metadata.name, namespace }))));

// A Job's pod is followed to its end.
const once = { name: "c", image: "example.com/done:1", command: ["sh", "-c", "echo one; echo two"] };
const jobSpec = { template: { spec: { restartPolicy: "Never", containers: [once] } } };
await batch.createNamespacedJob({ namespace, body: { metadata: { name: "once" }, spec: jobSpec } });
const jobs = await informer(`/apis/batch/v1/namespaces/${namespace}/jobs`, () => batch.listNamespacedJob({ namespace }));
show("complete", (await jobs.until((_, job) => job.status?.succeeded === 1)).metadata.name);
await jobs.stop();
const [pod] = (await core.listNamespacedPod({ namespace, labelSelector: "job-name=once" })).items;
const lines = new PassThrough();
const followed = lines.setEncoding("utf8").toArray();
await new k8s.Log(config).log(namespace, pod.metadata.name, "c", lines, { follow: true });
show("followed", (await followed).join(""));

// A custom resource by discovery.
const group = `${namespace}.example.com`;
const size = { type: "integer", maximum: 5, default: 1 };
const schema = { type: "object", properties: { spec: { type: "object", properties: { size } } } };
const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
const crdName = `widgets.${group}`;
const extensions = config.makeApiClient(k8s.ApiextensionsV1Api);
const crdSpec = { group, scope: "Namespaced", names: { plural: "widgets", kind: "Widget" }, versions: [version] };
await extensions.createCustomResourceDefinition({ body: { metadata: { name: crdName }, spec: crdSpec } });
const crds = await informer("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", () => extensions.listCustomResourceDefinition());
const isEstablished = ({ type, status }) => type === "Established" && status === "True";
await crds.until((_, crd) => crd.metadata.name === crdName && crd.status?.conditions?.some(isEstablished));
await crds.stop();
const widgets = config.makeApiClient(k8s.CustomObjectsApi);
const plural = { group, version: "v1", namespace, plural: "widgets" };
const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "w", namespace }, spec: {} };
show("widget", (await widgets.createNamespacedCustomObject({ ...plural, body: widget })).spec);
await refused("wrong widget", () =>
  widgets.patchNamespacedCustomObject({ ...plural, name: "w", body: { spec: { size: 9 } } }, as(k8s.PatchStrategy.MergePatch)),
);
show(
  "widgets",
  (await widgets.listNamespacedCustomObject(plural)).items.map((item) => item.metadata.name),
);
show("widget gone", (await widgets.deleteNamespacedCustomObject({ ...plural, name: "w" })).status);
await extensions.deleteCustomResourceDefinition({ name: crdName });

// Reviews and tokens.
const review = { spec: { resourceAttributes: { verb: "create", resource: "pods", namespace } } };
show("allowed", (await config.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview({ body: review })).status.allowed);
const request = { spec: { expirationSeconds: 600, audiences: ["https://kubernetes.default.svc"] } };
const { status } = await core.createNamespacedServiceAccountToken({ name: "default", namespace, body: request });
const tokenReview = { spec: { token: status.token } };
show("user", (await config.makeApiClient(k8s.AuthenticationV1Api).createTokenReview({ body: tokenReview })).status.user.username);
show("version", (await config.makeApiClient(k8s.VersionApi).getCode()).gitVersion);
await core.deleteNamespace({ name: namespace });
