import { isFields, type Fields } from "../../core/object/index.ts";
import {
  bodyShape,
  documentShape,
  parameterShape,
  referenceShape,
  responseShape,
  schemaShape,
  tokenShape,
  type Form,
  type Shape,
} from "./document-shape.ts";

/** The same document with its keys in the order in which an API server writes them. */
export function orderedDocument(document: Fields): Fields {
  return ordered(document, documentShape);
}

function ordered(object: Fields, { keys, extensions }: Shape): Fields {
  const known = keys.flatMap(([name, , form]): [string, unknown][] => (name in object ? [[name, orderedValue(object[name], form)]] : []));
  const names = new Set(keys.map(([name]) => name));
  const rest = Object.keys(object).filter((name) => !names.has(name));
  const strange = rest.find((name) => extensions === undefined || !name.startsWith("x-"));
  if (strange !== undefined) throw new Error(`order an OpenAPI v2 document: the key ${strange} is unknown beside ${[...names].join(", ")}`);
  return Object.fromEntries([...known, ...rest.toSorted().map((name): [string, unknown] => [name, sorted(object[name])])]);
}

function orderedValue(value: unknown, form: Form): unknown {
  if (Array.isArray(value)) return form === "parameter" ? value.map((item) => orderedUnion("parameter", item)) : value;
  if (!isFields(value)) return value;
  if (form === "items" || form === "additionalProperties" || form === "responseSchema") return ordered(value, schemaShape);
  if (typeof form === "string") return sorted(value);
  if ("one" in form) return ordered(value, form.one);
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, orderedMember(value[name], form)]),
  );
}

function orderedMember(member: unknown, form: Exclude<Form, string | { readonly one: Shape }>): unknown {
  if (!isFields(member)) return member;
  return "named" in form ? ordered(member, form.named) : orderedUnion(form.namedUnion, member);
}

function orderedUnion(union: "parameter" | "securityDefinition" | "response", member: Fields): Fields {
  if ("$ref" in member) return ordered(member, referenceShape);
  if (union === "response") return ordered(member, responseShape);
  if (union === "securityDefinition") return ordered(member, tokenShape);
  return ordered(member, member["in"] === "body" ? bodyShape : parameterShape);
}

/** Go writes the keys of a map in their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
}
