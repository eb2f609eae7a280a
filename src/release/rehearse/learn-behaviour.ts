import type { Behaviour, BehaviourRule } from "../../embedded/index.ts";
import type { RecordedPod } from "../recording/index.ts";
import type { CustomResourceEvidence } from "./custom-resource-evidence.ts";

type RecordedContainer = RecordedPod["containers"][number];

/** What pods and custom resources have told about how long they take, and where that was read. */
export type DurationEvidence = {
  readonly from: string;
  readonly pods: readonly RecordedPod[];
  /** Default none. */
  readonly customResources?: readonly CustomResourceEvidence[];
};

/** How long something of a workload takes, and where that was learnt. */
export type LearntDurations = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly durations: Readonly<Partial<Record<DurationName, number>>>;
};

type DurationName = "schedule" | "pull" | "init" | "start" | "ready" | "run";

/** What was learnt, as the behaviour of an embedded cluster. */
type LearntBehaviour = { readonly behaviour: Behaviour; readonly learnt: readonly LearntDurations[] };

/**
 * Learns from pods how long their workloads take, and from recorded waits how long custom resources do. The first evidence that
 * knows a workload counts, and of its pods the slowest one, for which a rollout waits. It counts for the same images, of another
 * tag how long it takes and not that it is there. An image whose last pull has failed fails again. Workloads that nobody has seen
 * take after pods with the same image, and custom resources after the slowest of their kind.
 */
export function learnBehaviour(evidence: readonly DurationEvidence[]): LearntBehaviour {
  const workloads = new Map<string, { readonly from: string; readonly pod: RecordedPod }>();
  for (const { from, pods } of evidence)
    for (const [key, pod] of slowestPods(pods)) if (!workloads.has(key)) workloads.set(key, { from, pod });
  const found = [...workloads.values()];
  const learnt = found.map(({ from, pod }) => ({ from, ...pod.owner, namespace: pod.namespace, durations: durationsOf(pod) }));
  const custom = evidence.flatMap(({ from, customResources = [] }) => customResources.map((each) => ({ from, ...each })));
  const rules = [
    ...failedPullRules(evidence.flatMap(({ pods }) => pods)),
    ...found.flatMap(({ pod }) => workloadRules(pod)),
    ...found.flatMap(({ pod }) => imageRules(pod)),
    ...customResourceRules(custom),
  ];
  return { behaviour: { rules }, learnt: [...learnt, ...custom.map(learntOfCustomResource)] };
}

function learntOfCustomResource({
  from,
  ref: { kind, namespace, name },
  readyMs,
}: CustomResourceEvidence & { readonly from: string }): LearntDurations {
  return { from, kind, namespace, name, durations: { ready: readyMs } };
}

/** One for each that was seen, and one for others of its kind. */
function customResourceRules(evidence: readonly CustomResourceEvidence[]): readonly BehaviourRule[] {
  const slowest = new Map(evidence.toSorted((a, b) => a.readyMs - b.readyMs).map((each) => [each.crd, each]));
  return [
    ...evidence.map((each) => conditionRule(placeOf(each.ref), each)),
    ...[...slowest.values()].map((each) => conditionRule({}, each)),
  ];
}

function placeOf({ namespace, name }: CustomResourceEvidence["ref"]): BehaviourRule["match"] {
  return { workload: name, ...(namespace === "" ? {} : { namespace }) };
}

function conditionRule(place: BehaviourRule["match"], { crd, ref, conditions, readyMs }: CustomResourceEvidence): BehaviourRule {
  return {
    match: { crd, kind: ref.kind, ...place },
    conditions: conditions.map((condition) => ({ ...condition, after: { fixed: readyMs } })),
  };
}

/** By workload. A pod that neither got ready nor ended tells nothing. */
function slowestPods(pods: readonly RecordedPod[]): ReadonlyMap<string, RecordedPod> {
  const slowest = new Map<string, RecordedPod>();
  for (const pod of pods) {
    const took = lengthOf(pod);
    const key = `${pod.namespace}/${pod.owner.kind}/${pod.owner.name}`;
    const known = slowest.get(key);
    if (took !== undefined && (known === undefined || took > lengthOf(known)!)) slowest.set(key, pod);
  }
  return slowest;
}

function lengthOf(pod: RecordedPod): number | undefined {
  const end =
    pod.owner.kind === "Job" ? Math.max(...mainContainers(pod).map(({ finishedAtMs = Number.NaN }) => finishedAtMs)) : pod.readyAtMs;
  return end === undefined || Number.isNaN(end) ? undefined : end - pod.createdAtMs;
}

function mainContainers({ containers }: RecordedPod): readonly RecordedContainer[] {
  return containers.filter(({ init }) => init !== true);
}

/** The last try of each image counts, whichever pod made it. What was not pulled is reported as the pod has it. */
function failedPullRules(pods: readonly RecordedPod[]): readonly BehaviourRule[] {
  const failed = new Map<string, string>();
  for (const { containers } of pods.toSorted((a, b) => a.createdAtMs - b.createdAtMs))
    for (const { image, pullError, startedAtMs } of containers) {
      if (pullError !== undefined) failed.set(image, pullError);
      else if (startedAtMs !== undefined) for (const name of failed.keys()) if (isSameImage(image, name)) failed.delete(name);
    }
  return [...failed].map(([image, fail]) => ({ match: { image }, pull: { after: { fixed: failedPullMs }, fail } }));
}

