import type { Case } from "./case.ts";
import { differences } from "./diff.ts";
import { runCase, type Heard } from "./run.ts";
import type { Site } from "./site.ts";

/** How a case went: what was heard, or why it could not be played to its end. */
export type Outcome = { readonly subject: Case; readonly heard: readonly Heard[] } | { readonly subject: Case; readonly error: unknown };

/** Plays cases, so many at a time. `run` tells the names of this run from those of any other on the same cluster. */
export async function* playCases(
  cases: readonly Case[],
  site: Site,
  run: string,
  { atOnce = 1 }: { atOnce?: number } = {},
): AsyncGenerator<Outcome> {
  const waiting = [...cases];
  const playing = new Map<string, Promise<Outcome>>();
  while (waiting.length > 0 || playing.size > 0) {
    while (playing.size < atOnce && waiting.length > 0) {
      const subject = waiting.shift()!;
      playing.set(subject.id, played(subject, site, run));
    }
    const outcome = await Promise.race(playing.values());
    playing.delete(outcome.subject.id);
    yield outcome;
  }
}

async function played(subject: Case, site: Site, run: string): Promise<Outcome> {
  try {
    return { subject, heard: await runCase(subject, site, run) };
  } catch (error) {
    return { subject, error };
  }
}

/** What is wrong with how a case went, as lines; none when it went as recorded. */
export function faultsOf(outcome: Outcome, recorded: readonly Heard[] | undefined): string[] {
  if ("error" in outcome) return [outcome.error instanceof Error ? outcome.error.message : String(outcome.error)];
  if (recorded === undefined) return ["not recorded: run npm run conformance:record"];
  const { heard } = outcome;
  if (heard.length !== recorded.length) return [`${recorded.length} steps are recorded, ${heard.length} were played: record anew`];
  return heard.flatMap(({ step, heard: got }, index) => {
    const known = recorded[index]!;
    if (known.step !== step) return [`step ${known.step} is recorded, ${step} was played: record anew`];
    const lines = differences(known.heard, got);
    return lines.length === 0 ? [] : [step, ...lines.map((line) => `  ${line}`)];
  });
}
