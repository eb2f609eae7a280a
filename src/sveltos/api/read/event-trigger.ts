import { valueAt, type KubeObject, type LabelSelectorObject, type Metadata } from "../../../core/object/index.ts";
import type { Generation } from "../annotation.ts";
import type { Content } from "../kind/content.ts";
import { eventBasedAddOnSpec, eventTriggerSpec, type Generator } from "../kind/event-trigger.ts";
import type { ObjectReference } from "../kind/reference.ts";
import { mapReading, readWith, type Reading } from "./reading.ts";

/** An EventTrigger or EventBasedAddOn of any generation: what is deployed, and where, when an event happens. */
export type EventTrigger = Content & {
  readonly metadata: Metadata;
  readonly kind: "EventTrigger" | "EventBasedAddOn";
  /** What annotations of the ConfigMaps and Secrets mean: see `isInstantiated`. */
  readonly generation: Generation;
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
export function readEventTrigger(object: KubeObject): Reading<EventTrigger> {
  if (object.kind !== "EventBasedAddOn")
    return readWith(object, eventTriggerSpec, (spec) => ({
      metadata: object.metadata,
      kind: "EventTrigger",
      generation: generationOf(object),
      ...spec,
    }));
  return mapReading(
    readWith(object, eventBasedAddOnSpec, (spec) => spec),
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
function generationOf(object: KubeObject): Generation {
  const selectors = [valueAt(object, "spec.sourceClusterSelector"), valueAt(object, "spec.destinationClusterSelector")];
  return selectors.some((selector) => typeof selector === "string") ? "B" : "C";
}
