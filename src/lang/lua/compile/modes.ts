import type { CompileModes } from "./expression-emitter.ts";

export const allModes: CompileModes = { yields: true, environments: true };

/** Globals that give access to all globals, or replace them. */
const allGlobals = ["_G", "getfenv", "setfenv", "load", "loadstring"];

/**
 * The modes that a script needs, by the globals and modules it names. Either mode makes it several times slower, so fields and
 * comments with these names do not count.
 */
export function modesFor(reached: ReadonlySet<string>): CompileModes {
  const environments = allGlobals.some((name) => reached.has(name));
  return { yields: environments || reached.has("coroutine"), environments };
}
