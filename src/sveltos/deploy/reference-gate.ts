import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import { isForbidden } from "../../kube/index.ts";
import type { AddonContext, AddonTenant, ClusterSummaryScope, ReadReference } from "./addon-request.ts";

type Owner = ClusterSummaryScope["owner"];

/** A tenant refers to what it may not read. What the API server says names the verb, the resource and the namespace. */
export class ForbiddenReference extends Fault {
  constructor(tenant: string, cause: unknown) {
    super(`${tenant} in the management cluster`, cause);
    this.name = "ForbiddenReference";
  }
}

/** A Profile refers to what is not in its namespace. */
class DeniedReference extends Fault {
  constructor({ kind, namespace, name }: ObjectRef, owner: Owner, namespaced: boolean) {
    const found = namespaced ? `${kind} ${namespace}/${name} is in another one` : `${kind} ${name} is in none`;
    super(
      `Profile ${owner.namespace}/${owner.name} may refer to objects of its own namespace only, and ${found}; ` +
        `refer to an object in ${owner.namespace}, or deploy this with a ClusterProfile`,
      undefined,
      { final: true },
    );
    this.name = "DeniedReference";
  }
}

/**
 * The reader of everything in the management cluster that a profile refers to. A ClusterProfile is the word of those who run the
 * platform, and may refer to everything. A Profile is the word of whoever writes in its namespace, and may refer to that
 * namespace only; the controller, which reads for it, may read more. What is a tenant's word is read as the tenant.
 */
export function referenceReaderOf(
  { owner }: Pick<ClusterSummaryScope, "owner">,
  { hub, readReference, tenant }: AddonContext,
): ReadReference {
  const anything: ReadReference = readReference ?? ((ref, options) => hub.find(ref, options));
  const read = tenant === undefined ? anything : tenantReaderOf(tenant, anything);
  if (owner.kind === "ClusterProfile") return read;
  return async (ref, options) => {
    const namespaced = (await hub.discovery.find(ref))?.namespaced !== false;
    if (!namespaced || ref.namespace !== owner.namespace) throw new DeniedReference(ref, owner, namespaced);
    return read(ref, options);
  };
}

/**
 * Reads as the tenant. The first read, by the controller, is only there to follow changes. What a trigger of the tenant has
 * generated is not the tenant's to read in the management cluster, and is its own nevertheless.
 */
function tenantReaderOf({ hub, title, owns }: AddonTenant, read: ReadReference): ReadReference {
  return async (ref, options) => {
    const found = await read(ref, options);
    if (found !== undefined && owns(found)) return found;
    try {
      return await hub.find(ref, options);
    } catch (error) {
      if (isForbidden(error)) throw new ForbiddenReference(title, error);
      throw error;
    }
  };
}
