import {
  GoError,
  GoMap,
  GoStruct,
  Pointer,
  indirect,
  isAssignable,
  typeName,
  typeOf,
  types,
  zeroOf,
  type GoFunction,
  type Value,
} from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { receiverOf } from "../print/printer.ts";
import { objectionTo } from "../builtin/call.ts";
import { Failure, type Place } from "./error.ts";
import type { Frame } from "./frame.ts";

/**
 * The field, method or key `name` of a value. `container` is what the value was found in, under `key`: what a value is
 * declared as is told by it, and only errors ask. `node` is where evaluation stands, `whole` the node that the field is
 * part of. Models state.evalField without arguments.
 */
export function field(frame: Frame, receiver: Value, name: string, node: Place, container: Value, key: string, whole: Place = node): Value {
  if (receiver instanceof GoMap && receiver.isPlain) {
    const found = receiver.get(name);
    return found === undefined ? missing(frame, receiver, name, node) : found;
  }
  if (receiver === undefined) return ofNothing(frame, name, node);
  const method = methodOf(receiver, name);
  if (method !== undefined) return callWithout(method, receiver, name, { node, whole });
  return otherField(frame, receiver, name, node, () => declaredType(receiver, container, key));
}

/** Several fields, one after the other. */
export function path(
  frame: Frame,
  start: Value,
  names: readonly string[],
  node: Place,
  container: Value,
  key: string,
  whole: Place = node,
): Value {
  let value = start;
  let within = container;
  let under = key;
  for (const name of names) {
    const next = field(frame, value, name, node, within, under, whole);
    within = value;
    under = name;
    value = next;
  }
  return value;
}

function missing(frame: Frame, map: GoMap, name: string, node: Place): Value {
  if (frame.missingKey === "default") return undefined;
  if (frame.missingKey === "zero") return zeroOf(map.type.elem ?? types.any);
  throw new Failure(`map has no entry for key ${quote(name)}`, node);
}

function otherField(frame: Frame, receiver: Value, name: string, node: Place, declared: () => string): Value {
  const inside = indirect(receiver);
  if (inside instanceof GoMap && takesName(inside)) {
    const found = inside.at(name);
    return found === undefined ? missing(frame, inside, name, node) : found;
  }
  if (inside instanceof GoStruct && inside.type.field(name) !== undefined) {
    if (!/^\p{Lu}/u.test(name)) throw new Failure(`${name} is an unexported field of struct type ${declared()}`, node);
    return inside.field(name);
  }
  throw noField(receiver, name, node, declared());
}

function ofNothing(frame: Frame, name: string, node: Place): undefined {
  if (frame.missingKey === "error") throw new Failure(`nil data; no entry for key ${quote(name)}`, node);
  return undefined;
}

function takesName(map: GoMap): boolean {
  return isAssignable(types.string, map.type.key ?? types.any);
}

function noField(receiver: Value, name: string, node: Place, declared: string): Failure {
  const inside = indirect(receiver);
  const isNil = inside === null || (inside instanceof Pointer && inside.isNil);
  const target = typeOf(inside)?.elem;
  const lacksField = target?.kind === "struct" && target.field(name) === undefined;
  if (isNil && !lacksField) return new Failure(`nil pointer evaluating ${declared}.${name}`, node);
  return new Failure(`can't evaluate field ${name} in type ${declared}`, node);
}

/** The name of the type that a value is declared to have: that of the interface where it was found in one. */
export function declaredType(value: Value, container: Value, key: string): string {
  const own = typeOf(indirect(container));
  const declared = own?.methods.get(key)?.type.results?.[0] ?? own?.field(key)?.type ?? own?.elem;
  return declared?.kind === "interface" ? declared.name : value === null ? "interface {}" : typeName(value);
}

/**
 * The value as one of the interface type it is declared to have, for `slice`, the one function that does not look into
 * interfaces: no number found in a `[]interface {}` is an index to it.
 */
export function asDeclared(value: Value, container: Value, key: string): Value {
  if (value === undefined) return undefined;
  const name = declaredType(value, container, key);
  return name === types.any.name ? new GoStruct(types.any) : value;
}

/** The method that a value has under a name, by itself or by its address. */
export function methodOf(receiver: Value, name: string): GoFunction | undefined {
  if (typeof receiver !== "object" || receiver === null) return undefined;
  let reached: Value = receiver;
  let methods = typeOf(receiver)?.methods;
  while (reached instanceof Pointer && !reached.isNil) {
    methods = reached.type.methods;
    reached = reached.target;
  }
  if (reached instanceof Pointer) methods = reached.type.methods;
  const found = methods?.get(name);
  if (found !== undefined || !(reached instanceof GoStruct) || !reached.addressable) return found;
  return reached.type.pointerMethods.get(name);
}

function callWithout(
  method: GoFunction,
  receiver: Value,
  name: string,
  { node, whole }: { readonly node: Place; readonly whole: Place },
): Value {
  const { parameters = [], variadic } = method.type;
  const wanted = variadic ? parameters.length - 1 : parameters.length;
  if (wanted > 0) {
    throw new Failure(`wrong number of args for ${name}: want ${variadic ? "at least " : ""}${wanted} got 0`, node);
  }
  const objection = objectionTo(name, method.type);
  if (objection !== undefined) throw new Failure(objection, node);
  return callMethod(method, receiver, [], name, whole);
}

/** Calls a method; what it throws is told as Go tells it. */
export function callMethod(method: GoFunction, receiver: Value, args: readonly Value[], name: string, node: Place): Value {
  try {
    return Reflect.apply(method.call, undefined, [receiverOf(receiver), ...args]);
  } catch (error) {
    if (error instanceof GoError) throw new Failure(`error calling ${name}: ${error.message}`, node, error);
    throw error;
  }
}

/** The method that is to be called with arguments, `all` of them with the piped one; fails where there is none. */
export function methodFor(
  frame: Frame,
  receiver: Value,
  name: string,
  args: number,
  all: number,
  node: Place,
  container: Value,
  key: string,
): GoFunction | undefined {
  if (receiver === undefined) return ofNothing(frame, name, node);
  const method = methodOf(receiver, name);
  if (method === undefined) throw notCallable(receiver, name, node, declaredType(receiver, container, key));
  const { parameters = [], variadic } = method.type;
  if (variadic && all < parameters.length - 1) {
    throw new Failure(`wrong number of args for ${name}: want at least ${parameters.length - 1} got ${args}`, node);
  }
  if (!variadic && all !== parameters.length) {
    throw new Failure(`wrong number of args for ${name}: want ${parameters.length} got ${all}`, node);
  }
  const objection = objectionTo(name, method.type);
  if (objection !== undefined) throw new Failure(objection, node);
  return method;
}

function notCallable(receiver: Value, name: string, node: Place, declared: string): Failure {
  const inside = indirect(receiver);
  if (inside instanceof GoMap && takesName(inside)) return new Failure(`${name} is not a method but has arguments`, node);
  if (inside instanceof GoStruct && inside.type.field(name) !== undefined) {
    if (!/^\p{Lu}/u.test(name)) return new Failure(`${name} is an unexported field of struct type ${declared}`, node);
    return new Failure(`${name} has arguments but cannot be invoked as function`, node);
  }
  return noField(receiver, name, node, declared);
}
