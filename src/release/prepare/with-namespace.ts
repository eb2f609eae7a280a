import type { KubeObject } from "../../core/object/index.ts";

/** The object with this namespace, or without one when it is empty. */
export function withNamespace(object: KubeObject, namespace: string): KubeObject {
  const { namespace: sent, ...metadata } = object.metadata;
  if (sent === namespace || (sent === undefined && namespace === "")) return object;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}
