import type { CompileModes } from "./expression-emitter.ts";

export const allModes: CompileModes = { yields: true, environments: true };

/** What gives a script all globals at once, or lets it exchange them. */
const allGlobals = ["_G", "getfenv", "setfenv", "load", "loadstring"];

/**
 * What a script can do that has to be compiled for, by the globals and modules that it can get hold of. Either mode makes
 * it several times slower, so that a field or a comment in which the same words stand does not count.
 */
export function modesFor(reached: ReadonlySet<string>): CompileModes {
  const environments = allGlobals.some((name) => reached.has(name));
  return { yields: environments || reached.has("coroutine"), environments };
}
