import { podIssueOf, failingContainersOf, type FailingContainer } from "../../health/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { LogFilter } from "../order/index.ts";
import { eventText, isWarning, lastSeenAt } from "./event-text.ts";
import { lineFilterOf } from "./log-filter.ts";

/** The last log lines of a container. */
export type LogTail = { readonly pod: string; readonly container: string; readonly lines: readonly string[] };

/** Logs and events that explain a failure. */
export type Diagnostics = {
  readonly logs: readonly LogTail[];
  /** Warning events about the pods, oldest first: `pod web-1: BackOff: …`. */
  readonly events: readonly string[];
  /** Their other events, where annotations ask for them. */
  readonly normalEvents: readonly string[];
};

export const noDiagnostics: Diagnostics = { logs: [], events: [], normalEvents: [] };

/** Limits: lines shown, lines searched when a filter picks some, lines of a whole output, characters of a line. */
const shownLines = 10;
const searchedLines = 500;
const outputLines = 1_000;
const longestLine = 1_000;
const maxBytes = 256 * 1024;
/** The time limit for reading diagnostics. */
const deadlineMs = 3_000;
const maxEvents = 5;

type PodLogQuery = {
  readonly cluster: Cluster;
  /** The pods to read. */
  readonly pods: (signal: AbortSignal) => Promise<readonly KubeObject[]>;
  readonly filter: LogFilter;
  readonly signal: AbortSignal;
};

/**
 * Reads the last log lines of failed containers, and the warning events of their pods: first of those that `because` names as
 * the cause. Unreadable parts are left out.
 */
export async function readDiagnostics(question: PodLogQuery, because = ""): Promise<Diagnostics> {
  return withinDeadline(question, async (within) => {
    const pods = worstFirst(await question.pods(within.signal), because);
    const troubled = pods.filter((pod) => podIssueOf(pod) !== undefined || failingContainersOf(pod).length > 0);
    const [first] = troubled;
    if (first === undefined) return noDiagnostics;
    const withLogs = troubled.filter((pod) => failingContainersOf(pod).length > 0).slice(0, question.filter.replicas);
    const query = withLogs.flatMap((pod) => failingContainersOf(pod).map((failing) => ({ pod, witness: failing })));
    const logs = query.map(({ pod, witness: failing }) => tailOf(pod, failing, shownLines, within));
    const [events, ...tails] = await Promise.all([eventsOf(withLogs[0] ?? first, within), ...logs]);
    return { ...events, logs: tails.filter((tail) => tail !== undefined) };
  });
}

/** Reads the whole output of the containers of pods. */
export async function readOutput(question: PodLogQuery): Promise<readonly LogTail[]> {
  const found = await withinDeadline(question, async (within) => {
    const pods = await question.pods(within.signal);
    const query = pods.flatMap((pod) => containersOf(pod).map((container) => ({ pod, witness: { container, previous: false } })));
    const tails = await Promise.all(query.map(({ pod, witness: failing }) => tailOf(pod, failing, outputLines, within)));
    return { ...noDiagnostics, logs: tails.filter((tail) => tail !== undefined) };
  });
  return found.logs;
}

function containersOf(pod: KubeObject): readonly string[] {
  return [...listAt(pod, "spec.initContainers"), ...listAt(pod, "spec.containers")].map((container) => stringAt(container, "name", ""));
}

async function withinDeadline(question: PodLogQuery, gather: (within: PodLogQuery) => Promise<Diagnostics>): Promise<Diagnostics> {
  const onNotServed = new AbortController();
  const cancel = question.cluster.clock.after(deadlineMs, () => onNotServed.abort());
  try {
    return await gather({ ...question, signal: AbortSignal.any([question.signal, onNotServed.signal]) });
  } finally {
    cancel();
  }
}

async function tailOf(
  pod: KubeObject,
  { container, previous }: FailingContainer,
  most: number,
  question: PodLogQuery,
): Promise<LogTail | undefined> {
  const { cluster, filter, signal } = question;
  const isWanted = lineFilterOf(filter, container);
  if (isWanted === undefined) return undefined;
  const picks = filter.keep.length + filter.drop.length > 0;
  const options = { container, previous, tailLines: picks ? Math.max(most, searchedLines) : most, limitBytes: maxBytes, signal };
  const lines: string[] = [];
  try {
    for await (const line of cluster.logs(pod.metadata.namespace ?? "", pod.metadata.name, options))
      if (isWanted(line)) lines.push(truncate(line));
  } catch {
    // A partial log is better than none, and the failure is reported without it.
  }
  return lines.length === 0 ? undefined : { pod: pod.metadata.name, container, lines: lines.slice(-most) };
}

function truncate(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

async function eventsOf(pod: KubeObject, { cluster, filter, signal }: PodLogQuery): Promise<Omit<Diagnostics, "logs">> {
  const { name, namespace = "", uid = "" } = pod.metadata;
  const fieldSelector = `involvedObject.uid=${uid}${filter.events ? "" : ",type=Warning"}`;
  try {
    const { items } = await cluster.list({ group: "", version: "v1", kind: "Event" }, { namespace, fieldSelector, signal });
    const inOrder = items.toSorted((a, b) => (lastSeenAt(a) < lastSeenAt(b) ? -1 : 1));
    const warnings = new Map(inOrder.map((event) => [`pod ${name}: ${eventText(event)}`, isWarning(event)]));
    const latest = [...warnings].slice(-maxEvents);
    const textsOf = (warning: boolean) => latest.filter(([, is]) => is === warning).map(([text]) => text);
    return { events: textsOf(true), normalEvents: textsOf(false) };
  } catch {
    return { events: [], normalEvents: [] }; // Without the right to read events the rest is still reported.
  }
}

/** The pods that the text names, then those with a final failure, then the youngest. */
function worstFirst(pods: readonly KubeObject[], because: string): readonly KubeObject[] {
  const named = new Set([...because.matchAll(/\bpod ([\w.-]*\w)/g)].map(([, name]) => name));
  const rankOf = (pod: KubeObject) => (named.has(pod.metadata.name) ? 0 : podIssueOf(pod)?.final === true ? 1 : 2);
  const youngest = pods.toSorted((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? 1 : -1));
  return youngest.toSorted((a, b) => rankOf(a) - rankOf(b));
}
