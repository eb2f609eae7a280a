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

/**
 * The text of a path: a slash may be written as `%2F` too. Bytes that are no text are replaced, and name nothing; what is not
 * well encoded stays as it is, for callers in this process. Models Go's net/url
 */
export function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
  }
}

/** Whether a path has an empty part, which no route of a built-in kind matches. One slash may end it. */
export function hasEmptyPart(path: string): boolean {
  return path.includes("//");
}

/**
 * Parses `/api/v1/...` and `/apis/GROUP/VERSION/...`, the decoded path without its query. Models apiserver
 * pkg/endpoints/request/requestinfo.go
 */
export function requestTargetOf(path: string): RequestTarget | undefined {
  const parts = path.split("/").filter((part) => part !== "");
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
    return { ...about, namespace: "", plural, name, subresource: subresourceOf(subresource) };
  }
  const [, namespace = "", plural = "", name = "", ...subresource] = rest;
  return { ...about, namespace, plural, name, subresource: subresourceOf(subresource) };
}

/** A proxy has a path of its own behind it. */
function subresourceOf(parts: readonly string[]): string {
  return parts[0] === "proxy" ? "proxy" : parts.join("/");
}
