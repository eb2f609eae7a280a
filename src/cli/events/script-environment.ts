import type { ScriptEnvironment } from "../../sveltos/script/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import type { Terminal } from "../terminal.ts";

/** What a script sees of the world when somebody tries it out: the time, chance, and a reader of what it prints. */
export function scriptEnvironment({ err, paint }: Terminal): ScriptEnvironment {
  const clock = new RealClock();
  return { now: () => Math.floor(clock.now() / 1000), random: () => Math.random(), print: (line) => err(paint.dim(line)) };
}
