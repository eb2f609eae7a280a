/** Objects that tests of the client write. */
import type { KubeObject } from "../../src/core/object/index.ts";

export const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
export const deployments = { group: "apps", version: "v1", kind: "Deployment" };
export const namespace = "default";

export const configMap = (name: string, data: Record<string, unknown> = {}, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, ...more },
  data,
});
export const at = (name: string) => ({ ...configMaps, namespace, name });

export function deployment(name: string, image: string, replicas: number): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}
