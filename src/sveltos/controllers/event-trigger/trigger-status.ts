import {
  clusterReference,
  clusterReferredTo,
  valueHash,
  type ClusterId,
  type EventTriggerStatus,
  type ObjectReference,
} from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { fieldsAt, listAt, numberAt, stringAt, type Condition, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ClusterResult, TriggerFailure } from "./cluster-results.ts";
import { clusterAsInLabels } from "./trigger-cluster-pair.ts";

type ClusterInfo = NonNullable<EventTriggerStatus["clusterInfo"]>[number];

export type TriggerStatusInput = {
  /** What is wrong with the trigger itself. */
  readonly objection: TriggerFailure | undefined;
  /** By `clusterKey`, for every cluster that was reconciled. The status keeps its entries of other clusters. */
  readonly results: ReadonlyMap<string, ClusterResult>;
  /** How the generated profiles of a cluster are deployed. */
  readonly deploymentOf: (result: ClusterResult) => { readonly failures: readonly TriggerFailure[]; readonly isProgressing: boolean };
  /** The conditions of the trigger, given whether it matches a cluster. */
  readonly conditions: (isMatching: boolean) => readonly Condition[] | null;
};

/** A failure, and where. */
export type ClusterFailure = TriggerFailure & { readonly cluster: ClusterId };

/** The failures that are listed for one cluster; the rest is counted. */
const maxFailures = 5;
const maxMessageLength = 1000;
/** The length of all messages of a status together: the status is sent to everybody who watches triggers. */
const maxTotalLength = 200_000;

/** The hash of nothing: the field is required and must not be empty. */
const noHash = valueHash(null);

/** A trigger's status as a merge patch, and all failures in it. */
export function triggerStatusOf(
  trigger: KubeObject,
  input: TriggerStatusInput,
): { readonly patch: Fields & { readonly conditions: readonly Condition[] | null }; readonly failures: readonly ClusterFailure[] } {
  const listed = [...input.results.values()].flatMap((result) => {
    const failures = [...(result.work?.failures ?? []), ...(result.work === undefined ? [] : input.deploymentOf(result).failures)];
    return result.work === undefined ? [] : [{ result, work: result.work, failures }];
  });
  const failing = listed.filter(({ failures }) => failures.length > 0).length;
  const longest = Math.min(maxMessageLength, Math.max(120, Math.floor(maxTotalLength / Math.max(1, failing))));
  const before = infosOf(trigger);
  const infos = listed.map(({ result, work, failures }): readonly [string, ClusterInfo] => {
    const key = clusterKey(clusterAsInLabels(result.cluster));
    const state = work.state === "Provisioned" && input.deploymentOf(result).isProgressing ? "Provisioning" : work.state;
    const message = messageOf(failures, longest) ?? work.note;
    return [
      key,
      {
        cluster: clusterReference(result.cluster),
        hash: work.hash ?? before.get(key)?.hash ?? noHash,
        status: failures.length > 0 ? "Failed" : state,
        ...(message !== undefined && { failureMessage: message }),
      },
    ];
  });
  const isOfOtherCluster = ([key]: readonly [string, unknown]) => !input.results.has(key);
  const matching = [...input.results].filter(([, { matching: matches }]) => matches);
  const matchingClusters = sorted([
    ...[...matchingBefore(trigger)].filter(isOfOtherCluster),
    ...matching.map(([key, { cluster }]) => [key, clusterReference(cluster)] as const),
  ]);
  const patch = {
    observedGeneration: numberAt(trigger, "metadata.generation") ?? null,
    failureMessage: input.objection?.message ?? null,
    matchingClusters,
    clusterInfo: sorted([...[...before].filter(isOfOtherCluster), ...infos]),
    conditions: input.conditions(matchingClusters !== null),
  };
  const all = listed.flatMap(({ result: { cluster }, failures }) => failures.map((failure) => ({ ...failure, cluster })));
  return { patch, failures: all };
}

/** The same fields of the present status, to compare with. */
export function writtenStatusOf(trigger: KubeObject): Fields {
  const absent = { observedGeneration: null, failureMessage: null, matchingClusters: null, clusterInfo: null, conditions: null };
  const status = fieldsAt(trigger, "status");
  return Object.fromEntries(Object.entries(absent).map(([field, none]) => [field, status[field] ?? none]));
}

function messageOf(failures: readonly TriggerFailure[], longest: number): string | undefined {
  if (failures.length === 0) return undefined;
  const lines = [...new Set(failures.map(({ message }) => message))];
  const rest = lines.length - maxFailures;
  const text = [...lines.slice(0, maxFailures), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function infosOf(trigger: KubeObject): ReadonlyMap<string, ClusterInfo> {
  return new Map(
    listAt(trigger, "status.clusterInfo").flatMap((info): (readonly [string, ClusterInfo])[] => {
      const cluster = referenceAt(info["cluster"]);
      const id = clusterReferredTo(cluster);
      if (id === undefined) return [];
      const status = stateOf(stringAt(info, "status"));
      const failureMessage = stringAt(info, "failureMessage");
      const rest = { ...(status !== undefined && { status }), ...(failureMessage !== undefined && { failureMessage }) };
      return [[clusterKey(clusterAsInLabels(id)), { cluster, hash: stringAt(info, "hash", ""), ...rest }]];
    }),
  );
}

function matchingBefore(trigger: KubeObject): ReadonlyMap<string, ObjectReference> {
  return new Map(
    listAt(trigger, "status.matchingClusters").flatMap((item): (readonly [string, ObjectReference])[] => {
      const reference = referenceAt(item);
      const id = clusterReferredTo(reference);
      return id === undefined ? [] : [[clusterKey(clusterAsInLabels(id)), reference]];
    }),
  );
}

/** The clusters in the status of a trigger. */
export function clustersInStatus(trigger: KubeObject): readonly string[] {
  return [...new Set([...infosOf(trigger).keys(), ...matchingBefore(trigger).keys()])];
}

function referenceAt(value: unknown): ObjectReference {
  const text = (field: string) => stringAt(value, field, "");
  return { apiVersion: text("apiVersion"), kind: text("kind"), namespace: text("namespace"), name: text("name") };
}

const states = ["Provisioning", "Provisioned", "Failed", "FailedNonRetriable", "Removing", "Removed"] as const;

function stateOf(text: string | undefined): (typeof states)[number] | undefined {
  return states.find((state) => state === text);
}

/** Sorted by cluster; null when empty. */
function sorted<T>(items: readonly (readonly [string, T])[]): readonly T[] | null {
  return items.length === 0 ? null : items.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
