import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";

type Entries = Readonly<Record<string, string>>;

/**
 * Tells whether a change is about more than a status. What a profile's own controller adds to its metadata does not count
 * either: `counts` says which labels and annotations do.
 */
export function isSubstantial(change: ObjectChange, counts: (key: string) => boolean = () => true): boolean {
  if (change.type !== "modified") return true;
  const { object, previous } = change;
  const { generation, deletionTimestamp } = object.metadata;
  // Kinds that count no generations have no status to speak of.
  if (generation === undefined || generation !== previous.metadata.generation) return true;
  if (deletionTimestamp !== previous.metadata.deletionTimestamp) return true;
  return !equal(metadataThatCounts(object, counts), metadataThatCounts(previous, counts));
}

/** The labels by which a generated profile is found, and what is written on it for templates. */
export function isGeneratedMetadataKey(key: string): boolean {
  return key.startsWith("eventtrigger.lib.projectsveltos.io/") || key === "projectsveltos.io/rendered-from";
}

function metadataThatCounts({ metadata: { labels, annotations } }: KubeObject, counts: (key: string) => boolean): readonly Entries[] {
  return [labels, annotations].map((entries = {}) => Object.fromEntries(Object.entries(entries).filter(([key]) => counts(key))));
}
