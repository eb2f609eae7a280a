import type { Finder } from "../../lang/re2/index.ts";
import type { GoValue } from "../../lang/template/index.ts";
import type { Format } from "./format.ts";
import type { JsonType } from "./json-type.ts";

/** A limit and the digits it was written with. */
export type NumericLimit = { readonly amount: number; readonly digits: string };

/** A compiled schema. It is filled while documents are compiled, and immutable after that. */
export type SchemaNode = {
  readonly url: string;
  readonly pointer: string;
  /** `file:///values.schema.json#/properties/a`. */
  readonly location: string;
  draft: number;
  /** The root schema of the resource. */
  resource: SchemaNode;
  readonly dynamicAnchors: Map<string, SchemaNode>;
  always?: boolean;
  ref?: SchemaNode;
  recursiveRef?: SchemaNode;
  recursiveAnchor?: boolean;
  dynamicRef?: { readonly node: SchemaNode; readonly anchor: string };
  dynamicAnchor?: string;
  types?: ReadonlySet<string>;
  enumeration?: { readonly values: readonly GoValue[]; readonly types: ReadonlySet<JsonType | undefined> };
  constant?: { readonly value: GoValue };
  format?: Format;
  not?: SchemaNode;
  allOf?: readonly SchemaNode[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  when?: SchemaNode;
  then?: SchemaNode;
  otherwise?: SchemaNode;
  minProperties?: number;
  maxProperties?: number;
  required?: readonly string[];
  properties?: ReadonlyMap<string, SchemaNode>;
  patternProperties?: readonly (readonly [Finder, SchemaNode])[];
  additionalProperties?: boolean | SchemaNode;
  propertyNames?: SchemaNode;
  dependencies?: readonly (readonly [string, readonly string[] | SchemaNode])[];
  dependentRequired?: readonly (readonly [string, readonly string[]])[];
  dependentSchemas?: ReadonlyMap<string, SchemaNode>;
  unevaluatedProperties?: SchemaNode;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  contains?: SchemaNode;
  minContains?: number;
  maxContains?: number;
  items?: SchemaNode | readonly SchemaNode[];
  additionalItems?: boolean | SchemaNode;
  prefixItems?: readonly SchemaNode[];
  unevaluatedItems?: SchemaNode;
  minLength?: number;
  maxLength?: number;
  pattern?: { readonly text: string; readonly expression: Finder };
  minimum?: NumericLimit;
  maximum?: NumericLimit;
  exclusiveMinimum?: NumericLimit;
  exclusiveMaximum?: NumericLimit;
  multipleOf?: NumericLimit;
};

/** Whether the schema itself evaluates every part of an object or a list. */
export function evaluatesAll(node: SchemaNode, what: "object" | "array"): boolean {
  if (what === "object") return node.additionalProperties !== undefined;
  if (node.draft >= 2020) return node.items !== undefined;
  return node.additionalItems !== undefined || (node.items !== undefined && !Array.isArray(node.items));
}

/** How many items of a list have schemas of their own. */
export function itemsOfTheirOwn(node: SchemaNode): number {
  if (node.draft >= 2020) return node.prefixItems?.length ?? 0;
  return Array.isArray(node.items) ? node.items.length : 0;
}
