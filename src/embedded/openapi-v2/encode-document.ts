import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { jsonView, marshalPretty, type YamlView } from "../../lang/yaml/index.ts";
import {
  bodyShape,
  documentShape,
  parameterShape,
  pathParameterShape,
  referenceShape,
  responseShape,
  schemaShape,
  tokenShape,
  type Form,
  type Shape,
} from "./document-shape.ts";

/** The document as a message of gnostic's OpenAPI v2 in protobuf, which client-go asks for. */
export function encodeDocument(document: Fields): Uint8Array {
  const writer = new BinaryWriter();
  runNested(writeObject(writer, document, documentShape));
  return writer.finish();
}

const fieldOrder = new WeakMap<Shape, Shape["keys"]>();

function inFieldOrder(shape: Shape): Shape["keys"] {
  const known = fieldOrder.get(shape) ?? shape.keys.toSorted(([, a], [, b]) => a - b);
  fieldOrder.set(shape, known);
  return known;
}

function* writeObject(writer: BinaryWriter, object: Fields, shape: Shape): Nested<void> {
  for (const [name, field, form] of inFieldOrder(shape)) {
    if (object[name] === undefined || writeScalar(writer, field, object[name], form)) continue;
    yield* writeNested(writer, field, object[name], form);
  }
  if (shape.extensions === undefined) return;
  for (const name of Object.keys(object).filter((key) => key.startsWith("x-")))
    inside(writer, shape.extensions, () => {
      text(writer, 1, name);
      any(writer, 2, object[name]);
    });
}

/** Writes a value without messages in it, or tells that it is none. Zeros are not written, as proto3 has it. */
function writeScalar(writer: BinaryWriter, field: number, value: unknown, form: Form): boolean {
  switch (form) {
    case "text":
      if (value !== "") text(writer, field, String(value));
      return true;
    case "texts":
      for (const item of itemsOf(value)) text(writer, field, String(item));
      return true;
    case "bool":
      if (value === true) writer.tag(field, 0).bool(true);
      return true;
    case "integer":
      if (value !== 0) writer.tag(field, 0).int64(Number(value));
      return true;
    case "double":
      if (value !== 0) writer.tag(field, 1).double(Number(value));
      return true;
    case "any":
      any(writer, field, value);
      return true;
    case "anys":
      for (const item of itemsOf(value)) any(writer, field, item);
      return true;
    default:
      return false;
  }
}

function* writeNested(writer: BinaryWriter, field: number, value: unknown, form: Form): Nested<void> {
  switch (form) {
    case "type":
      return inside(writer, field, () => text(writer, 1, String(value)));
    case "items":
    case "responseSchema":
    case "additionalProperties":
      writer.tag(field, 2).fork();
      if (typeof value === "boolean") writer.tag(2, 0).bool(value);
      else yield* message(writer, 1, value, schemaShape);
      writer.join();
      return;
    case "parameter":
      for (const item of itemsOf(value)) {
        writer.tag(field, 2).fork();
        yield* writeParameter(writer, item, true);
        writer.join();
      }
      return;
    case "security":
      for (const item of itemsOf(value)) inside(writer, field, () => writeRequirement(writer, item));
      return;
    default:
      yield* writeNamed(writer, field, value, form);
  }
}

function* writeNamed(writer: BinaryWriter, field: number, value: unknown, form: Form): Nested<void> {
  if (typeof form === "string" || !isFields(value)) return;
  if ("one" in form) return yield* message(writer, field, value, form.one);
  const member = "named" in form ? (form.field ?? 1) : 1;
  writer.tag(field, 2).fork();
  for (const [name, item] of Object.entries(value)) {
    writer.tag(member, 2).fork();
    text(writer, 1, name);
    if ("named" in form) yield* message(writer, 2, item, form.named);
    else {
      writer.tag(2, 2).fork();
      yield* writeUnion(writer, item, form.namedUnion);
      writer.join();
    }
    writer.join();
  }
  writer.join();
}

function writeUnion(writer: BinaryWriter, value: unknown, union: "parameter" | "securityDefinition" | "response"): Nested<void> {
  if (union === "parameter") return writeParameter(writer, value, false);
  return union === "response" ? message(writer, 1, value, responseShape) : message(writer, 2, value, tokenShape);
}

/** In a list it may be a reference too, and is one level deeper. */
function* writeParameter(writer: BinaryWriter, value: unknown, isItem: boolean): Nested<void> {
  if (!isFields(value)) return;
  if ("$ref" in value) return yield* message(writer, 2, value, referenceShape);
  if (!isItem && value["in"] === "body") return yield* message(writer, 1, value, bodyShape);
  const isInPath = value["in"] === "path";
  writer.tag(isItem ? 1 : 2, 2).fork();
  if (isItem) yield* writeParameter(writer, value, false);
  else yield* message(writer, isInPath ? 4 : 3, value, isInPath ? pathParameterShape : parameterShape);
  writer.join();
}

function writeRequirement(writer: BinaryWriter, value: unknown): void {
  if (!isFields(value)) return;
  for (const [name, scopes] of Object.entries(value))
    inside(writer, 1, () => {
      text(writer, 1, name);
      inside(writer, 2, () => {
        for (const scope of itemsOf(scopes)) text(writer, 1, String(scope));
      });
    });
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function* message(writer: BinaryWriter, field: number, value: unknown, shape: Shape): Nested<void> {
  writer.tag(field, 2).fork();
  if (isFields(value)) yield* callNested(writeObject(writer, value, shape));
  writer.join();
}

function inside(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, 2).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, 2).string(value);
}

const inGivenOrder: YamlView = { ...jsonView, keepsOrder: () => true };

/** A value of any form is YAML. */
function any(writer: BinaryWriter, field: number, value: unknown): void {
  inside(writer, field, () => text(writer, 2, marshalPretty(value, inGivenOrder)));
}
