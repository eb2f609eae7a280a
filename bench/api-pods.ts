/** The Pods of the benchmark of API servers, some 3 KB each. A scheduling gate keeps controllers and kubelets away from them. */
import type { KubeObject } from "../src/core/object/index.ts";
import { encodeObject } from "../src/embedded/protobuf/index.ts";

/** How requests and answers are encoded. An apply is sent as JSON in both. */
export const encodings = { JSON: "application/json", protobuf: "application/vnd.kubernetes.protobuf" } as const;
export type Encoding = keyof typeof encodings;

/** `round` makes an apply a change. */
export function podNamed(namespace: string, name: string, round = 0): KubeObject {
  const probe = { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 10 };
  const container = (index: number) => ({
    name: `app-${index}`,
    image: `registry.example/team/app-${index}:1.2.${index}`,
    args: ["serve", "--port=8080", "--log-level=info"],
    ports: [{ name: index === 0 ? "http" : `http-${index}`, containerPort: 8080 + index }],
    env: Array.from({ length: 6 }, (_, at) => ({ name: `SETTING_${at}`, value: `value-${at}` })),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
    ...(index === 0 ? { livenessProbe: probe, readinessProbe: probe } : {}),
  });
  const labels = { "app.kubernetes.io/name": "app", "app.kubernetes.io/instance": name, tier: "web" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels, annotations: { "example.com/round": String(round) } },
    spec: {
      schedulingGates: [{ name: "example.com/never" }],
      containers: [container(0), container(1)],
      volumes: [{ name: "config", configMap: { name: "app" } }],
    },
  };
}

export function bodyOf(object: KubeObject, encoding: Encoding): Uint8Array {
  return encoding === "JSON" ? Buffer.from(JSON.stringify(object)) : encodeObject(object);
}
