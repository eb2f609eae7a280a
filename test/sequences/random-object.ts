import type { Json } from "../../src/core/object/index.ts";
import type { Choice } from "./choice.ts";

type JsonFields = { readonly [field: string]: Json };

/** A kind of objects that no controller changes, so that two servers hold the same of them. */
export type RandomKind = {
  readonly apiVersion: string;
  readonly kind: string;
  /** The collection, with `{ns}` and `{group}` for the namespace and the group of the sequence. */
  readonly path: string;
  /** Controllers act on it: it is written by dry run alone. */
  readonly dryRunOnly?: boolean;
  readonly subresources: readonly string[];
  content(choice: Choice): JsonFields;
};

const text = (choice: Choice): Json => choice.of<Json>("", "a", "b", "x y", "ü", "1", "true", "null", "a\nb", null, 7, true);
const count = (choice: Choice): Json => choice.of<Json>(0, 1, 2, 5, -1, 2.5, "3", "10%", null, true);
const words = (choice: Choice): Json => choice.of<Json>([], ["a"], ["a", "b"], ["b", "a"], ["a", "a"], null, "a", [1]);
const labels = (choice: Choice): Json =>
  choice.of<Json>(
    {},
    { app: "web" },
    { app: "web", tier: "back" },
    { app: "" },
    { "a/b/c": "d" },
    { app: "-bad-" },
    { app: 1 },
    null,
    "app",
  );

const core = (kind: string, plural: string, content: RandomKind["content"], more: Partial<RandomKind> = {}): RandomKind => ({
  apiVersion: "v1",
  kind,
  path: `/api/v1/namespaces/{ns}/${plural}`,
  subresources: [],
  content,
  ...more,
});

const grouped = (apiVersion: string, kind: string, plural: string, content: RandomKind["content"], more: Partial<RandomKind> = {}) =>
  core(kind, plural, content, { apiVersion, path: `/apis/${apiVersion}/namespaces/{ns}/${plural}`, ...more });

function container(choice: Choice): Json {
  return {
    name: choice.of("main", "side", "Bad_Name"),
    image: choice.of("app:1", "app:2", ""),
    ...choice.some<Json>({
      env: choice.of<Json>([{ name: "A", value: "1" }], [{ value: "x" }], null),
      ports: choice.of<Json>([{ containerPort: 80 }], [{ containerPort: 80, name: "http", protocol: "UDP" }], [{ containerPort: 0 }], []),
      resources: choice.of<Json>({}, { limits: { cpu: "1" } }, { limits: { cpu: "1" }, requests: { cpu: "2" } }, { limits: { cpu: "x" } }),
    }),
  };
}

function podTemplate(choice: Choice): JsonFields {
  const metadata = choice.some<Json>({
    labels: choice.of<Json>({ app: "web" }, { app: "web", tier: "back" }, { app: "-bad-" }, { app: 1 }, null),
  });
  return {
    metadata,
    spec: {
      containers: choice.once(6) ? [] : [container(choice)],
      ...choice.some<Json>({ restartPolicy: choice.of("Always", "Never", "Some") }),
    },
  };
}

function workload(choice: Choice): JsonFields {
  const spec = choice.some<Json>({
    replicas: count(choice),
    selector: choice.once(4) ? { matchLabels: labels(choice) } : { matchLabels: { app: "web" } },
    template: podTemplate(choice),
    minReadySeconds: count(choice),
  });
  return { spec };
}

function service(choice: Choice): JsonFields {
  const port = choice.of<Json>(
    { port: 80 },
    { port: 80, name: "http" },
    { port: 81, name: "other", targetPort: "web" },
    { port: 0 },
    { port: "80" },
  );
  return {
    spec: {
      clusterIP: "None",
      ...choice.some<Json>({ ports: [port], selector: labels(choice), sessionAffinity: choice.of("None", "Some") }),
    },
  };
}

const verbs = (choice: Choice): Json => choice.of<Json>(["get"], ["get", "list"], [], ["*"], null);

