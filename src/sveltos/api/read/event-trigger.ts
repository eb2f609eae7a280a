import { valueAt, type KubeObject, type LabelSelectorObject, type ObjectMeta } from "../../../core/object/index.ts";
import type { ApiGeneration } from "../annotation.ts";
import type { AddonContent } from "../kind/addon-content.ts";
import { eventBasedAddOnSpec, eventTriggerSpec, type Generator } from "../kind/event-trigger.ts";
import type { ObjectReference } from "../kind/reference.ts";
import { mapReadResult, readSpecWith, type ReadResult } from "./read-result.ts";

/** An EventTrigger or EventBasedAddOn of any generation: what is deployed, and where, when an event happens. */
export type EventTrigger = AddonContent & {
  readonly metadata: ObjectMeta;
  readonly kind: "EventTrigger" | "EventBasedAddOn";
  /** What annotations of the ConfigMaps and Secrets mean: see `isInstantiated`. */
  readonly generation: ApiGeneration;
  /** May be a template over the cluster. */
  readonly eventSourceName: string;
  readonly sourceClusterSelector: LabelSelectorObject;
  readonly clusterSetRefs: readonly string[];
  /** Empty: none. With neither it nor `destinationCluster`, only the cluster of the event is meant. */
  readonly destinationClusterSelector: LabelSelectorObject;
  /** Its fields may be templates. */
  readonly destinationCluster?: ObjectReference;
  readonly oneForEvent: boolean;
  /** A template for the name of the profile; empty: a generated name. */
  readonly profileNameFormat: string;
  readonly configMapGenerator: readonly Generator[];
  readonly secretGenerator: readonly Generator[];
};

/** Reads an EventTrigger, or an EventBasedAddOn, whose `clusterSelector` is the later `sourceClusterSelector`. */
export function readEventTrigger(object: KubeObject): ReadResult<EventTrigger> {
  if (object.kind !== "EventBasedAddOn")
    return readSpecWith(object, eventTriggerSpec, (spec) => ({
      metadata: object.metadata,
      kind: "EventTrigger",
      generation: apiGenerationOf(object),
      ...spec,
    }));
  return mapReadResult(
    readSpecWith(object, eventBasedAddOnSpec, (spec) => spec),
    ({ clusterSelector = {}, sourceClusterSelector = clusterSelector, ...spec }) => ({
      metadata: object.metadata,
      kind: "EventBasedAddOn",
      generation: "A",
      sourceClusterSelector,
      ...spec,
    }),
  );
}

/** The version in the object is the one in which it was asked for; only its shape tells in which it was written. */
function apiGenerationOf(object: KubeObject): ApiGeneration {
  const selectors = [valueAt(object, "spec.sourceClusterSelector"), valueAt(object, "spec.destinationClusterSelector")];
  return selectors.some((selector) => typeof selector === "string") ? "B" : "C";
}
