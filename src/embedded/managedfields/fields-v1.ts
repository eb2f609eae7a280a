import { isFields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { leafNode, nodeOf, type FieldSet } from "./field-set.ts";
import { canonicalElement, comparePathElements, self, type PathElement } from "./path-element.ts";

/**
 * Parses a fieldsV1 of a client: returns the value itself when it is canonical, as all that a server wrote is;
 * otherwise sorts it and drops unknown path elements. Throws for a malformed one. Models structured-merge-diff
 * Set.FromJSON
 */
export function parseFieldsV1(json: unknown): FieldSet {
  if (json === undefined || json === null) return leafNode;
  const node = runNested(parseNode(json));
  if (node[self] === undefined) return node;
  const { [self]: _, ...children } = node;
  return children;
}

function* parseNode(json: unknown): Nested<FieldSet> {
  if (json === null) return leafNode;
  if (!isFields(json)) throw new SyntaxError(`expected an object in fieldsV1, got ${JSON.stringify(json)}`);
  const children: [PathElement, FieldSet][] = [];
  let canonical = true;
  let previous = "";
  for (const key in json) {
    if (key === self) {
      canonical &&= previous === "" && isBareObject(json[key]);
      continue;
    }
    const element = canonicalElement(key);
    const child = element === undefined ? undefined : yield* callNested(parseNode(json[key]));
    canonical &&= element === key && child === json[key] && (previous === "" || comparePathElements(previous, key) < 0);
    previous = key;
    if (element !== undefined && child !== undefined) children.push([element, child]);
  }
  if (children.length === 0) return Object.keys(json).length === 0 ? known(json) : leafNode;
  return canonical ? known(json) : (nodeOf(children, json[self] !== undefined) ?? leafNode);
}

function isBareObject(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0;
}

/** The caller has checked every path element. */
function known(json: object): FieldSet {
  return json as FieldSet;
}
