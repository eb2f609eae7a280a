import { claimedObjectsOf, isOwnedBy, owningProfile, type ProfileRef } from "../../deploy/index.ts";
import { owningProfileOf, reasonLabel } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { isForbidden, isNotFound, isUnknownKind } from "../../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

type Options = { readonly signal: AbortSignal };
/** Objects whose marks name an owner, by `keyOf`: reduced to these marks. */
type MarkedObjects = ReadonlyMap<string, KubeObject>;
type ClusterAudit = { readonly done: Set<string>; readonly marked: Map<string, Promise<MarkedObjects>> };

/** How long a list of marked objects is kept for the other ClusterSummaries of a cluster. */
const keptMs = 60_000;

/**
 * Looks at the owners of deployed objects once for each connection to a cluster. Since writes are conditional, an object does not
 * change its owner unnoticed; but an older version, another tool or a hand may have left marks that name somebody else.
 */
export class OwnershipAudit {
  readonly #audits = new WeakMap<ClusterConnection, ClusterAudit>();

  /** The objects of a ClusterSummary that name another owner. Gives them once; afterwards there are none. */
  async takeForeignObjects(
    summary: KubeObject,
    key: SummaryKey,
    connection: ClusterConnection,
    options: Options,
  ): Promise<readonly ObjectRef[]> {
    const audit = this.#auditOf(connection);
    const owner = owningProfile(summary);
    if (owner === undefined || audit.done.has(summaryIdentity(key))) return [];
    const found: ObjectRef[] = [];
    for (const refs of Map.groupBy(claimedObjectsOf(summary), kindName).values()) {
      const marked = await this.#marked(audit, refs[0]!, connection, options);
      found.push(...refs.filter((ref) => isForeign(marked.get(keyOf(ref)), owner)));
    }
    audit.done.add(summaryIdentity(key));
    return found;
  }

  #auditOf(connection: ClusterConnection): ClusterAudit {
    const known = this.#audits.get(connection) ?? { done: new Set<string>(), marked: new Map<string, Promise<MarkedObjects>>() };
    this.#audits.set(connection, known);
    return known;
  }

  /** One list of a kind serves all ClusterSummaries that ask for it together. */
  #marked({ marked }: ClusterAudit, kind: GroupVersionKind, connection: ClusterConnection, options: Options): Promise<MarkedObjects> {
    const name = kindName(kind);
    const known = marked.get(name);
    if (known !== undefined) return known;
    const listing = listMarked(kind, connection, options);
    marked.set(name, listing);
    listing.catch(() => marked.delete(name));
    connection.cluster.clock.after(keptMs, () => marked.delete(name), { background: true });
    return listing;
  }
}

async function listMarked(kind: GroupVersionKind, { cluster }: ClusterConnection, { signal }: Options): Promise<MarkedObjects> {
  const found = new Map<string, KubeObject>();
  try {
    for await (const { items } of cluster.pages(kind, { labelSelector: `${reasonLabel}=Resources`, signal })) {
      for (const { metadata } of items) {
        const { name, namespace = "", annotations = {}, ownerReferences = [] } = metadata;
        const marks = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace, annotations, ownerReferences } };
        if (owningProfileOf(marks) !== undefined) found.set(keyOf(refOf(marks)), marks);
      }
    }
  } catch (error) {
    // What may not be listed, or is not served any more, cannot be looked at.
    if (!isForbidden(error) && !isUnknownKind(error) && !isNotFound(error)) throw error;
  }
  return found;
}

function isForeign(marks: KubeObject | undefined, owner: ProfileRef): boolean {
  return marks !== undefined && !isOwnedBy(marks, owner);
}

function kindName({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
