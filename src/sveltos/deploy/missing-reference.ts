import { BadInput, Fault } from "../../core/fault/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** A referenced object does not exist. A retry cannot help before it does. */
export class MissingReference extends Fault {
  constructor(kind: string, namespace: string, name: string) {
    // Sveltos' message, which tools look for.
    super(`Referenced resource: ${kind} ${namespace === "" ? "" : `${namespace}/`}${name} does not exist`, undefined, { final: true });
    this.name = "MissingReference";
  }
}

/** The content has kinds that the cluster does not serve. A retry cannot help before it does. */
export class UnservedKinds extends Fault {
  override readonly name = "UnservedKinds";
  readonly kinds: readonly GroupVersionKind[];

  constructor(message: string, kinds: readonly GroupVersionKind[]) {
    super(message, undefined, { final: true });
    this.kinds = kinds;
  }
}

/** Rejected content may be accepted later: after a kind, a namespace or a right is added. Only kinds can be watched for. */
export function unservedFault(error: unknown, manifests: readonly ProfileManifest[]): unknown {
  if (!(error instanceof BadInput)) return error;
  const unserved = manifests.filter(({ served }) => !served).map(({ ref: { group, version, kind } }) => ({ group, version, kind }));
  return unserved.length > 0 ? new UnservedKinds(error.message, unserved) : new Fault(error.message);
}
