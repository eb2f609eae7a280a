import { Fault } from "../core/fault/index.ts";
import { GoList, GoMap, anyList, type GoValue } from "../lang/template/index.ts";
import { unmarshalMap, YamlFault, type DecodeTarget } from "../lang/yaml/index.ts";

/**
 * Parses YAML into the values that templates see: every map a `map[string]interface {}`, every list an `[]interface
 * {}`, every number a float64. Aliases are copied, because a template may change its values.
 */
const goTarget: DecodeTarget = {
  newMap: () => new GoMap(),
  set: (map, key, value) => (map as GoMap).set(key, value as GoValue),
  has: (map, key) => (map as GoMap).has(key),
  isMap: (value) => value instanceof GoMap,
  entries: (map) => map as GoMap,
  newList: (items) => anyList(items as GoValue[]),
  isList: (value) => value instanceof GoList,
  itemsOf: (value) => (value as GoList).items,
  bigInteger: Number,
  aliased: (value) => copyOf(value as GoValue),
};

/** Copies all maps. Immutable values are shared, including lists without maps. */
export function copyOf(value: GoValue): GoValue {
  if (value instanceof GoMap) return copyOfMap(value);
  if (!(value instanceof GoList) || !value.items.some(isCollection)) return value;
  return new GoList(value.type, value.items.map(copyOf), { isNil: value.isNil });
}

export function copyOfMap(map: GoMap): GoMap {
  const copy = new GoMap(map.type);
  for (const [key, element] of map) copy.set(key, isCollection(element) ? copyOf(element) : element);
  return copy;
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
  const merged = new GoMap(one.type, one);
  for (const [key, element] of other) {
    const before = element instanceof GoMap ? merged.get(key) : undefined;
    merged.set(key, element instanceof GoMap && before instanceof GoMap ? mergeMaps(before, element) : element);
  }
  return merged;
}
