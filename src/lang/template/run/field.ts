import {
  GoError,
  GoMap,
  GoStruct,
  Pointer,
  indirect,
  isAssignable,
  typeName,
  reflectTypeOf,
  types,
  zeroOf,
  type GoFunction,
  type GoValue,
} from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { receiverOf } from "../print/printer.ts";
import { objectionToSignature } from "../builtin/call.ts";
import { ExecFailure, type NodeRef } from "./error.ts";
import type { ExecState } from "./exec-state.ts";
import { weighArgument, weighResult } from "./weigh.ts";

/**
 * The field, method or key `name` of a value. `container` and `key` say where the value was found, from which errors take its
 * declared type. `node` is the current node, and `whole` the node that the field is part of. Models state.evalField without
 * arguments.
 */
export function evalField(
  state: ExecState,
  receiver: GoValue,
  name: string,
  node: NodeRef,
  container: GoValue,
  key: string,
  whole: NodeRef = node,
): GoValue {
  if (receiver instanceof GoMap && receiver.isPlain) {
    const found = receiver.get(name);
    return found === undefined ? missing(state, receiver, name, node) : found;
  }
  if (receiver === undefined) return fieldOfNil(state, name, node);
  const method = methodOf(receiver, name);
  if (method !== undefined) return callWithoutArguments(method, receiver, name, { node, whole });
  return otherField(state, receiver, name, node, () => declaredType(receiver, container, key));
}

/** Evaluates several fields, one after the other. */
export function evalFieldPath(
  state: ExecState,
  start: GoValue,
  names: readonly string[],
  node: NodeRef,
  container: GoValue,
  key: string,
  whole: NodeRef = node,
): GoValue {
  let value = start;
  let within = container;
  let under = key;
  for (const name of names) {
    const next = evalField(state, value, name, node, within, under, whole);
    within = value;
    under = name;
    value = next;
  }
  return value;
}

function missing(state: ExecState, map: GoMap, name: string, node: NodeRef): GoValue {
  if (state.missingKey === "default") return undefined;
  if (state.missingKey === "zero") return zeroOf(map.type.elem ?? types.any);
  throw new ExecFailure(`map has no entry for key ${quote(name)}`, node);
}

function otherField(state: ExecState, receiver: GoValue, name: string, node: NodeRef, declared: () => string): GoValue {
  const inside = indirect(receiver);
  if (inside instanceof GoMap && takesName(inside)) {
    const found = inside.at(name);
    return found === undefined ? missing(state, inside, name, node) : found;
  }
  if (inside instanceof GoStruct && inside.type.field(name) !== undefined) {
    if (!/^\p{Lu}/u.test(name)) throw new ExecFailure(`${name} is an unexported field of struct type ${declared()}`, node);
    return inside.field(name);
  }
  throw noField(receiver, name, node, declared());
}

function fieldOfNil(state: ExecState, name: string, node: NodeRef): undefined {
  if (state.missingKey === "error") throw new ExecFailure(`nil data; no entry for key ${quote(name)}`, node);
  return undefined;
}

function takesName(map: GoMap): boolean {
  return isAssignable(types.string, map.type.key ?? types.any);
}

function noField(receiver: GoValue, name: string, node: NodeRef, declared: string): ExecFailure {
  const inside = indirect(receiver);
  const isNil = inside === null || (inside instanceof Pointer && inside.isNil);
  const target = reflectTypeOf(inside)?.elem;
  const lacksField = target?.kind === "struct" && target.field(name) === undefined;
  if (isNil && !lacksField) return new ExecFailure(`nil pointer evaluating ${declared}.${name}`, node);
  return new ExecFailure(`can't evaluate field ${name} in type ${declared}`, node);
}

/** The declared type name of a value: that of the interface if its container holds one. */
function declaredType(value: GoValue, container: GoValue, key: string): string {
  const own = reflectTypeOf(indirect(container));
  const declared = own?.methods.get(key)?.type.results?.[0] ?? own?.field(key)?.type ?? own?.elem;
  return declared?.kind === "interface" ? declared.name : value === null ? "interface {}" : typeName(value);
}

