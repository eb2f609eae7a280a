import type { Command } from "commander";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import { candidateLines, type Candidate } from "../completion/candidate.ts";
import { readUnfinishedLine, type UnfinishedLine } from "../completion/command-line.ts";
import { completeLine, type LineCompletion } from "../completion/complete-line.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** A user who waits for a completion gives up after this long. */
const completionTimeoutMs = 2_000;

/**
 * Prints what completes `word` after `words`, one a line, and `:files` at the end where the shell is to complete the names of
 * files. Prints no error: the shell would show it in the prompt.
 */
export async function complete(
  word: string,
  words: readonly string[],
  program: Command,
  terminal: Terminal,
  signal: AbortSignal,
  clock: Clock = new RealClock(),
): Promise<number> {
  const line = readUnfinishedLine(program, words, word);
  const completion = completeLine(line);
  const names = await namesOf(completion, line, signal, clock);
  for (const text of candidateLines([...completion.candidates, ...names], word)) terminal.out(text);
  if (completion.files === true) terminal.out(":files");
  return exitCodes.ok;
}

/** None when they cannot be read, or not soon enough. */
async function namesOf(
  { names: source, prefix = "" }: LineCompletion,
  line: UnfinishedLine,
  signal: AbortSignal,
  clock: Clock,
): Promise<readonly Candidate[]> {
  if (source === undefined) return [];
  // What reads clusters is large, so it is loaded only for names.
  const { readNames } = await import("../completion/read-names.ts");
  const late = new AbortController();
  const tooLate = Promise.withResolvers<readonly Candidate[]>();
  const cancel = clock.after(completionTimeoutMs, () => {
    late.abort();
    tooLate.resolve([]);
  });
  try {
    const reading = readNames(source, line, AbortSignal.any([signal, late.signal]));
    const names = await Promise.race([reading.catch(() => []), tooLate.promise]);
    // A name must not be taken for a flag.
    return names.filter(({ value }) => !value.startsWith("-")).map(({ value, ...rest }) => ({ ...rest, value: `${prefix}${value}` }));
  } finally {
    cancel();
  }
}
