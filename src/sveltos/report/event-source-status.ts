import { clusterReference, type ClusterId, type EventSourceStatus } from "../api/index.ts";
import type { MatchFailure, EvaluationResult } from "../evaluate/index.ts";
import { objectReferenceOf } from "./event-report.ts";

/** One entry of an EventSource's `status.clusterInfo`. */
type ClusterInfo = NonNullable<EventSourceStatus["clusterInfo"]>[number];
type EvaluationFailure = NonNullable<ClusterInfo["failures"]>[number];

/** A script that fails usually fails on all objects, so the list is cut. */
const maxFailures = 20;
/** Messages of scripts have no limit. */
const maxMessageLength = 512;

/**
 * The `clusterInfo` entry of one cluster: the number of matches, and the failures, those of the EventSource itself first.
 * Without a cluster it is the entry of the agent's own cluster.
 */
export function clusterInfoFor(result: EvaluationResult, cluster?: ClusterId): ClusterInfo {
  const { matches, failures, notServed = [] } = result;
  const sorted = failures.toSorted((a, b) => rank(a) - rank(b));
  const listed = sorted.slice(0, maxFailures);
  return {
    ...(cluster !== undefined && { cluster: clusterReference(cluster) }),
    matchingResources: matches.length,
    ...(listed.length > 0 && {
      failures: [...listed.map(failureOf), ...unlistedFailures(sorted.slice(maxFailures))],
    }),
    ...(notServed.length > 0 && { notServed }),
  };
}

/** The status of an EventSource over all clusters in which it is evaluated. */
export function buildEventSourceStatus(
  generation: number | undefined,
  clusters: readonly ClusterInfo[],
  failureMessage?: string,
): EventSourceStatus {
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    matchingResources: clusters.reduce((sum, { matchingResources }) => sum + matchingResources, 0),
    ...(failureMessage !== undefined && { failureMessage }),
    ...(clusters.length > 0 && { clusterInfo: clusters }),
  };
}

/** Those that are not listed, in one entry. The first one stands for all: the worst come first. */
function unlistedFailures(failures: readonly MatchFailure[]): readonly EvaluationFailure[] {
  const [first] = failures;
  return first === undefined ? [] : [failureOf({ reason: `${failures.length} more objects could not be judged`, effect: first.effect })];
}

function rank({ ref, effect }: MatchFailure): number {
  if (ref === undefined) return 0;
  return effect === "kept" ? 1 : 2;
}

function failureOf({ ref, reason, effect }: MatchFailure): EvaluationFailure {
  const message = truncated(ref !== undefined && effect === "kept" ? `${reason} (its last verdict holds)` : reason);
  const failure = { message, ...(effect === "skipped" && { effect: "Skipped" as const }) };
  return ref === undefined ? failure : { resource: objectReferenceOf(ref), ...failure };
}

function truncated(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message;
}
