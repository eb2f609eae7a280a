/** A cluster as a whole, by the fleet's key, or one EventSource in it. */
export type EventSourceKey = { readonly cluster: string; readonly eventSource?: string };

/** The identity of a key in the queue and in logs: `Sveltos/mgmt/c1`, `Sveltos/mgmt/c1 services`. */
export function eventSourceIdentity({ cluster, eventSource }: EventSourceKey): string {
  return eventSource === undefined ? cluster : `${cluster} ${eventSource}`;
}
