import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
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
import { sortKeys } from "../schema/index.ts";

/** The same document with its keys in the order in which an API server writes them. */
export function orderedDocument(document: Fields): Fields {
  return runNested(ordered(document, documentShape));
}

function* ordered(object: Fields, { keys, extensions }: Shape): Nested<Fields> {
  const entries: [string, unknown][] = [];
  for (const [name, , form] of keys) if (name in object) entries.push([name, yield* orderedValue(object[name], form)]);
  const names = new Set(keys.map(([name]) => name));
  const rest = Object.keys(object).filter((name) => !names.has(name));
  const strange = rest.find((name) => extensions === undefined || !name.startsWith("x-"));
  if (strange !== undefined) throw new Error(`order an OpenAPI v2 document: the key ${strange} is unknown beside ${[...names].join(", ")}`);
  for (const name of rest.toSorted()) entries.push([name, sortKeys(object[name])]);
  return Object.fromEntries(entries);
}

function* orderedValue(value: unknown, form: Form): Nested<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(form === "parameter" ? yield* orderedUnion("parameter", item) : item);
    return items;
  }
  if (!isFields(value)) return value;
  if (form === "items" || form === "additionalProperties" || form === "responseSchema")
    return yield* callNested(ordered(value, schemaShape));
  if (typeof form === "string") return sortKeys(value);
  if ("one" in form) return yield* callNested(ordered(value, form.one));
  const members: [string, unknown][] = [];
  for (const name of Object.keys(value).toSorted()) members.push([name, yield* orderedMember(value[name], form)]);
  return Object.fromEntries(members);
}

function* orderedMember(member: unknown, form: Exclude<Form, string | { readonly one: Shape }>): Nested<unknown> {
  if (!isFields(member)) return member;
  return "named" in form ? yield* callNested(ordered(member, form.named)) : yield* orderedUnion(form.namedUnion, member);
}

function orderedUnion(union: "parameter" | "securityDefinition" | "response", member: Fields): Nested<Fields> {
  if ("$ref" in member) return ordered(member, referenceShape);
  if (union === "response") return ordered(member, responseShape);
  if (union === "securityDefinition") return ordered(member, tokenShape);
  return ordered(member, member["in"] === "body" ? bodyShape : parameterShape);
}
