import type { KubeObject } from "../../core/object/index.ts";
import type { ProfileKind } from "../api/index.ts";

export function profileKindOf({ kind }: KubeObject): ProfileKind {
  return kind === "Profile" ? "Profile" : "ClusterProfile";
}
