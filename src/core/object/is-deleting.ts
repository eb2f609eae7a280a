import type { KubeObject } from "./object.ts";

/** Deletion was requested; finalizers may still keep the object. */
export function isDeleting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
