import { createHash } from "node:crypto";
import { isFields, parsePath, type KubeObject, type Path } from "../object/index.ts";

/** What of an object is nobody's business. */
export type Sensitive = { readonly whole: boolean; readonly paths: readonly string[] };

/** An object as it may be shown: what is sensitive is told by its size and a hash, so that a change still shows. Secrets always hide their data. */
export function hidden(object: KubeObject, { whole, paths }: Sensitive): KubeObject {
  const secret = object.kind === "Secret" && object.apiVersion === "v1";
  const all = [...paths, ...(secret || whole ? ["data.*", "stringData.*"] : []), ...(whole && !secret ? ["spec.*"] : [])];
  return all.reduce<unknown>((shown, path) => hideAt(shown, stepsOf(path)), object) as KubeObject;
}

/** `$.data.password`, `.data["a.b"]`, `data.*`, `list[*].x`. */
function stepsOf(path: string): Path {
  return parsePath(path.replace(/^\$/, "").replace(/^\./, "").replaceAll("[*]", ".*").replaceAll("['", '["').replaceAll("']", '"]'));
}

function hideAt(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return coverOf(value);
  if (Array.isArray(value)) return value.map((item, at) => (step === "*" || step === at ? hideAt(item, rest) : item));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, step === "*" || step === name ? hideAt(item, rest) : item]));
}

function coverOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `<hidden ${Buffer.byteLength(text)} bytes, hash ${hash}>`;
}