/**
 * The value as its declared interface type, for `slice`, the only function that does not unwrap interfaces: it rejects numbers of
 * an `[]interface {}` as indexes.
 */
export function asDeclared(value: GoValue, container: GoValue, key: string): GoValue {
  if (value === undefined) return undefined;
  const name = declaredType(value, container, key);
  return name === types.any.name ? new GoStruct(types.any) : value;
}

/** The method of a value, or of its address. */
function methodOf(receiver: GoValue, name: string): GoFunction | undefined {
  if (typeof receiver !== "object" || receiver === null) return undefined;
  let reached: GoValue = receiver;
  let methods = reflectTypeOf(receiver)?.methods;
  while (reached instanceof Pointer && !reached.isNil) {
    methods = reached.type.methods;
    reached = reached.target;
  }
  if (reached instanceof Pointer) methods = reached.type.methods;
  const found = methods?.get(name);
  if (found !== undefined || !(reached instanceof GoStruct) || !reached.addressable) return found;
  return reached.type.pointerMethods.get(name);
}

function callWithoutArguments(
  method: GoFunction,
  receiver: GoValue,
  name: string,
  { node, whole }: { readonly node: NodeRef; readonly whole: NodeRef },
): GoValue {
  const { parameters = [], variadic } = method.type;
  const wanted = variadic ? parameters.length - 1 : parameters.length;
  if (wanted > 0) {
    throw new ExecFailure(`wrong number of args for ${name}: want ${variadic ? "at least " : ""}${wanted} got 0`, node);
  }
  const objection = objectionToSignature(name, method.type);
  if (objection !== undefined) throw new ExecFailure(objection, node);
  return callMethod(method, receiver, [], name, whole);
}

/** Calls a method. Wraps its error as Go does. */
export function callMethod(method: GoFunction, receiver: GoValue, args: readonly GoValue[], name: string, node: NodeRef): GoValue {
  for (const each of args) weighArgument(each);
  try {
    const result: GoValue = Reflect.apply(method.call, undefined, [receiverOf(receiver), ...args]);
    weighResult(result);
    return result;
  } catch (error) {
    if (error instanceof GoError) throw new ExecFailure(`error calling ${name}: ${error.message}`, node, error);
    throw error;
  }
}

/** The method for a call with `args` arguments, `all` with the piped one. Fails if there is none. */
export function methodFor(
  state: ExecState,
  receiver: GoValue,
  name: string,
  args: number,
  all: number,
  node: NodeRef,
  container: GoValue,
  key: string,
): GoFunction | undefined {
  if (receiver === undefined) return fieldOfNil(state, name, node);
  const method = methodOf(receiver, name);
  if (method === undefined) throw notCallable(receiver, name, node, declaredType(receiver, container, key));
  const { parameters = [], variadic } = method.type;
  if (variadic && all < parameters.length - 1) {
    throw new ExecFailure(`wrong number of args for ${name}: want at least ${parameters.length - 1} got ${args}`, node);
  }
  if (!variadic && all !== parameters.length) {
    throw new ExecFailure(`wrong number of args for ${name}: want ${parameters.length} got ${all}`, node);
  }
  const objection = objectionToSignature(name, method.type);
  if (objection !== undefined) throw new ExecFailure(objection, node);
  return method;
}

function notCallable(receiver: GoValue, name: string, node: NodeRef, declared: string): ExecFailure {
  const inside = indirect(receiver);
  if (inside instanceof GoMap && takesName(inside)) return new ExecFailure(`${name} is not a method but has arguments`, node);
  if (inside instanceof GoStruct && inside.type.field(name) !== undefined) {
    if (!/^\p{Lu}/u.test(name)) return new ExecFailure(`${name} is an unexported field of struct type ${declared}`, node);
    return new ExecFailure(`${name} has arguments but cannot be invoked as function`, node);
  }
  return noField(receiver, name, node, declared);
}
