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
  /** Decides what annotations of ConfigMaps and Secrets mean: see `isInstantiated`. */
  readonly apiGeneration: ApiGeneration;
  /** May be a template over the cluster. */
  readonly eventSourceName: string;
  readonly sourceClusterSelector: LabelSelectorObject;
  readonly clusterSetRefs: readonly string[];
  /** Empty: none. Without it and `destinationCluster`, the destination is the cluster of the event. */
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
      apiGeneration: apiGenerationOf(object),
      ...spec,
    }));
  return mapReadResult(
    readSpecWith(object, eventBasedAddOnSpec, (spec) => spec),
    ({ clusterSelector = {}, sourceClusterSelector = clusterSelector, ...spec }) => ({
      metadata: object.metadata,
      kind: "EventBasedAddOn",
      apiGeneration: "A",
      sourceClusterSelector,
      ...spec,
    }),
  );
}

/** `apiVersion` is the version of the request. Only the form of the selectors shows the version in which it was written. */
function apiGenerationOf(object: KubeObject): ApiGeneration {
  const selectors = [valueAt(object, "spec.sourceClusterSelector"), valueAt(object, "spec.destinationClusterSelector")];
  return selectors.some((selector) => typeof selector === "string") ? "B" : "C";
}
