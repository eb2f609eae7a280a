/** The path of a release, or of a revision of it, in the cluster that `serveClusters` serves. */
export function releasePath(name: string, more = ""): string {
  return `/c/sluice/releases/default/${name}${more}`;
}

/** The id of an object of the main stage in addresses and in the page. */
export function nodeId(group: string, kind: string, name: string): string {
  return ["main", group, kind, "default", name].join("/");
}
