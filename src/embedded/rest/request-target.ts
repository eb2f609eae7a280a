/** The parts of an API path. Empty strings where it has none. */
export type RequestTarget = {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** The path itself asks for a watch. */
  readonly watch: boolean;
};

/** Subresources of a Namespace itself; anything else after its name is a resource inside it. */
const ofNamespaces = new Set(["status", "finalize"]);

/** The decoded part of a path; one that is no text stays as it is, and names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Parses `/api/v1/...` and `/apis/GROUP/VERSION/...`, the path without its query. Models apiserver
 * pkg/endpoints/request/requestinfo.go
 */
export function requestTargetOf(path: string): RequestTarget | undefined {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  const core = parts[0] === "api";
  if (!core && parts[0] !== "apis") return undefined;
  const [group, version, ...rest] = core ? ["", ...parts.slice(1)] : parts.slice(1);
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  // The deprecated path of watches, which servers still accept.
  const watch = rest[0] === "watch" && rest.length > 1;
  if (watch) rest.shift();
  const about = { group, version, watch };
  if (rest[0] !== "namespaces" || rest.length < 3 || (ofNamespaces.has(rest[2]!) && rest.length === 3)) {
    const [plural = "", name = "", ...subresource] = rest;
    return { ...about, namespace: "", plural, name, subresource: subresource.join("/") };
  }
  const [, namespace = "", plural = "", name = "", ...subresource] = rest;
  return { ...about, namespace, plural, name, subresource: subresource.join("/") };
}
