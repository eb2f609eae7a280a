import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { AddonContext, ClusterSummaryScope, ReadReference } from "./addon-request.ts";

type Owner = ClusterSummaryScope["owner"];

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
 * namespace only; the controller, which reads for it, may read more.
 */
export function referenceReaderOf({ owner }: Pick<ClusterSummaryScope, "owner">, { hub, readReference }: AddonContext): ReadReference {
  const read: ReadReference = readReference ?? ((ref, options) => hub.find(ref, options));
  if (owner.kind === "ClusterProfile") return read;
  return async (ref, options) => {
    const namespaced = (await hub.discovery.find(ref))?.namespaced !== false;
    if (!namespaced || ref.namespace !== owner.namespace) throw new DeniedReference(ref, owner, namespaced);
    return read(ref, options);
  };
}
