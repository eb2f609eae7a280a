import { stringAt, type KubeObject } from "../../core/object/index.ts";

/** The objects without these nodes and what ran there: their workloads have to find other nodes. */
export function withoutNodes(objects: readonly KubeObject[], names: readonly string[]): readonly KubeObject[] {
  if (names.length === 0) return objects;
  return objects.filter((object) => {
    if (object.kind === "Node") return !names.includes(object.metadata.name);
    return object.kind !== "Pod" || !names.includes(stringAt(object, "spec.nodeName", ""));
  });
}
