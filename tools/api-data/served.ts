/**
 * Tells whether a version is served without being asked for: the stable ones.
 *
 * Models pkg/controlplane/instance.go DefaultAPIResourceConfigSource.
 */
export function isServed(version: string): boolean {
  return !/(alpha|beta)\d*$/.test(version);
}
