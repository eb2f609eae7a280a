/** Slash-separated paths, as in Go's package path. */

/** The shortest equivalent path, computed lexically. */
export function cleanPath(path: string): string {
  if (path === "") return ".";
  const rooted = path.startsWith("/");
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!rooted) kept.push("..");
  }
  const joined = kept.join("/");
  return rooted ? `/${joined}` : joined === "" ? "." : joined;
}

/** The last element. */
export function baseOf(path: string): string {
  if (path === "") return ".";
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? "/" : trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** All but the last element. */
export function dirOf(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf("/") + 1));
}

/** The suffix of the last element from its last dot on. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}