/** A runtime reports `web:1` as `docker.io/library/web:1`. */
function isSameImage(reported: string, image: string): boolean {
  return reported === image || reported.endsWith(`/${image}`);
}

/** Nobody records how long a registry takes to say no. */
const failedPullMs = 1000;

/** Rules for each container by its image, for what the pod as a whole does by that of any. */
function workloadRules(pod: RecordedPod): readonly BehaviourRule[] {
  const { owner, namespace } = pod;
  const match = { kind: owner.kind, workload: owner.name, namespace };
  const main = mainContainers(pod);
  const whole = durationsOf(pod);
  return [
    ...main.flatMap(({ image }, at) => imageMatches(image, main.length === 1 ? whole : durationsOf(pod, main[at]), match)),
    ...pod.containers
      .filter(({ init }) => init === true)
      .flatMap(({ image }) => imageMatches(image, partOf(whole, "schedule", "pull", "init", "start"), match)),
  ];
}

/** Only what the image itself decides: how long it takes to pull and to start. */
function imageRules(pod: RecordedPod): readonly BehaviourRule[] {
  return mainContainers(pod).flatMap((container) =>
    imageMatches(container.image, partOf(durationsOf(pod, container), "pull", "start"), {}),
  );
}

function partOf(durations: LearntDurations["durations"], ...names: readonly DurationName[]): LearntDurations["durations"] {
  return Object.fromEntries(names.flatMap((name) => (durations[name] === undefined ? [] : [[name, durations[name]]])));
}

/** What was seen of an image holds for it as it is tagged; of another tag nobody knows whether it is in its registry. */
function imageMatches(image: string, durations: LearntDurations["durations"], match: BehaviourRule["match"]): readonly BehaviourRule[] {
  const name = imageName(image);
  const other = ruleOf(match, durations);
  const guessed = other.pull === undefined ? other : { ...other, pull: { ...other.pull, timeOnly: true } };
  return [
    ruleOf({ ...match, image: `*${taggedName(image)}` }, durations),
    ...["", ":*", "@*"].map((tag) => ({ ...guessed, match: { ...match, image: `*${name}${tag}` } })),
  ];
}

function ruleOf(match: BehaviourRule["match"], { schedule, pull, init, start, ready, run }: LearntDurations["durations"]): BehaviourRule {
  return {
    match,
    ...(schedule === undefined ? {} : { schedule: { after: { fixed: schedule } } }),
    ...(pull === undefined ? {} : { pull: { after: { fixed: pull } } }),
    ...(init === undefined ? {} : { init: { fixed: init } }),
    ...(start === undefined ? {} : { start: { fixed: start } }),
    ...(ready === undefined ? {} : { ready: { after: { fixed: ready } } }),
    ...(run === undefined ? {} : { run: { after: { fixed: run } } }),
  };
}

/** Of one container, or of the one that started last. Times have whole seconds; together they make up the whole. */
function durationsOf(pod: RecordedPod, container = lastStarted(pod)): LearntDurations["durations"] {
  const { createdAtMs, scheduledAtMs = createdAtMs, readyAtMs, owner } = pod;
  const inits = pod.containers.filter(({ init, finishedAtMs }) => init === true && finishedAtMs !== undefined);
  const initEnd = Math.max(scheduledAtMs, ...inits.map(({ finishedAtMs = 0 }) => finishedAtMs));
  const { startedAtMs, finishedAtMs, pullMs } = container ?? { restarts: 0 };
  const init = inits.reduce((sum, { startedAtMs: from = 0, finishedAtMs: to = 0 }) => sum + (to - from), 0) / Math.max(1, inits.length);
  return {
    schedule: Math.max(0, scheduledAtMs - createdAtMs),
    ...(pullMs === undefined ? { pull: 0 } : { pull: pullMs }),
    ...(inits.length === 0 ? {} : { init }),
    ...(startedAtMs === undefined ? {} : { start: Math.max(0, startedAtMs - initEnd - (pullMs ?? 0)) }),
    ...(owner.kind === "Job" || readyAtMs === undefined || startedAtMs === undefined
      ? {}
      : { ready: Math.max(0, readyAtMs - startedAtMs) }),
    ...(owner.kind !== "Job" || finishedAtMs === undefined || startedAtMs === undefined ? {} : { run: finishedAtMs - startedAtMs }),
  };
}

function lastStarted(pod: RecordedPod): RecordedContainer | undefined {
  return mainContainers(pod).toSorted((a, b) => (b.startedAtMs ?? 0) - (a.startedAtMs ?? 0))[0];
}

/** `web` of `registry.example.com/shop/web:1`: a runtime may report the rest otherwise than the pod has it. */
function imageName(image: string): string {
  return taggedName(image).replace(/[:@].*$/, "");
}

/** `web:1` of `registry.example.com/shop/web:1`. */
function taggedName(image: string): string {
  return image.split("/").at(-1)!;
}
