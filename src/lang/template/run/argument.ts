import {
  Complex,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  canBeNil,
  isAssignable,
  isInteger,
  isUnsigned,
  reflectTypeOf,
  types,
  wrapInteger,
  zeroOf,
  type GoFunction,
  type ReflectType,
  type GoValue,
} from "../value/index.ts";
import type { BoolNode, NilNode, NumberNode, StringNode } from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import { ExecFailure, type NodeRef } from "./error.ts";

/** A literal operand. */
export type Literal = BoolNode | NilNode | NumberNode | StringNode;

/** Converts a value to an argument type, or fails. Models state.validateType. */
export function coerce(value: GoValue, type: ReflectType, node: NodeRef): GoValue {
  if (type === types.reflectValue) return value;
  if (value === undefined) {
    if (canBeNil(type)) return zeroOf(type);
    throw new ExecFailure(`invalid value; expected ${type.name}`, node);
  }
  const own = reflectTypeOf(value);
  if (own === undefined) {
    if (type.kind === "interface" && type.methods.size === 0) return null;
    throw new ExecFailure(`wrong type for value; expected ${type.name}; got ${types.any.name}`, node);
  }
  if (isAssignable(own, type)) return type.kind === "interface" ? inInterface(value) : converted(value, type);
  if (value instanceof Pointer && own.elem !== undefined && isAssignable(own.elem, type)) {
    if (value.isNil) throw new ExecFailure(`dereference of nil pointer of type ${type.name}`, node);
    return value.target;
  }
  if (value instanceof GoStruct && value.addressable && isAssignable(own.pointerTo, type)) return new Pointer(own.pointerTo, value);
  throw new ExecFailure(`wrong type for value; expected ${type.name}; got ${own.name}`, node);
}

/** The copy of a struct in an interface has no address, so methods of *T are not among its own. */
export function inInterface(value: GoValue): GoValue {
  return value instanceof GoStruct && value.addressable ? new GoStruct(value.type, value.fields, { own: value.own }) : (value ?? null);
}

/** Converts between a named type and its underlying type. */
function converted(value: GoValue, type: ReflectType): GoValue {
  if (value instanceof GoMap) return value.as(type);
  return value instanceof GoList && value.type !== type ? new GoList(type, value.items, value) : value;
}

/** The parameter type for the argument at an index. */
export function parameterFor(type: ReflectType, index: number): ReflectType {
  const { parameters = [] } = type;
  return parameters[Math.min(index, parameters.length - 1)] ?? types.any;
}

/** Converts an argument of a method that is resolved at run time. */
export function methodArgument(method: GoFunction | undefined, index: number, value: GoValue, node: NodeRef): GoValue {
  return method === undefined ? value : coerce(value, parameterFor(method.type, index), node);
}

/** Converts a literal argument of a method that is resolved at run time. */
export function literalArgument(method: GoFunction | undefined, index: number, literal: Literal, node: NodeRef): GoValue {
  if (method === undefined) return undefined;
  const read = literalFor(literal, parameterFor(method.type, index));
  if (typeof read === "string") throw new ExecFailure(read, node);
  return read.value;
}

/** The value of a literal as an argument of a type, or the error. Models state.evalArg for literals. */
export function literalFor(literal: Literal, type: ReflectType): { readonly value: GoValue } | string {
  if (literal.type === "nil") {
    if (type === types.reflectValue) return { value: undefined };
    return canBeNil(type) ? { value: zeroOf(type) } : `cannot assign nil to ${type.name}`;
  }
  if (type === types.reflectValue || type === types.any) return idealValue(literal);
  if (isInteger(type)) return integerFor(literal, type);
  switch (type.kind) {
    case "bool":
      return literal.type === "bool" ? scalar(type, types.bool, literal.value) : `expected bool; found ${nodeText(literal)}`;
    case "string":
      return literal.type === "string" ? scalar(type, types.string, literal.text) : `expected string; found ${nodeText(literal)}`;
    case "float32":
    case "float64":
      if (literal.type !== "number" || literal.float === undefined) return `expected float; found ${nodeText(literal)}`;
      return scalar(type, types.float64, literal.float);
    case "complex64":
    case "complex128":
      if (literal.type !== "number" || literal.complex === undefined) return `expected complex; found ${nodeText(literal)}`;
      return { value: new Complex(literal.complex.real, literal.complex.imaginary, type) };
    default:
      return `can't handle ${nodeText(literal)} for arg of type ${type.name}`;
  }
}

function scalar(type: ReflectType, plain: ReflectType, value: boolean | string | number): { readonly value: GoValue } {
  return { value: type === plain ? value : new GoScalar(type, value) };
}

function integerFor(literal: Literal, type: ReflectType): { readonly value: GoValue } | string {
  const unsigned = isUnsigned(type);
  const amount = literal.type !== "number" ? undefined : unsigned ? literal.uint : literal.int;
  if (amount === undefined) return `expected ${unsigned ? "unsigned " : ""}integer; found ${nodeText(literal)}`;
  return { value: wrapInteger(type, amount) };
}

/** The value of an untyped literal, or the error. Models state.idealConstant. */
export function idealValue(literal: Exclude<Literal, NilNode>): { readonly value: GoValue } | string {
  if (literal.type === "bool") return { value: literal.value };
  if (literal.type === "string") return { value: literal.text };
  const { text, complex, float, int } = literal;
  if (complex !== undefined) return { value: new Complex(complex.real, complex.imaginary) };
  const isHexInteger = /^0[xX]./.test(text) && !/[pP]/.test(text);
  if (float !== undefined && !isHexInteger && !text.startsWith("'") && /[.eEpP]/.test(text)) return { value: float };
  return int === undefined ? `${text} overflows int` : { value: new Integer(types.int, int) };
}
