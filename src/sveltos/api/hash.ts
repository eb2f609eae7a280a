import { createHash } from "node:crypto";
import { isExactInteger, type KubeObject } from "../../core/object/index.ts";

/**
 * The value of `projectsveltos.io/hash`: the SHA-256 of the manifest in Go's JSON, before defaults and before metadata of
 * Sluice is added.
 */
export function contentHash(object: KubeObject): string {
  return `sha256:${createHash("sha256")
    .update(`${goMarshal(object)}\n`)
    .digest("hex")}`;
}

/** The hash of any JSON value, in base64 for the hash fields of statuses. */
export function valueHash(value: unknown): string {
  return createHash("sha256").update(goMarshal(value)).digest("base64");
}

/** JSON as Go's json.Marshal writes maps: compact, keys in byte order, HTML characters escaped. */
export function goMarshal(value: unknown): string {
  if (isExactInteger(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map((item: unknown) => goMarshal(item ?? null)).join(",")}]`;
  if (typeof value === "string") return goMarshalString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, item]) => `${goMarshalString(key)}:${goMarshal(item)}`)
    .join(",")}}`;
}

function goMarshalString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
