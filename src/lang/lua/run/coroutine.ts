import { LimitReached, LuaError } from "./error.ts";
import { allocate, machine, type DebugLocation } from "./machine.ts";
import { asLuaError } from "./protected-call.ts";
import { allValues, type LuaFunction, type LuaResult, type LuaValue } from "./value.ts";

type Running = Generator<LuaValue[], LuaResult, LuaValue[]>;

/** A coroutine: a generator that is under way, with a call stack of its own. */
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

  /** Goes on until it yields, returns or fails; what it fails with is thrown. */
  resume(args: LuaValue[]): LuaValue[] {
    const resumer = Coroutine.current;
    const { callStack, depth, depthLimit } = machine;
    if (depth >= depthLimit) throw new LuaError("stack overflow");
    if (resumer !== undefined) resumer.status = "normal";
    Coroutine.current = this;
    this.status = "running";
    machine.callStack = this.#callStack;
    machine.depth = this.#depth;
    // What the resumers hold of the stack is not there for this one.
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

  /** The coroutine that is running; nothing in the main program. */
  static current: Coroutine | undefined = undefined;
}
