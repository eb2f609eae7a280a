/** A type of the checker. */
export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "type"; readonly of: CelType | undefined }
  | { readonly kind: "opaque"; readonly name: string; readonly parameters: readonly CelType[] }
  | StructType
  | { readonly kind: "parameter"; readonly name: string };

export type StructType = {
  readonly kind: "struct";
  readonly name: string;
  readonly fieldType: (field: string) => CelType | undefined;
};

type SimpleKind = "bool" | "int" | "uint" | "double" | "string" | "bytes" | "null" | "dyn" | "error" | "timestamp" | "duration";

export const boolType: CelType = { kind: "bool" };
export const intType: CelType = { kind: "int" };
export const uintType: CelType = { kind: "uint" };
export const doubleType: CelType = { kind: "double" };
export const stringType: CelType = { kind: "string" };
export const bytesType: CelType = { kind: "bytes" };
export const nullType: CelType = { kind: "null" };
export const dynType: CelType = { kind: "dyn" };
export const errorType: CelType = { kind: "error" };
export const timestampType: CelType = { kind: "timestamp" };
export const durationType: CelType = { kind: "duration" };

export function listType(element: CelType): CelType {
  return { kind: "list", element };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function typeType(of: CelType | undefined): CelType {
  return { kind: "type", of };
}

export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}

export function optionalType(value: CelType): CelType {
  return opaqueType("optional_type", value);
}

export function typeParameter(name: string): CelType {
  return { kind: "parameter", name };
}

/** The type inside an optional; undefined when the type is not optional. */
export function withinOptional(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.parameters[0] : undefined;
}

/** A type as cel-go's checker prints it. */
export function printType(type: CelType): string {
  switch (type.kind) {
    case "error":
      return "!error!";
    case "list":
      return `list(${printType(type.element)})`;
    case "map":
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${printType(type.of)})`;
    case "opaque":
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(printType).join(", ")})`;
    case "struct":
    case "parameter":
      return type.name;
    default:
      return type.kind;
  }
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind === "list") return b.kind === "list" && isSameType(a.element, b.element);
  if (a.kind === "map") return b.kind === "map" && isSameType(a.key, b.key) && isSameType(a.value, b.value);
  if (a.kind === "type") {
    return b.kind === "type" && (a.of === undefined || b.of === undefined ? a.of === b.of : isSameType(a.of, b.of));
  }
  if (a.kind === "opaque") {
    if (b.kind !== "opaque" || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
    return a.parameters.every((each, index) => isSameType(each, b.parameters[index] ?? dynType));
  }
  if (a.kind === "struct" || a.kind === "parameter") return b.kind === a.kind && a.name === b.name;
  return a.kind === b.kind;
}
