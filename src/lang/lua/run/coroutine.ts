import { LimitReached, LuaError } from "./error.ts";
import { allocate, machine, type DebugLocation } from "./machine.ts";
import { asLuaError } from "./protected-call.ts";
import { allValues, type LuaFunction, type LuaResult, type LuaValue } from "./value.ts";

type Running = Generator<LuaValue[], LuaResult, LuaValue[]>;

/** A coroutine: a suspended generator with its own call stack. */
export class Coroutine {
  status: "suspended" | "running" | "normal" | "dead" = "suspended";
  readonly body: LuaFunction;
  #running: Running | undefined;
  #callStack: (DebugLocation | undefined)[] = [];
  #depth = 0;

  constructor(body: LuaFunction) {
    allocate(1024);
    this.body = body;
  }

  /** Runs until the coroutine yields, returns or fails. Throws its error. */
  resume(args: LuaValue[]): LuaValue[] {
    const resumer = Coroutine.current;
    const { callStack, depth, depthLimit } = machine;
    if (depth >= depthLimit) throw new LuaError("stack overflow");
    if (resumer !== undefined) resumer.status = "normal";
    Coroutine.current = this;
    this.status = "running";
    machine.callStack = this.#callStack;
    machine.depth = this.#depth;
    // The resumers' part of the stack counts against this coroutine.
    machine.depthLimit = depthLimit - depth;
    try {
      return this.#advance(args);
    } catch (error) {
      this.status = "dead";
      throw error instanceof LimitReached ? error : asLuaError(error);
    } finally {
      this.#depth = machine.depth;
      machine.callStack = callStack;
      machine.depth = depth;
      machine.depthLimit = depthLimit;
      Coroutine.current = resumer;
      if (resumer !== undefined) resumer.status = "running";
    }
  }

  #advance(args: LuaValue[]): LuaValue[] {
    const { generator } = this.body;
    if (generator === undefined) {
      const result = allValues(this.body(...args));
      this.status = "dead";
      return result;
    }
    const running = (this.#running ??= generator(...args));
    const { done, value } = running.next(args);
    this.status = done === true ? "dead" : "suspended";
    return allValues(value);
  }

  /** The running coroutine; undefined in the main program. */
  static current: Coroutine | undefined = undefined;
}
