import type { KubeObject } from "../../core/object/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { withReleaseOwner, type Release } from "../record/index.ts";
import { withNamespace } from "./with-namespace.ts";

/** A recorded object as the release applies it: in its namespace, and with the marks of its owner. */
export function asApplied({ item, ref, constraints }: Ordered<DesiredManifest>, release: Release): KubeObject {
  const object = withNamespace(item.object, ref.namespace);
  return constraints.ownership === "release" ? withReleaseOwner(object, release) : object;
}
