import { charge } from "../core/cost/index.ts";
import { Fault } from "../core/fault/index.ts";
import { GoList, GoMap, anyList, type GoValue } from "../lang/template/index.ts";
import { unmarshalMap, YamlFault, type DecodeTarget } from "../lang/yaml/index.ts";

/** The memory of a collection, whose text may be two characters. */
const costOfMap = 256;
const costOfList = 96;

/**
 * Parses YAML into the values that templates see: every map a `map[string]interface {}`, every list an `[]interface
 * {}`, every number a float64. Aliases are copied, because a template may change its values.
 */
const goTarget: DecodeTarget = {
  newMap: () => {
    charge(costOfMap);
    return new GoMap();
  },
  set: (map, key, value) => (map as GoMap).set(key, value as GoValue),
  has: (map, key) => (map as GoMap).has(key),
  isMap: (value) => value instanceof GoMap,
  entries: (map) => map as GoMap,
  newList: (items) => {
    charge(costOfList + 8 * items.length);
    return anyList(items as GoValue[]);
  },
  isList: (value) => value instanceof GoList,
  itemsOf: (value) => (value as GoList).items,
  bigInteger: Number,
  aliased: (value) => copyOf(value as GoValue),
};

/** A collection whose elements are yet to be copied. */
type Pending = { readonly source: GoMap | GoList; readonly copy: GoMap | GoValue[]; readonly dropsNulls: boolean };

/**
 * Copies all maps, on request without the nulls of tables. Nulls in lists stay. Immutable values are shared, including lists
 * without maps.
 */
export function copyOf(value: GoValue, dropsNulls = false): GoValue {
  if (!isCollection(value)) return value;
  const pending: Pending[] = [];
  const copied = begun(value, dropsNulls, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { source, copy } = next;
    if (source instanceof GoMap) copyElements(source, copy as GoMap, next.dropsNulls, pending);
    else for (const item of source.items) (copy as GoValue[]).push(begun(item, false, pending));
  }
  return copied;
}

function copyElements(source: GoMap, copy: GoMap, dropsNulls: boolean, pending: Pending[]): void {
  for (const [key, element] of source) if (!dropsNulls || element !== null) copy.set(key, begun(element, dropsNulls, pending));
}

/** The copy of a value. Elements of a collection follow. */
function begun(value: GoValue, dropsNulls: boolean, pending: Pending[]): GoValue {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof GoMap) {
    const copy = new GoMap(value.type);
    pending.push({ source: value, copy, dropsNulls });
    return copy;
  }
  if (!(value instanceof GoList) || !value.items.some(isCollection)) return value;
  const items: GoValue[] = [];
  pending.push({ source: value, copy: items, dropsNulls: false });
  return new GoList(value.type, items, { isNil: value.isNil });
}

export function copyOfMap(map: GoMap): GoMap {
  return copyOf(map) as GoMap;
}

function isCollection(value: GoValue): boolean {
  return typeof value === "object" && value !== null && (value instanceof GoMap || value instanceof GoList);
}

/** A line that begins with three hyphens ends a document. Only line feeds end lines here. */
const separator = /(?<![^\n])---([^\n]*)/g;

/** Reads values. Later documents win over earlier ones, key by key. Models helm pkg/chart/v2/loader LoadValues */
export function readValues(text: string): GoMap {
  let values: GoMap | undefined;
  for (const document of documentsIn(withLineFeeds(text))) {
    const map = readDocument(document);
    values = values === undefined ? map : mergeMaps(values, map);
  }
  return values ?? new GoMap();
}

function readDocument(text: string): GoMap {
  try {
    return unmarshalMap(text, goTarget) as GoMap;
  } catch (error) {
    if (error instanceof YamlFault) throw new Fault("cannot unmarshal yaml document", error, { final: true });
    throw error;
  }
}

/** Models k8s.io/apimachinery/pkg/util/yaml LineReader: every line ends in a line feed, also the last one. */
function withLineFeeds(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}

/** Models k8s.io/apimachinery/pkg/util/yaml YAMLReader: a separator with nothing before it belongs to the next document. */
function* documentsIn(text: string): Generator<string> {
  let from = 0;
  for (const { 1: rest = "", index } of text.matchAll(separator)) {
    const trimmed = rest.trim();
    if (trimmed !== "" && !trimmed.startsWith("#"))
      throw new Fault(`error reading yaml document: invalid Yaml document separator: ${trimmed}`, undefined, { final: true });
    if (index === from) continue;
    yield text.slice(from, index);
    from = index + 3 + rest.length + 1;
  }
  if (from < text.length) yield text.slice(from);
}

/** Merges two maps into a new one. The second wins, and tables in both are merged. */
export function mergeMaps(one: GoMap, other: GoMap): GoMap {
  const whole = new GoMap(one.type, one);
  const pending = [{ merged: whole, over: other }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { merged, over } = next;
    for (const [key, element] of over) {
      const before = element instanceof GoMap ? merged.get(key) : undefined;
      if (element instanceof GoMap && before instanceof GoMap) {
        const below = new GoMap(before.type, before);
        merged.set(key, below);
        pending.push({ merged: below, over: element });
      } else merged.set(key, element);
    }
  }
  return whole;
}
