/** What the queue of events knows its work by: a cluster as a whole, or one EventSource in it. No name has a space in it. */
export function eventSourceKey(cluster: string, eventSource: string): string {
  return `${cluster} ${eventSource}`;
}

export function eventSourceKeyParts(key: string): { readonly cluster: string; readonly eventSource: string | undefined } {
  const [cluster = "", eventSource] = key.split(" ");
  return { cluster, eventSource };
}

export function clusterOfEventSourceKey(key: string): string {
  return eventSourceKeyParts(key).cluster;
}
