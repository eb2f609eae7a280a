/** Objects that tests of the client write. */
import type { KubeObject } from "../../src/core/object/index.ts";

export const configMapKind = { group: "", version: "v1", kind: "ConfigMap" };
export const deploymentKind = { group: "apps", version: "v1", kind: "Deployment" };
export const defaultNamespace = "default";

export const configMapObject = (name: string, data: Record<string, unknown> = {}, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: defaultNamespace, ...more },
  data,
});
export const configMapRef = (name: string) => ({ ...configMapKind, namespace: defaultNamespace, name });

export function deploymentObject(name: string, image: string, replicas: number): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: defaultNamespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}
