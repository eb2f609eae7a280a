import { get, getName, method, set, setName } from "../run/access.ts";
import { call0, call1, call2, call3, callAll, callYielding, closure, tail, tailYielding, yielding } from "../run/call.ts";
import { argTable, loopNumbers, TableMaker } from "../run/construct.ts";
import { withEnvironment } from "../run/environment.ts";
import { LuaFault } from "../run/error.ts";
import { walk } from "../run/iterate.ts";
import { machine, outOfFuel } from "../run/machine.ts";
import * as operators from "../run/operator.ts";
import { type LuaTable, newTable } from "../run/table.ts";
import { all, first, nothing, type LuaFunction } from "../run/value.ts";
import { Emitter } from "./emitter.ts";
import { everything, modesFor } from "./modes.ts";
import { parse } from "./parser.ts";

/** A compiled script: given the globals, its main function. */
export type Program = (globals: LuaTable) => LuaFunction;

/** All that a compiled script calls, under the names that it uses. */
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
  get,
  getName,
  method,
  set,
  setName,
  newTable,
  TableMaker,
  argTable,
  loopNumbers,
  all,
  first,
  nothing,
  walk,
  outOfFuel,
  withEnvironment,
};
const runtimeNames = Object.keys(runtime);
const longestSource = 1 << 18;

/**
 * Compiles a script (one byte a character); throws a LuaFault of reason `syntax` if it is not Lua. One that is loaded by
 * another may be called by whatever that one does.
 */
export function compileProgram(source: string, chunk: string, isLoaded = false): Program {
  if (source.length > longestSource) throw new LuaFault("syntax", `${chunk}:1: the script is longer than ${longestSource} bytes`);
  try {
    return link(source, chunk, isLoaded);
  } catch (error) {
    if (error instanceof RangeError) throw new LuaFault("syntax", `${chunk}:1: the script is nested too deeply`);
    throw error;
  }
}

function link(source: string, chunk: string, isLoaded: boolean): Program {
  const { main, reached } = parse(source, chunk);
  const emitter = new Emitter(chunk, isLoaded ? everything : modesFor(reached));
  const text = emitter.emitFunction(main);
  const constants = emitter.constants.map((_, index) => `k${index} = K[${index}]`);
  const sites = emitter.sites.map((_, index) => `s${index} = S[${index}]`);
  const names = [`{${runtimeNames.join(",")}} = R`, ...constants, ...sites].join(",");
  // The only way to code that the engine compiles. The text was made by the emitter and holds nothing of the script's.
  // oxlint-disable-next-line no-new-func
  const make = new Function("R", "K", "S", `"use strict";const ${names};return (G) => {const E = {globals: G};return ${text};};`) as (
    ...parts: unknown[]
  ) => Program;
  return make(runtime, emitter.constants, emitter.sites);
}
