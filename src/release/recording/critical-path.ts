import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import { phaseOf, type EndedRun, type EndedStep, type Phase } from "./ended-run.ts";

/** A step that the end has waited for. Times are in ms since the start of the timeline. */
export type PathLink = {
  readonly ref: ObjectRef;
  /** `record`: the release's record was written. */
  readonly phase: Phase | "record";
  readonly fromMs: number;
  readonly toMs: number;
  /** Why it did not start before the link before it had ended. */
  readonly after?: string;
  /** What it waited for longest. */
  readonly because?: string;
};

/** Over all runs: what each has waited for, up to its end or until it was killed. */
export function criticalPathOf(runs: readonly EndedRun[], startMs: number): readonly PathLink[] {
  const paths = runs.map((run) => pathIn(run, startMs)).filter(({ length }) => length > 0);
  return joined(paths.flatMap(([first, ...rest], at) => [at === 0 ? first! : { after: carriedOn, ...first! }, ...rest]));
}

/** Between the end of the link before it and this one nobody was at work. */
const carriedOn = "it was carried on";

/** From the step that ended last, back over the need that was met last each time. */
function pathIn({ steps }: EndedRun, startMs: number): readonly PathLink[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const links: PathLink[] = [];
  const seen = new Set<string>();
  let step = steps.filter(({ outcome }) => outcome !== "skipped").reduce<EndedStep | undefined>(laterOf, undefined);
  while (step !== undefined && !seen.has(step.id)) {
    seen.add(step.id);
    links.push(linkOf(step, startMs));
    step = step.after === undefined ? undefined : byId.get(step.after.id);
  }
  return links.toReversed();
}

/** What failed made the end, not what was tidied up after it. */
function laterOf(best: EndedStep | undefined, step: EndedStep): EndedStep {
  if (best === undefined) return step;
  const [ours, theirs] = [step, best].map(({ outcome }) => (outcome === "failed" ? 1 : 0));
  if (ours !== theirs) return ours! > theirs! ? step : best;
  return step.endedAtMs >= best.endedAtMs ? step : best;
}

function linkOf(step: EndedStep, startMs: number): PathLink {
  const { ref, verb, after, startedAtMs, endedAtMs } = step;
  const because = longestReason(step);
  return {
    ref,
    phase: verb === "record" ? "record" : phaseOf(step),
    fromMs: startedAtMs - startMs,
    toMs: endedAtMs - startMs,
    ...(after === undefined || after.because === "" ? {} : { after: after.because }),
    ...(because === undefined ? {} : { because }),
  };
}

function longestReason({ waits, endedAtMs, outcome, because }: EndedStep): string | undefined {
  if (outcome === "failed") return because;
  const lengthAt = (at: number) => (waits[at + 1]?.atMs ?? endedAtMs) - waits[at]!.atMs;
  const [longest] = [...waits.keys()].toSorted((a, b) => lengthAt(b) - lengthAt(a));
  return longest === undefined ? undefined : waits[longest]!.because;
}

/** The second link begins where the first did, and for its reason. */
function continued({ fromMs, after, because }: PathLink, { after: _within, ...link }: PathLink): PathLink {
  return { ...(because === undefined ? {} : { because }), ...link, fromMs, ...(after === undefined ? {} : { after }) };
}

/** The apply of an object and the wait for it are one link, as are records that follow each other. */
function joined(links: readonly PathLink[]): readonly PathLink[] {
  const result: PathLink[] = [];
  for (const link of links) {
    const last = result.at(-1);
    if (last === undefined || keyOf(last.ref) !== keyOf(link.ref)) result.push(link);
    else result[result.length - 1] = continued(last, link);
  }
  return result;
}
