import { isNotFound, type Cluster } from "../../kube/index.ts";
import { groupVersionOf } from "../../core/object/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { LookupQuery } from "../render/index.ts";

/**
 * What a cluster answers to a template's `lookup`: an object, a list where no name is asked for, or nothing. A kind that is
 * not there and a question that is refused are errors of the template that asks. Models helm pkg/engine/lookup_func.go
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
    // Nothing that lives in a namespace is found without one.
    if (resource.namespaced && place === "") return undefined;
    return await cluster.find({ ...resource, namespace: place, name }, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return isNotFound(error) ? undefined : new GoError(error.message, { cause: error });
  }
}
