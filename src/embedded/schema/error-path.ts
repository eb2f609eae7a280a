// Paths as the API server prints them in causes. Models apimachinery pkg/util/validation/field/path.go

/** `spec.replicas`; a root without a name adds none. */
export function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** `spec.ports[0]`. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** `spec.labels[app]`. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}

/** The path of the root object has no name. */
export function printedPath(path: string): string {
  return path === "" ? "<nil>" : path;
}