/** The spec of Widgets, whose schema is in `widgetSchema`. */
function widget(choice: Choice): JsonFields {
  const spec = choice.some<Json>({
    size: count(choice),
    color: choice.of<Json>("red", "blue", "green", "", null, 5),
    replicas: count(choice),
    tags: words(choice),
    free: choice.of<Json>({ any: { deep: [1, { a: null }] } }, {}, null),
    parts: choice.of<Json>(
      [],
      [{ name: "a", size: 1 }],
      [{ name: "a" }, { name: "b" }],
      [{ name: "a" }, { name: "a" }],
      [{ size: 1 }],
      null,
    ),
    unknown: text(choice),
  });
  return { spec: choice.once(12) ? null : spec, ...(choice.once(4) ? { status: { phase: text(choice), replicas: count(choice) } } : {}) };
}

export const widgetSchema: JsonFields = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["color"],
      properties: {
        size: { type: "integer", minimum: 0, default: 1 },
        color: { type: "string", enum: ["red", "blue", ""] },
        replicas: { type: "integer" },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, nullable: true },
        parts: {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: { type: "string" }, size: { type: "integer", maximum: 3 } } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" }, replicas: { type: "integer" } } },
  },
};

export const randomKinds: readonly RandomKind[] = [
  core("ConfigMap", "configmaps", (choice) =>
    choice.some<Json>({
      data: choice.of<Json>({ a: text(choice) }, { a: "1", b: "2" }, {}, null, { "bad key": "x" }),
      immutable: choice.of<Json>(false, null, "x"),
      binaryData: choice.of<Json>({ b: "AAAA" }, { a: "!!" }, null),
    }),
  ),
  core("Secret", "secrets", (choice) =>
    choice.some<Json>({
      data: choice.of<Json>({ a: "YQ==" }, { a: "no base64" }, {}, null),
      stringData: { a: text(choice) },
      type: choice.of<Json>("Opaque", "example.com/x", "kubernetes.io/tls", null),
    }),
  ),
  core("Service", "services", service),
  core("LimitRange", "limitranges", (choice) => ({
    spec: {
      limits: choice.of<Json>(
        [{ type: "Container", default: { cpu: "1" } }],
        [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }],
        [{ type: "Pod", default: { cpu: "1" } }],
        null,
      ),
    },
  })),
  core("PodTemplate", "podtemplates", (choice) => ({ template: podTemplate(choice) })),
  core("Pod", "pods", (choice) => podTemplate(choice), { dryRunOnly: true }),
  grouped("apps/v1", "Deployment", "deployments", workload, { dryRunOnly: true }),
  grouped("apps/v1", "StatefulSet", "statefulsets", workload, { dryRunOnly: true }),
  grouped("apps/v1", "DaemonSet", "daemonsets", workload, { dryRunOnly: true }),
  grouped("rbac.authorization.k8s.io/v1", "Role", "roles", (choice) =>
    choice.some<Json>({
      rules: choice.of<Json>(
        [{ verbs: verbs(choice), apiGroups: [""], resources: ["pods"] }],
        [{ verbs: verbs(choice), nonResourceURLs: ["/x"] }],
        null,
      ),
    }),
  ),
  grouped("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", (choice) => ({
    spec: choice.some<Json>({
      podSelector: { matchLabels: labels(choice) },
      policyTypes: choice.of<Json>(["Ingress"], ["Egress", "Ingress"], ["Some"], null),
      ingress: choice.of<Json>([{}], [{ ports: [{ port: count(choice) }] }], []),
    }),
  })),
  grouped("coordination.k8s.io/v1", "Lease", "leases", (choice) => ({
    spec: choice.some<Json>({
      holderIdentity: text(choice),
      leaseDurationSeconds: count(choice),
      renewTime: choice.of<Json>("2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:00Z", "now", null),
    }),
  })),
  {
    apiVersion: "{group}/v1",
    kind: "Widget",
    path: "/apis/{group}/v1/namespaces/{ns}/widgets",
    subresources: ["status", "scale"],
    content: widget,
  },
];

export { labels as randomLabels, text as randomText };
