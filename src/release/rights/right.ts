import { fieldsAt, type KubeObject } from "../../core/object/index.ts";
import { isApiFault, type Cluster } from "../../kube/index.ts";
import { Semaphore } from "../track/index.ts";

/** Something that somebody may or may not do. */
export type Right = {
  readonly verb: "create" | "update" | "delete";
  readonly group: string;
  readonly resource: string;
  /** Default: the object itself. */
  readonly subresource?: string;
  readonly namespace: string;
  /** The objects by name. Nobody may create by name. */
  readonly names: readonly string[];
};

/** The maximum of concurrent requests. */
const maxConcurrency = 10;

/**
 * Asks the API server which of these rights are missing, by reviews, which change nothing. Returns each as
 * `delete configmaps in shop`. What cannot be asked is taken to be allowed.
 */
export async function missingOf(rights: readonly Right[], cluster: Cluster, signal: AbortSignal): Promise<readonly string[]> {
  const semaphore = new Semaphore(maxConcurrency);
  const mayDo = (right: Right, name?: string) => semaphore.run(() => review(right, name, cluster, signal));
  const missing = await Promise.all(
    rights.map(async (right) => {
      if (await mayDo(right)) return [];
      const allowed = await Promise.all(right.names.map((name) => mayDo(right, name)));
      const denied = right.names.filter((_name, at) => !allowed[at]);
      return right.names.length > 0 && denied.length === 0 ? [] : [rightText(right)];
    }),
  );
  return missing.flat();
}

async function review(right: Right, name: string | undefined, cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  const { names: _names, ...asked } = right;
  const resourceAttributes = { ...asked, ...(name === undefined ? {} : { name }) };
  // A review has no name, and none is stored.
  const object: KubeObject = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    metadata: { name: "" },
    spec: { resourceAttributes },
  };
  try {
    return fieldsAt(await cluster.create(object, { signal }), "status")["allowed"] === true;
  } catch (error) {
    if (isApiFault(error)) return true;
    throw error;
  }
}

function rightText({ verb, group, resource, subresource, namespace }: Right): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "" : ` in ${namespace}`;
  return `${verb} ${group === "" ? what : `${what}.${group}`}${where}`;
}
