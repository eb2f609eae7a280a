import {
  applyRequest,
  configMap,
  configMapsPath,
  httpGet,
  namespacedPath,
  mergePatch,
  httpPost,
  httpPut,
  type ConformanceCase,
} from "../conformance-case.ts";

const one = `${configMapsPath}/a`;
const services = namespacedPath("v1", "services");
const svc = `${services}/s`;
const service = (ports: { name: string; port: number; protocol?: string; targetPort?: number }[], more = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { ports, ...more },
});
const deployment = (spec: { [field: string]: string | number | boolean }) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "example.com/good:1" }] } },
    ...spec,
  },
});
const web = namespacedPath("apps/v1", "deployments", "web");

/** Server-side apply: which manager owns a field, and which may change it. */
export const applyCases: readonly ConformanceCase[] = [
  {
    id: "apply/create",
    title: "apply creates what is not there",
    steps: [applyRequest(one, configMap("a", { data: { a: "1" } }, { labels: { x: "1" } })), httpGet(one)],
  },
  {
    id: "apply/no-op",
    title: "applying the same again keeps the version",
    steps: [applyRequest(one, configMap("a", { data: { a: "1" } })), applyRequest(one, configMap("a", { data: { a: "1" } }))],
  },
  {
    id: "apply/change",
    title: "a manager changes what it owns",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1", b: "1" } })),
      applyRequest(one, configMap("a", { data: { a: "2", c: "3" } })),
    ],
  },
  {
    id: "apply/conflict",
    title: "another manager's field is a conflict, by field and owner",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1", b: "1" } })),
      applyRequest(one, configMap("a", { data: { a: "2" } }), { manager: "two", expect: 409 }),
      applyRequest(one, configMap("a", { data: { a: "2", b: "2" } }), { manager: "two", expect: 409 }),
      applyRequest(one, configMap("a", { data: { a: "2" } }), { manager: "two", force: true }),
      applyRequest(one, configMap("a", { data: { a: "1", b: "1" } }), { expect: 409 }),
    ],
  },
  {
    id: "apply/conflict-with-update",
    title: "a field of a plain update is a conflict as well",
    steps: [
      httpPost(`${configMapsPath}?fieldManager=editor`, configMap("a", { data: { a: "1" } })),
      applyRequest(one, configMap("a", { data: { a: "2" } }), { expect: 409 }),
      applyRequest(one, configMap("a", { data: { a: "2" } }), { force: true }),
    ],
  },
  {
    id: "apply/shared",
    title: "the same value is owned together, and stays until no manager owns it",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1", b: "1" } })),
      applyRequest(one, configMap("a", { data: { a: "1" } }), { manager: "two" }),
      applyRequest(one, configMap("a", { data: { b: "1" } })),
      applyRequest(one, configMap("a"), { manager: "two" }),
    ],
  },
  {
    id: "apply/removal",
    title: "a field that its manager no longer applies is removed, unless another manager changed it",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1", b: "1", c: "1" } })),
      mergePatch(`${one}?fieldManager=editor`, { data: { b: "edited" } }),
      applyRequest(one, configMap("a", { data: { a: "1" } })),
    ],
  },
  {
    id: "apply/map-lists",
    title: "list items are owned by their keys, with default keys filled in",
    steps: [
      applyRequest(svc, service([{ name: "http", port: 80 }])),
      applyRequest(svc, service([{ name: "metrics", port: 9090, protocol: "TCP" }]), { manager: "two" }),
      applyRequest(svc, service([{ name: "other", port: 80, targetPort: 8080 }]), { manager: "three", expect: 409 }),
      applyRequest(svc, service([{ name: "web", port: 81 }])),
    ],
  },
  {
    id: "apply/set-lists",
    title: "members of a set are owned one by one",
    steps: [
      applyRequest(one, configMap("a", {}, { finalizers: ["example.com/a"] })),
      applyRequest(one, configMap("a", {}, { finalizers: ["example.com/b"] }), { manager: "two" }),
      applyRequest(one, configMap("a")),
      applyRequest(one, configMap("a"), { manager: "two" }),
    ],
  },
  {
    id: "apply/duplicate-keys",
    title: "a list with one key twice is refused",
    steps: [
      applyRequest(
        web,
        {
          ...deployment({ replicas: 0 }),
          spec: {
            replicas: 0,
            selector: { matchLabels: { app: "web" } },
            template: {
              metadata: { labels: { app: "web" } },
              spec: {
                containers: [
                  {
                    name: "c",
                    image: "example.com/good:1",
                    env: [
                      { name: "A", value: "1" },
                      { name: "A", value: "2" },
                    ],
                  },
                ],
              },
            },
          },
        },
        { expect: 500 },
      ),
    ],
  },
  {
    id: "apply/csa-to-ssa",
    title: "after a client-side apply the fields belong to that manager",
    steps: [
      httpPost(
        `${namespacedPath("apps/v1", "deployments")}?fieldManager=kubectl-client-side-apply`,
        deployment({ replicas: 0, paused: true }),
      ),
      applyRequest(web, deployment({ replicas: 1, paused: true }), { manager: "kubectl", expect: 409 }),
      applyRequest(web, deployment({ replicas: 0, paused: true }), { manager: "kubectl", show: ["spec", "metadata.managedFields.0"] }),
    ],
  },
  {
    id: "apply/before-first-apply",
    title: "an object whose managers were cleared gets them anew",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } })),
      mergePatch(one, { metadata: { managedFields: [{}] } }),
      applyRequest(one, configMap("a", { data: { b: "1" } })),
    ],
  },
  {
    id: "apply/refused",
    title: "what cannot be applied is refused",
    steps: [
      { call: `PATCH ${one}`, body: configMap("a"), headers: { "content-type": "application/apply-patch+yaml" }, expect: 422 },
      applyRequest(one, configMap("b"), { expect: 400 }),
      applyRequest(one, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }, { expect: 400 }),
      applyRequest(one, { metadata: { name: "a" } }, { expect: 400 }),
      applyRequest(one, configMap("a", {}, { managedFields: [{ manager: "x", operation: "Apply", apiVersion: "v1" }] }), { expect: 400 }),
      applyRequest(one, configMap("a", { data: { a: 1 } }), { expect: 500 }),
      applyRequest(one, configMap("a", { bogus: 1 }), { expect: 500 }),
    ],
  },
  {
    id: "apply/resource-version",
    title: "an apply that names a version is checked against it",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1" } }), { capture: { rv: "metadata.resourceVersion" } }),
      applyRequest(one, configMap("a", { data: { a: "2" } }, { resourceVersion: "{rv}" })),
      applyRequest(one, configMap("a", { data: { a: "3" } }, { resourceVersion: "{rv}" }), { expect: 409 }),
      applyRequest(`${configMapsPath}/zz`, configMap("zz", {}, { resourceVersion: "{rv}" })),
    ],
  },
  {
    id: "apply/dry-run",
    title: "an apply can be a dry run, conflicts included",
    steps: [
      applyRequest(`${one}?dryRun=All`, configMap("a", { data: { a: "1" } })),
      httpGet(one, { expect: 404 }),
      applyRequest(one, configMap("a", { data: { a: "1" } })),
      applyRequest(`${one}?dryRun=All`, configMap("a", { data: { a: "2" } }), { manager: "two", expect: 409 }),
    ],
  },
  {
    id: "apply/update-then-apply",
    title: "an update takes over the fields that it changes, and drops those it removes",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1", b: "1" } }, { labels: { x: "1" } })),
      httpPut(`${one}?fieldManager=editor`, configMap("a", { data: { a: "2" } }, { labels: { x: "1" } })),
      applyRequest(one, configMap("a", { data: { a: "2" } })),
    ],
  },
  {
    id: "apply/nested-removal",
    title: "dropping a whole map drops what was owned in it",
    steps: [
      applyRequest(one, configMap("a", { data: { a: "1" } }, { labels: { x: "1" }, annotations: { y: "1" } })),
      applyRequest(one, configMap("a", {}, { labels: { x: "1" } })),
      applyRequest(one, configMap("a")),
    ],
  },
  {
    id: "apply/defaults-are-nobodys",
    title: "defaults are not owned by who applies",
    steps: [
      applyRequest(web, deployment({ replicas: 0, paused: true }), { show: ["spec", "metadata.managedFields.0", "metadata.generation"] }),
      applyRequest(web, deployment({ paused: true }), { show: ["spec.replicas", "metadata.generation"] }),
    ],
  },
  {
    id: "apply/embedded-atomic",
    title: "an atomic map is owned whole",
    steps: [
      applyRequest(svc, service([{ name: "http", port: 80 }], { selector: { a: "1" } })),
      applyRequest(svc, service([{ name: "http", port: 80 }], { selector: { b: "1" } }), { manager: "two", expect: 409 }),
      applyRequest(svc, service([{ name: "http", port: 80 }], { selector: { b: "1" } }), { manager: "two", force: true }),
    ],
  },
];
