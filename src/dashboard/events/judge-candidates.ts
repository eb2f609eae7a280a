import { Fault } from "../../core/fault/index.ts";
import { apiVersionOf, approximateSize, keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import { isUnknownKind, type Cluster } from "../../kube/index.ts";
import { valueHash, type EventSource, type ResourceSelector } from "../../sveltos/api/index.ts";
import { compileMetadata, readMatchOutput, type MatchResult } from "../../sveltos/evaluate/index.ts";
import { BatchRunner, type BatchOutcome, type TaskRunner } from "../../worker/index.ts";
import type { CandidateVerdict, EventCandidate, EventCandidates } from "../api/index.ts";
import { objectNameOf } from "./report-outline.ts";

type JudgeOptions = {
  /** Runs the scripts and rules of others elsewhere. Without it only names and labels are judged. */
  readonly tasks?: TaskRunner | undefined;
  readonly signal: AbortSignal;
};

/** When there are so many objects no more are read, and so many candidates are sent. */
const maxObjects = 2000;
const maxSent = 50;

/** The nearer to a match, the earlier. */
const verdicts: readonly CandidateVerdict[] = ["matching", "failed", "rejected", "labels", "different"];

/** Judges the objects of a cluster by an EventSource: which match now, which come near, and why not. It changes nothing. */
export async function judgeCandidates(
  source: EventSource,
  cluster: Cluster,
  { tasks, signal }: JudgeOptions,
): Promise<Omit<EventCandidates, "source">> {
  const { objects, notices } = await listObjects(source, cluster, signal);
  const judged = new Map<string, EventCandidate>();
  const open: KubeObject[] = [];
  for (const object of objects) {
    const verdict = judgeMetadata(source, object);
    if (verdict === undefined && tasks !== undefined) open.push(object);
    else judged.set(keyOf(refOf(object)), candidate(object, ...(verdict ?? unjudged)));
  }
  if (tasks === undefined && objects.some((object) => judgeMetadata(source, object) === undefined))
    notices.push("Scripts and rules are not run here, so that names and labels alone are judged.");
  if (tasks !== undefined && open.length > 0)
    await judgePrograms(source, open, cluster, { tasks, signal }, (each) => judged.set(keyOf(refOf(each.object)), each.candidate));
  if (source.aggregatedSelection.trim() !== "")
    notices.push("The script of aggregatedSelection chooses among those that match here; it is not run for this list.");
  return { ...sorted([...judged.values()]), notices };
}

const unjudged = ["rejected", "a script or rule decides"] as const;

function candidate(object: KubeObject, verdict: CandidateVerdict, because: string): EventCandidate {
  return { ref: objectNameOf(refOf(object)), verdict, because };
}

function sorted(all: readonly EventCandidate[]): Pick<EventCandidates, "candidates" | "counts"> {
  const counts = { matching: 0, failed: 0, rejected: 0, labels: 0, different: 0 };
  for (const { verdict } of all) counts[verdict]++;
  const near = all.filter(({ verdict }) => verdict !== "different");
  return { candidates: near.toSorted((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict)).slice(0, maxSent), counts };
}

/** Lists what the selectors are about. Where each names a namespace, others are not read: nothing in them comes near. */
async function listObjects(source: EventSource, cluster: Cluster, signal: AbortSignal) {
  const notices: string[] = [];
  const objects = new Map<string, KubeObject>();
  const kinds = new Map(source.selectors.map((selector) => [`${apiVersionOf(selector)} ${selector.kind} ${selector.namespace}`, selector]));
  for (const { group, version, kind, namespace } of kinds.values())
    try {
      for await (const { items } of cluster.pages({ group, version, kind }, { ...(namespace === "" ? {} : { namespace }), signal })) {
        for (const object of items) objects.set(`${version} ${keyOf(refOf(object))}`, object);
        if (objects.size < maxObjects) continue;
        notices.push(`There are more objects than the first ${objects.size}, which are judged.`);
        break;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      notices.push(isUnknownKind(error) ? `The cluster does not serve ${apiVersionOf({ group, version })} ${kind}.` : error.message);
    }
  return { objects: [...objects.values()], notices };
}

function selectorsFor({ selectors }: EventSource, object: KubeObject): readonly ResourceSelector[] {
  return selectors.filter((selector) => selector.kind === object.kind && apiVersionOf(selector) === object.apiVersion);
}

/** What names and labels say; undefined when a script or a rule decides. */
function judgeMetadata(source: EventSource, object: KubeObject): readonly [CandidateVerdict, string] | undefined {
  const results = selectorsFor(source, object).map((selector) => ({ selector, result: compileMetadata(selector).matchMetadata(object) }));
  if (results.some(({ result }) => result?.state === "matching")) return ["matching", "names and labels decide"];
  if (results.some(({ result }) => result === undefined)) return undefined;
  const because = results.flatMap(({ result }) => (result?.state === "different" ? [result.because] : [])).join("; ");
  const isNear = results.some(
    ({ selector }) => compileMetadata({ ...selector, selector: {} }).matchMetadata(object)?.state !== "different",
  );
  return [isNear ? "labels" : "different", because];
}

type Judged = { readonly object: KubeObject; readonly candidate: EventCandidate };

async function judgePrograms(
  { metadata: { name }, selectors, aggregatedSelection }: EventSource,
  objects: readonly KubeObject[],
  { clock }: Cluster,
  { tasks, signal }: { readonly tasks: TaskRunner; readonly signal: AbortSignal },
  onJudged: (judged: Judged) => void,
): Promise<void> {
  const source = { metadata: { name }, selectors, aggregatedSelection };
  const hash = valueHash(source);
  const runner = new BatchRunner<KubeObject, readonly MatchResult[]>({
    handler: "match",
    owner: `the dashboard for EventSource ${name}`,
    subject: `dashboard EventSource ${name} ${hash}`,
    title: `EventSource ${name}`,
    tasks,
    clock,
    keyOf: (object) => keyOf(refOf(object)),
    sizeOf: approximateSize,
    inputOf: (batch) => ({ hash, source, objects: batch }),
    read: (output) => readMatchOutput(output).results,
  });
  await runner.run(objects, (object, outcome) => onJudged({ object, candidate: candidate(object, ...verdictOf(outcome)) }), signal);
  signal.throwIfAborted();
}

function verdictOf(outcome: BatchOutcome<readonly MatchResult[]>): readonly [CandidateVerdict, string] {
  if (outcome.state === "paused") return ["failed", "others before it have ended too many workers, so that it was not tried"];
  if (outcome.state === "failed") return ["failed", outcome.message];
  const { result } = outcome;
  const match = result.find(({ state }) => state === "matching");
  if (match?.state === "matching") return ["matching", match.message];
  const because = [...new Set(result.flatMap((each) => (each.state === "matching" ? [] : [each.because])))].join("; ");
  return [result.some(({ state }) => state === "failed") ? "failed" : "rejected", because];
}
