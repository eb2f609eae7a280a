import { luaAnnotation, secretContentType, templateAnnotation } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { MissingReference } from "./missing-reference.ts";
import type { ReadReference } from "./addon-request.ts";

/** A ConfigMap or Secret of the management cluster: its texts and how they are processed. */
export type ContentSource = {
  readonly kind: "ConfigMap" | "Secret";
  readonly namespace: string;
  readonly name: string;
  /** Sorted by key. */
  readonly texts: readonly { readonly key: string; readonly text: string }[];
  readonly processing: "as it is" | "by template" | "by script";
  readonly annotations: Readonly<Record<string, string>>;
};

type Named = { readonly kind: "ConfigMap" | "Secret"; readonly namespace: string; readonly name: string };

/** Reads a ConfigMap or Secret; undefined when an optional one does not exist. */
export async function readContentSource(
  named: Named & { readonly optional: boolean },
  read: ReadReference,
  options: { readonly signal: AbortSignal },
): Promise<ContentSource | undefined> {
  const { kind, namespace, name, optional } = named;
  const found = await read({ group: "", version: "v1", kind, namespace, name }, options);
  if (found !== undefined) return contentSourceOf(named, found);
  if (optional) return undefined;
  throw new MissingReference(kind, namespace, name);
}

/** A Secret with content must have a type of its own, so that no other Secret can be deployed. */
function checkContentType({ kind, namespace, name }: Named, object: KubeObject): void {
  const type = stringAt(object, "type", "");
  if (kind === "ConfigMap" || type === secretContentType) return;
  throw new Fault(`Secret ${namespace}/${name} is of type ${type}; expected ${secretContentType}`, undefined, { final: true });
}

function contentSourceOf({ kind, namespace, name }: Named, object: KubeObject): ContentSource {
  checkContentType({ kind, namespace, name }, object);
  const annotations = object.metadata.annotations ?? {};
  const decoded = (text: string) => (kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : text);
  const texts = Object.entries(mapAt(object, "data"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => ({ key, text: decoded(text) }));
  const processing =
    annotations[templateAnnotation] === undefined ? (annotations[luaAnnotation] === undefined ? "as it is" : "by script") : "by template";
  return { kind, namespace, name, texts, processing, annotations };
}
