import type { KubeObject } from "./object.ts";

/** When the status of an object was last written, from managedFields; else when the object was created. */
export function statusTimeOf({ metadata }: KubeObject): string | undefined {
  const times = (metadata.managedFields ?? []).flatMap(({ subresource, time }) => (subresource === "status" ? (time ?? []) : []));
  return times.toSorted().at(-1) ?? metadata.creationTimestamp;
}
