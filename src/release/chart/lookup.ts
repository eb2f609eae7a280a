import { isNotFound, type Cluster } from "../../kube/index.ts";
import { groupVersionOf } from "../../core/object/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { LookupQuery } from "../render/index.ts";

/**
 * Answers `lookup` of templates: an object, a list when the name is empty, or nothing. An unknown kind or a refused
 * request fails the template. Models helm pkg/engine/lookup_func.go
 */
export async function lookUp(question: LookupQuery, cluster: Cluster, { signal }: { readonly signal: AbortSignal }): Promise<unknown> {
  const { apiVersion, kind, namespace, name } = question;
  try {
    const resource = await cluster.discovery.find({ ...groupVersionOf(apiVersion), kind });
    if (resource === undefined) return new GoError(`unable to get apiresource from unstructured: ${apiVersion}, Kind=${kind}`);
    const place = resource.namespaced ? namespace : "";
    if (name === "") {
      const { items, resourceVersion } = await cluster.list(resource, place === "" ? { signal } : { signal, namespace: place });
      return { apiVersion, kind: `${kind}List`, metadata: { resourceVersion }, items };
    }
    // A namespaced object is not found without a namespace.
    if (resource.namespaced && place === "") return undefined;
    return await cluster.find({ ...resource, namespace: place, name }, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return isNotFound(error) ? undefined : new GoError(error.message, { cause: error });
  }
}
