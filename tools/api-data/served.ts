/**
 * Tells whether a version is served without being asked for: the stable ones.
 *
 * Models pkg/controlplane/instance.go DefaultAPIResourceConfigSource.
 */
export function isServed(version: string): boolean {
  return !/(alpha|beta)\d*$/.test(version);
}

/** Resources that a simulated cluster has no truth about: ComponentStatus asks the health ports of processes that do not exist. */
export const leftOut: ReadonlySet<string> = new Set(["componentstatuses"]);
