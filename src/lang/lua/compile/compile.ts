import { luaGetTable, luaGetField, method, luaSetTable, luaSetField } from "../run/access.ts";
import { call0, call1, call2, call3, callAll, callYielding, closure, tail, tailYielding, yielding } from "../run/call.ts";
import { argTable, forNumbers, TableConstructor } from "../run/table-constructor.ts";
import { withEnvironment } from "../run/function-environment.ts";
import { LuaFault } from "../run/error.ts";
import { forInIterator } from "../run/for-in.ts";
import { machine, outOfFuel } from "../run/machine.ts";
import * as operators from "../run/operator.ts";
import { type LuaTable, newTable } from "../run/table.ts";
import { allValues, firstValue, noValues, type LuaFunction } from "../run/value.ts";
import { Emitter } from "./emitter.ts";
import { allModes, modesFor } from "./modes.ts";
import { parseLua } from "./parser.ts";

/** A compiled chunk: given the globals, returns its main function. */
export type CompiledChunk = (globals: LuaTable) => LuaFunction;

/** The functions that compiled code calls, by the names it uses. */
const runtime: Readonly<Record<string, unknown>> = {
  m: machine,
  ...operators,
  call0,
  call1,
  call2,
  call3,
  callAll,
  callYielding,
  closure,
  tail,
  tailYielding,
  yielding,
  luaGetTable,
  luaGetField,
  method,
  luaSetTable,
  luaSetField,
  newTable,
  TableConstructor,
  argTable,
  forNumbers,
  allValues,
  firstValue,
  noValues,
  forInIterator,
  outOfFuel,
  withEnvironment,
};
const runtimeNames = Object.keys(runtime);
const longestSource = 1 << 18;

/**
 * Compiles a chunk (one byte per character). Throws a LuaFault of reason `syntax`. A chunk that a script loads at run time is
 * compiled for every mode, because its caller is unknown.
 */
export function compileChunk(source: string, chunk: string, isLoaded = false): CompiledChunk {
  if (source.length > longestSource) throw new LuaFault("syntax", `${chunk}:1: the script is longer than ${longestSource} bytes`);
  try {
    return link(source, chunk, isLoaded);
  } catch (error) {
    if (error instanceof RangeError) throw new LuaFault("syntax", `${chunk}:1: the script is nested too deeply`);
    throw error;
  }
}

function link(source: string, chunk: string, isLoaded: boolean): CompiledChunk {
  const { main, reached } = parseLua(source, chunk);
  const emitter = new Emitter(chunk, isLoaded ? allModes : modesFor(reached));
  const text = emitter.emitFunction(main);
  const constants = emitter.constants.map((_, index) => `k${index} = K[${index}]`);
  const locations = emitter.locations.map((_, index) => `s${index} = S[${index}]`);
  const names = [`{${runtimeNames.join(",")}} = R`, ...constants, ...locations].join(",");
  // The only way to code that the engine compiles. The text was made by the emitter and holds nothing of the script's.
  // oxlint-disable-next-line no-new-func
  const make = new Function("R", "K", "S", `"use strict";const ${names};return (G) => {const E = {globals: G};return ${text};};`) as (
    ...parts: unknown[]
  ) => CompiledChunk;
  return make(runtime, emitter.constants, emitter.locations);
}
