import { isTenantLabel } from "../../tenant/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";

type Entries = Readonly<Record<string, string>>;

/**
 * Whether a change is more than a change of the status. `counts` selects the labels and annotations that count: those that
 * the profile controller adds do not.
 */
export function isSubstantial(change: ObjectChange, counts: (key: string) => boolean = () => true): boolean {
  if (change.type !== "modified") return true;
  const { object, previous } = change;
  const { generation, deletionTimestamp } = object.metadata;
  // Kinds without generations have no status that matters here.
  if (generation === undefined || generation !== previous.metadata.generation) return true;
  if (deletionTimestamp !== previous.metadata.deletionTimestamp) return true;
  return !equal(metadataThatCounts(object, counts), metadataThatCounts(previous, counts));
}

/** Labels and annotations that this controller writes on generated profiles. */
export function isGeneratedMetadataKey(key: string): boolean {
  return key.startsWith("eventtrigger.lib.projectsveltos.io/") || key === "projectsveltos.io/rendered-from" || isTenantLabel(key);
}

function metadataThatCounts({ metadata: { labels, annotations } }: KubeObject, counts: (key: string) => boolean): readonly Entries[] {
  return [labels, annotations].map((entries = {}) => Object.fromEntries(Object.entries(entries).filter(([key]) => counts(key))));
}
