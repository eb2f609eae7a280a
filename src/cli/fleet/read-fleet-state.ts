import { gvkOf } from "../../sveltos/api/index.ts";
import { findControllerAbsence, type ControllerAbsence } from "../../sveltos/fleet/index.ts";
import { isApiFault, isForbidden, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { listReadable, unreadableText, type OnUnreadable, occurrenceKinds } from "../../sveltos/inspect/index.ts";

/** The objects of a management cluster whose statuses report failures, and the Events about them. */
export type FleetState = {
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeObject[];
  /** No controller runs, so that nothing changes any more. */
  readonly absence?: ControllerAbsence | undefined;
};

export const eventKind = { group: "", version: "v1", kind: "Event" };
export const ownEvents = "source=sluice";

/** Reads them with one list for each kind. What may not be read is left out, and `onUnreadable` is told. */
export async function readFleetState(hub: Cluster, onUnreadable: OnUnreadable, signal: AbortSignal): Promise<FleetState> {
  const lists = occurrenceKinds.map((kind) => listReadable(hub, kind, { signal }, onUnreadable));
  const [absence, events, ...objects] = await Promise.all([
    findControllerAbsence(hub, signal),
    listEvents(hub, onUnreadable, signal),
    ...lists,
  ]);
  return { objects: objects.flat(), events, absence };
}

async function listEvents(hub: Cluster, onUnreadable: OnUnreadable, signal: AbortSignal): Promise<readonly KubeObject[]> {
  try {
    return (await hub.list(eventKind, { fieldSelector: ownEvents, signal })).items;
  } catch (error) {
    if (!isApiFault(error) || !isForbidden(error)) throw error;
    onUnreadable(unreadableText("Event", error.explanation));
    return [];
  }
}

/** The kinds of the state, for those who watch them. */
export const watchedKinds = [...occurrenceKinds.map((kind) => gvkOf(kind)), eventKind];
