import type { Findings } from "../../evaluate/index.ts";
import { clusterInfo, isSameReport, report } from "../../report/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Post } from "./post.ts";
import { writeReport } from "./reports.ts";
import type { Statuses } from "./statuses.ts";
import type { Telling } from "./told.ts";

/** An EventSource that is evaluated from here. */
export type Sighting = {
  readonly key: string;
  readonly post: Post;
  readonly eventSource: string;
  /** The report on it in the management cluster, as far as it is known. */
  readonly there: KubeObject | undefined;
};

/** How soon objects are looked at again that had to wait for slow scripts: others get their turn in between. */
const breathMs = 20;

/** Looks at what has changed in a cluster and reports it, if it makes a difference. */
export async function reportObserved(desk: Desk, statuses: Statuses, sighting: Sighting, signal: AbortSignal): Promise<Outcome> {
  const { key, post, eventSource, there } = sighting;
  const found = post.find(eventSource);
  const observed = found?.observer.look(eventSource);
  if (found === undefined || observed === undefined || there?.metadata.deletionTimestamp !== undefined) return settled;
  const { findings, isComplete, judged, waiting } = observed;
  if (judged > 0) count(desk, findings);
  const now = { matches: findings.matches, collectResources: found.source.collectResources };
  // Where not everything could be read, nothing found is not yet a finding.
  const isWorthTelling = isComplete || there !== undefined || findings.matches.length > 0;
  let problem: string | undefined;
  if (isWorthTelling && !post.told.has(eventSource, now, there)) problem = await tell(desk, sighting, now, signal);
  statuses.say(key, eventSource, clusterInfo(withProblem(findings, problem), clusterIdOf(key)));
  return waiting === 0 ? settled : { settled: false, againInMs: breathMs };
}

/** Writes the report if it says something else than the one that is there. Answers why it cannot be written. */
async function tell(
  { hub, copies }: Desk,
  { key, post, eventSource, there }: Sighting,
  now: Telling,
  signal: AbortSignal,
): Promise<string | undefined> {
  const made = report({ eventSource, cluster: clusterIdOf(key), ...now });
  if ("problem" in made) return made.problem;
  let current = there;
  if (!isSameReport(there, made.report)) {
    current = await writeReport(hub, there, made.report, signal);
    if (current !== undefined) await copies.caughtUp([current], signal);
  }
  if (current !== undefined) post.told.set(eventSource, now, current);
  return undefined;
}

function withProblem(findings: Findings, problem: string | undefined): Findings {
  return problem === undefined ? findings : { ...findings, failures: [{ reason: problem, effect: "kept" }, ...findings.failures] };
}

function count({ chronicle }: Desk, { failures }: Findings): void {
  chronicle.count("sluice_evaluations_total");
  if (failures.length > 0) chronicle.count("sluice_evaluation_failures_total");
}
