import type { ScriptEnvironment } from "../../sveltos/script/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import type { Terminal } from "../terminal.ts";

/** The environment of a script on the command line: the clock, randomness, and its output on standard error. */
export function scriptEnvironment({ err, paint }: Terminal): ScriptEnvironment {
  const clock = new RealClock();
  return { now: () => Math.floor(clock.now() / 1000), random: () => Math.random(), print: (line) => err(paint.dim(line)) };
}
