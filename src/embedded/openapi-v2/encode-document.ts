import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { isFields, type Fields } from "../../core/object/index.ts";
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
  writeObject(writer, document, documentShape);
  return writer.finish();
}

const fieldOrder = new WeakMap<Shape, Shape["keys"]>();

function inFieldOrder(shape: Shape): Shape["keys"] {
  const known = fieldOrder.get(shape) ?? shape.keys.toSorted(([, a], [, b]) => a - b);
  fieldOrder.set(shape, known);
  return known;
}

function writeObject(writer: BinaryWriter, object: Fields, shape: Shape): void {
  for (const [name, field, form] of inFieldOrder(shape)) if (object[name] !== undefined) writeValue(writer, field, object[name], form);
  if (shape.extensions === undefined) return;
  for (const name of Object.keys(object).filter((key) => key.startsWith("x-")))
    inside(writer, shape.extensions, () => {
      text(writer, 1, name);
      any(writer, 2, object[name]);
    });
}

/** Zeros are not written, as proto3 has it. */
function writeValue(writer: BinaryWriter, field: number, value: unknown, form: Form): void {
  switch (form) {
    case "text":
      if (value !== "") text(writer, field, String(value));
      return;
    case "texts":
      for (const item of itemsOf(value)) text(writer, field, String(item));
      return;
    case "bool":
      if (value === true) writer.tag(field, 0).bool(true);
      return;
    case "integer":
      if (value !== 0) writer.tag(field, 0).int64(Number(value));
      return;
    case "double":
      if (value !== 0) writer.tag(field, 1).double(Number(value));
      return;
    case "any":
      return any(writer, field, value);
    case "anys":
      for (const item of itemsOf(value)) any(writer, field, item);
      return;
    default:
      return writeNested(writer, field, value, form);
  }
}

function writeNested(writer: BinaryWriter, field: number, value: unknown, form: Form): void {
  switch (form) {
    case "type":
      return inside(writer, field, () => text(writer, 1, String(value)));
    case "items":
    case "responseSchema":
      return inside(writer, field, () => message(writer, 1, value, schemaShape));
    case "additionalProperties":
      return inside(writer, field, () => {
        if (typeof value === "boolean") writer.tag(2, 0).bool(value);
        else message(writer, 1, value, schemaShape);
      });
    case "parameter":
      for (const item of itemsOf(value)) inside(writer, field, () => writeParameter(writer, item, true));
      return;
    case "security":
      for (const item of itemsOf(value)) inside(writer, field, () => writeRequirement(writer, item));
      return;
    default:
      return writeNamed(writer, field, value, form);
  }
}

function writeNamed(writer: BinaryWriter, field: number, value: unknown, form: Form): void {
  if (typeof form === "string" || !isFields(value)) return;
  if ("one" in form) return message(writer, field, value, form.one);
  const member = "named" in form ? (form.field ?? 1) : 1;
  inside(writer, field, () => {
    for (const [name, item] of Object.entries(value))
      inside(writer, member, () => {
        text(writer, 1, name);
        if ("named" in form) message(writer, 2, item, form.named);
        else inside(writer, 2, () => writeUnion(writer, item, form.namedUnion));
      });
  });
}

function writeUnion(writer: BinaryWriter, value: unknown, union: "parameter" | "securityDefinition" | "response"): void {
  if (union === "parameter") writeParameter(writer, value, false);
  else if (union === "response") message(writer, 1, value, responseShape);
  else message(writer, 2, value, tokenShape);
}

/** In a list it may be a reference too, and is one level deeper. */
function writeParameter(writer: BinaryWriter, value: unknown, isItem: boolean): void {
  if (!isFields(value)) return;
  if ("$ref" in value) return message(writer, 2, value, referenceShape);
  if (isItem) return inside(writer, 1, () => writeParameter(writer, value, false));
  if (value["in"] === "body") return message(writer, 1, value, bodyShape);
  const isInPath = value["in"] === "path";
  inside(writer, 2, () => message(writer, isInPath ? 4 : 3, value, isInPath ? pathParameterShape : parameterShape));
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

function message(writer: BinaryWriter, field: number, value: unknown, shape: Shape): void {
  inside(writer, field, () => {
    if (isFields(value)) writeObject(writer, value, shape);
  });
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
