import { LruCache } from "../../core/cache/index.ts";
import { isFields } from "../../core/object/index.ts";
import { pathValueText } from "./go-print.ts";
import { compareFields, compareText, compareValues, fieldValueJson, goJsonString } from "./value.ts";

/**
 * One element of a field path, in the form of fieldsV1: `f:name` a field, `k:{"name":"x"}` the list item with these
 * keys, `v:"x"` the member of a set, `i:0` a list item by its index. Always canonical, so equal elements are equal
 * strings.
 */
export type PathElement = string;

/** From the root to the leaf. */
export type ElementPath = readonly PathElement[];

/** Marks a node of a field set as a member itself. */
export const self = ".";

/** Bounds the caches of a cluster that runs for days. */
const bound = { maxEntries: 20_000 };
const fieldElements = new LruCache<string, PathElement>(bound);
const parsedElements = new LruCache<PathElement, unknown>(bound);
const canonicalElements = new LruCache<string, PathElement | undefined>(bound);

function parseContent(element: PathElement): unknown {
  return JSON.parse(element.slice(2));
}

function toFieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The path element of the field `name`. */
export function fieldElement(name: string): PathElement {
  return fieldElements.getOrCreate(name, toFieldElement);
}

/** The path element of the member `value` of a set. */
export function valueElement(value: unknown): PathElement {
  return `v:${fieldValueJson(value)}`;
}

/** The path element of the list item with these keys, sorted by name. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): PathElement {
  let text = "k:{";
  for (const [name, value] of keys) {
    if (text.length > 3) text += ",";
    text += `${goJsonString(name)}:${typeof value === "string" ? goJsonString(value) : fieldValueJson(value)}`;
  }
  return `${text}}`;
}

/** The field name of a path element, undefined for other sorts of elements. */
export function fieldNameOf(element: PathElement): string | undefined {
  return isFieldElement(element) ? element.slice(2) : undefined;
}

function isFieldElement(element: PathElement): boolean {
  return element.charCodeAt(0) === 0x66;
}

export function isKeyElement(element: PathElement): boolean {
  return element.charCodeAt(0) === 0x6b;
}

const ranks: Readonly<Record<string, number>> = { ".": 0, f: 1, k: 2, v: 3, i: 4 };

/** The order in which fieldsV1 lists the children of a node. Models structured-merge-diff PathElement.Compare */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (isFieldElement(a) && isFieldElement(b)) return compareText(a, b);
  const sort = a.charAt(0);
  const order = (ranks[sort] ?? 5) - (ranks[b.charAt(0)] ?? 5);
  if (order !== 0) return order;
  if (sort === "k") return compareFields(keysOf(a), keysOf(b));
  return sort === "v" ? compareValues(contentOf(a), contentOf(b)) : Number(contentOf(a)) - Number(contentOf(b));
}

function contentOf(element: PathElement): unknown {
  return parsedElements.getOrCreate(element, parseContent);
}

function keysOf(element: PathElement): [string, unknown][] {
  const content = contentOf(element);
  return isFields(content) ? Object.entries(content) : [];
}

/**
 * The canonical form of a path element that a client wrote, or undefined for an unknown sort of element. Throws for a
 * malformed one. Models structured-merge-diff DeserializePathElement
 */
export function canonicalElement(text: string): PathElement | undefined {
  if (text.startsWith("f:")) return text;
  return canonicalElements.getOrCreate(text, parseElement);
}

function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError("key must be 2 characters long:");
  if (text.charAt(1) !== ":") throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text.charAt(0)) {
    case "v":
      return valueElement(JSON.parse(content));
    case "k": {
      const keys: unknown = JSON.parse(content);
      if (!isFields(keys)) throw new SyntaxError(`expected an object: ${text}`);
      return keyElement(Object.entries(keys).sort(([a], [b]) => compareText(a, b)));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new SyntaxError(`invalid index: ${text}`);
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

/** A path element as messages print it: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const name = fieldNameOf(element);
  if (name !== undefined) return `.${name}`;
  if (isKeyElement(element))
    return `[${keysOf(element)
      .map(([key, value]) => `${key}=${pathValueText(value)}`)
      .join(",")}]`;
  const content = pathValueText(contentOf(element));
  return element.startsWith("v:") ? `[=${content}]` : `[${content}]`;
}

/** A path as conflicts print it: `.spec.containers[name="web"].image`. */
export function elementPathText(path: ElementPath): string {
  return path.map(elementText).join("");
}
