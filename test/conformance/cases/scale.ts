import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";

const template = {
  metadata: { labels: { app: "web" } },
  spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/good:1" }] },
};
const scale = (name: string, replicas: number, metadata: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name, ...metadata },
  spec: { replicas },
});
const kinds: readonly (readonly [string, string, string, { readonly [field: string]: Json }])[] = [
  ["apps/v1", "deployments", "Deployment", { paused: true, selector: { matchLabels: { app: "web" } } }],
  ["apps/v1", "replicasets", "ReplicaSet", { selector: { matchLabels: { app: "web" } } }],
  ["apps/v1", "statefulsets", "StatefulSet", { selector: { matchLabels: { app: "web" } }, serviceName: "none" }],
  ["v1", "replicationcontrollers", "ReplicationController", { selector: { app: "web" } }],
];

const shown = { show: ["spec", "metadata.managedFields", "kind", "apiVersion"] };

/** The replicas of everything that has them. */
export const scaleCases: readonly ConformanceCase[] = kinds.map(([apiVersion, resource, kind, spec]) => {
  const path = namespacedPath(apiVersion, resource);
  const at = `${path}/web/scale`;
  return {
    id: `scale/${resource}`,
    title: `a ${kind} is read and changed by its scale`,
    steps: [
      httpPost(path, { apiVersion, kind, metadata: { name: "web" }, spec: { replicas: 0, template, ...spec } }, { show: [] }),
      httpGet(at, { show: ["spec", "kind", "apiVersion", "metadata.name", "metadata.managedFields", "status.selector"] }),
      httpPut(at, scale("web", 2), shown),
      mergePatch(at, { spec: { replicas: 3 } }, shown),
      jsonPatch(at, [{ op: "replace", path: "/spec/replicas", value: 1 }], shown),
      strategicPatch(at, { spec: { replicas: 2 } }, shown),
      applyRequest(at, scale("web", 4), { expect: 409 }),
      applyRequest(at, scale("web", 4), { ...shown, force: true }),
      httpGet(`${path}/web`, { show: ["spec.replicas"] }),
      httpPut(`${at}?dryRun=All`, scale("web", 9), shown),
      httpPut(at, scale("web", -1), { expect: 422 }),
      httpPut(at, { ...scale("web", 1), spec: { replicas: "many" } }, { expect: 400 }),
      httpPut(at, scale("other", 1), { expect: 400 }),
      httpPut(at, scale("web", 1, { uid: "other" }), { expect: 409 }),
      httpPut(at, scale("web", 1, { resourceVersion: "1" }), { expect: 409 }),
      httpGet(`${path}/absent/scale`, { expect: 404 }),
      httpPut(`${path}/absent/scale`, scale("absent", 1), { expect: 404 }),
      mergePatch(`${path}/absent/scale`, { spec: { replicas: 1 } }, { expect: 404 }),
      httpPost(at, scale("web", 1), { expect: 405 }),
    ],
  };
});
