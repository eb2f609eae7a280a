import type { Json } from "../../../src/core/object/index.ts";
import { httpDelete, httpGet, httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const storageClasses = "/apis/storage.k8s.io/v1/storageclasses";
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const claims = namespacedPath("v1", "persistentvolumeclaims");
const pods = namespacedPath("v1", "pods");
const storageClass = (name: string, annotation: string) => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: `{unique}-${name}`, annotations: { [annotation]: "true" } },
  provisioner: "example.com/none",
});
const claim = (name: string, spec: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const shown = { show: ["spec.storageClassName", "metadata.annotations", "metadata.managedFields"] };
const priorityClass = (name: string, value: number, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name: `{unique}-${name}` },
  value,
  ...more,
});
const pod = (name: string, spec: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/good:1" }], ...spec },
});
const priority = { show: ["spec.priority", "spec.priorityClassName", "spec.preemptionPolicy"] };

/** Classes that count for the whole cluster, so that no other case may run meanwhile. */
export const defaultClassCases: readonly ConformanceCase[] = [
  {
    id: "admission/default-storage-class",
    title: "a claim without a class gets the newest default one",
    runsAlone: true,
    steps: [
      httpPost(storageClasses, storageClass("b", "storageclass.kubernetes.io/is-default-class"), { show: [] }),
      // The class that is made last comes first by its name too, which decides within one second.
      httpPost(storageClasses, storageClass("a", "storageclass.beta.kubernetes.io/is-default-class"), { show: [] }),
      // A server admits with caches that lag behind.
      httpPost(`${claims}?dryRun=All`, claim("none"), { until: { "spec.storageClassName": "{unique}-a" }, show: [] }),
      httpPost(claims, claim("none"), shown),
      httpPost(claims, claim("empty", { storageClassName: "" }), shown),
      httpPost(claims, claim("named", { storageClassName: "other" }), shown),
      httpDelete(`${storageClasses}/{unique}-a`, undefined, { show: [] }),
      httpDelete(`${storageClasses}/{unique}-b`, undefined, { show: [] }),
    ],
  },
  {
    id: "admission/default-priority-class",
    title: "there is one default priority class, which pods without one get",
    runsAlone: true,
    steps: [
      httpPost(priorityClasses, priorityClass("first", 100, { globalDefault: true, preemptionPolicy: "Never" }), { show: [] }),
      httpPost(`${pods}?dryRun=All`, pod("plain"), { until: { "spec.priorityClassName": "{unique}-first" }, show: [] }),
      httpPost(priorityClasses, priorityClass("second", 10, { globalDefault: true }), { expect: 403 }),
      httpPost(priorityClasses, priorityClass("third", 10), { show: [] }),
      mergePatch(`${priorityClasses}/{unique}-third`, { globalDefault: true }, { expect: 403 }),
      mergePatch(`${priorityClasses}/{unique}-first`, { description: "still the default" }, { show: ["globalDefault", "description"] }),
      httpPost(pods, pod("plain"), priority),
      httpPost(pods, pod("named", { priorityClassName: "{unique}-third" }), priority),
      httpPost(pods, pod("given", { priority: 5 }), { expect: 403 }),
      httpPost(pods, pod("policy", { preemptionPolicy: "PreemptLowerPriority" }), { expect: 403 }),
      httpDelete(`${priorityClasses}/{unique}-first`, undefined, { show: [] }),
      httpDelete(`${priorityClasses}/{unique}-third`, undefined, { show: [] }),
      httpGet(`${priorityClasses}/{unique}-first`, { expect: 404 }),
    ],
  },
];
