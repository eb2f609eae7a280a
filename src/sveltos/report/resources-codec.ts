import { Fault } from "../../core/fault/index.ts";
import { readJson } from "../../kube/index.ts";
import { isExactInteger, isFields, isKubeObject, setField, type MutableFields, type KubeObject } from "../../core/object/index.ts";

/** Caches the text of an object, which is never mutated. */
const texts = new WeakMap<KubeObject, string>();

const sizes = new WeakMap<KubeObject, number>();

/** Encodes objects for `spec.resources`: each as one line of JSON with sorted keys, followed by a line `---`; all as base64. */
export function encodeResources(objects: readonly KubeObject[]): string {
  return Buffer.from(objects.map((object) => `${textOf(object)}\n---\n`).join(""), "utf8").toString("base64");
}

/** How many bytes `encodeResources` takes for an object, to the next multiple of three. */
export function encodedBytes(object: KubeObject): number {
  let bytes = sizes.get(object);
  if (bytes === undefined) sizes.set(object, (bytes = 4 * Math.ceil((Buffer.byteLength(textOf(object)) + 5) / 3)));
  return bytes;
}

/**
 * Decodes what `encodeResources` or a Sveltos agent has written: JSON values separated by `---`, with or without a line of
 * its own. Strings inside the values may contain `---`.
 */
export function decodeResources(encoded: string): readonly KubeObject[] {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const objects: KubeObject[] = [];
  for (let at = afterSeparators(text, 0); at < text.length;) {
    const end = endOfValue(text, at);
    objects.push(objectIn(text.slice(at, end)));
    at = afterSeparators(text, end);
  }
  return objects;
}

function textOf(object: KubeObject): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = JSON.stringify(sorted(withoutManagers(object)))));
  return text;
}

/** Drops managedFields, which make up most of many objects and are of no use to templates. */
function withoutManagers(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _left, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value) || isExactInteger(value)) return value;
  const fields: MutableFields = {};
  for (const key of Object.keys(value).toSorted()) setField(fields, key, sorted(value[key]));
  return fields;
}

const separators = /(?:\s|---)*/y;

function afterSeparators(text: string, from: number): number {
  separators.lastIndex = from;
  separators.test(text);
  return separators.lastIndex;
}

const marks = /["{}]/g;
const restOfString = /[^"\\]*(?:\\.[^"\\]*)*"/sy;

/** The end of the JSON value that starts here. Braces inside strings do not count. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  marks.lastIndex = from;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '"') {
      restOfString.lastIndex = marks.lastIndex;
      if (!restOfString.test(text)) break;
      marks.lastIndex = restOfString.lastIndex;
    } else depth += found[0] === "{" ? 1 : -1;
    if (depth <= 0) return marks.lastIndex;
  }
  throw new Fault("the resources of the report end in the middle of an object", undefined, { final: true });
}

function objectIn(text: string): KubeObject {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    throw new Fault("the resources of the report are no JSON", error, { final: true });
  }
  if (!isKubeObject(value))
    throw new Fault("the resources of the report hold something that is no Kubernetes object", undefined, { final: true });
  return value;
}
