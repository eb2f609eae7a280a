import { watch } from "node:fs/promises";
import { RealClock, sleep } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { formatOutput } from "../format-output.ts";
import { hasPassed, printResults, resultData, testFolders } from "../events/test-folders.ts";
import { scriptEnvironment } from "../events/script-environment.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { EventsTestFlags } from "../command-group/events.ts";

/** Editors write a file in several steps, so the files are read this long after the first change. */
const settleMs = 50;

/**
 * Evaluates EventSources on the objects in files beside them. Exit code 1 when a result is not as expected or a file cannot be
 * read. With --watch it runs again whenever a file changes, until it is interrupted.
 */
export async function eventsTest(root: string, options: EventsTestFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (!options.watch) return once(root, options, terminal);
  // The watch is opened before the first run, so that no change is missed between them.
  const changes = watch(root, { recursive: true, signal })[Symbol.asyncIterator]();
  let next = changes.next();
  for (;;) {
    const code = await once(root, options, terminal);
    try {
      await next;
      await sleep(new RealClock(), settleMs, signal);
      next = changes.next();
    } catch (error) {
      if (signal.aborted) return code;
      throw error;
    }
  }
}

async function once(root: string, { output }: EventsTestFlags, terminal: Terminal): Promise<number> {
  const trials = await testFolders(root, scriptEnvironment(terminal));
  if (trials.length === 0)
    throw new Fault(`no eventsource.yaml at or below ${root}: expected folders with eventsource.yaml, matching.yaml and non-matching.yaml`);
  if (output === "json") terminal.out(formatOutput(resultData(trials), "json"));
  else printResults(trials, terminal);
  return trials.every(hasPassed) ? exitCodes.ok : exitCodes.failed;
}
