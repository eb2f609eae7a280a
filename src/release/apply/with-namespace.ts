import type { KubeObject } from "../../core/object/index.ts";

/** An object in a namespace, or in none when that is empty. */
export function withNamespace(object: KubeObject, namespace: string): KubeObject {
  const { namespace: sent, ...metadata } = object.metadata;
  if (sent === namespace || (sent === undefined && namespace === "")) return object;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}
