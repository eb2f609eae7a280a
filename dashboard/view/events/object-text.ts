import type { ObjectName } from "../../../src/dashboard/api/index.ts";

/** `Service shop/web`. */
export function nameOf({ kind, namespace, name }: Pick<ObjectName, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}
