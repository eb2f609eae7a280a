import { clusterReference, clusterReferredTo, valueHash, type EventTriggerStatus, type ObjectReference } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { fieldsAt, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ClusterResult, TriggerFailure } from "./cluster-results.ts";
import { clusterAsInLabels } from "./trigger-cluster-pair.ts";

type ClusterInfo = NonNullable<EventTriggerStatus["clusterInfo"]>[number];

export type TriggerStatusInput = {
  /** What is wrong with the trigger itself. */
  readonly objection: TriggerFailure | undefined;
  /** By `clusterKey`, of every cluster that was looked at; what the status says of others stays. */
  readonly results: ReadonlyMap<string, ClusterResult>;
  /** How the profiles that were made for a cluster fare. */
  readonly deploymentOf: (entry: ClusterResult) => { readonly troubles: readonly TriggerFailure[]; readonly isBusy: boolean };
};

/** The troubles that are told of one cluster; the rest is counted. */
const maxFailures = 5;
const maxMessageLength = 1000;
/** What all messages of a trigger may take: its status is sent to everybody who watches triggers. */
const maxTotalLength = 200_000;

/** Of nothing: the field is required, and the server takes no empty one. */
const noHash = valueHash(null);

/** A trigger's status as a merge patch, and every trouble that it tells of. */
export function triggerStatusOf(
  trigger: KubeObject,
  input: TriggerStatusInput,
): { readonly patch: Fields; readonly troubles: readonly TriggerFailure[] } {
  const told = [...input.results.values()].flatMap((entry) => {
    const troubles = [...(entry.work?.troubles ?? []), ...(entry.work === undefined ? [] : input.deploymentOf(entry).troubles)];
    return entry.work === undefined ? [] : [{ entry, work: entry.work, troubles }];
  });
  const failing = told.filter(({ troubles }) => troubles.length > 0).length;
  const longest = Math.min(maxMessageLength, Math.max(120, Math.floor(maxTotalLength / Math.max(1, failing))));
  const before = infosOf(trigger);
  const infos = told.map(({ entry, work, troubles }): readonly [string, ClusterInfo] => {
    const key = clusterKey(clusterAsInLabels(entry.cluster));
    const state = work.state === "Provisioned" && input.deploymentOf(entry).isBusy ? "Provisioning" : work.state;
    const message = messageOf(troubles, longest) ?? work.note;
    return [
      key,
      {
        cluster: clusterReference(entry.cluster),
        hash: work.hash ?? before.get(key)?.hash ?? noHash,
        status: troubles.length > 0 ? "Failed" : state,
        ...(message !== undefined && { failureMessage: message }),
      },
    ];
  });
  const isNews = ([key]: readonly [string, unknown]) => !input.results.has(key);
  const matching = [...input.results].filter(([, { matching: matches }]) => matches);
  const patch = {
    observedGeneration: numberAt(trigger, "metadata.generation") ?? null,
    failureMessage: input.objection?.message ?? null,
    matchingClusters: sorted([
      ...[...matchingBefore(trigger)].filter(isNews),
      ...matching.map(([key, { cluster }]) => [key, clusterReference(cluster)] as const),
    ]),
    clusterInfo: sorted([...[...before].filter(isNews), ...infos]),
  };
  return { patch, troubles: told.flatMap(({ troubles }) => troubles) };
}

/** The same fields of the status as it is, to compare with. */
export function writtenStatusOf(trigger: KubeObject): Fields {
  const { observedGeneration = null, failureMessage = null, matchingClusters = null, clusterInfo = null } = fieldsAt(trigger, "status");
  return { observedGeneration, failureMessage, matchingClusters, clusterInfo };
}

function messageOf(troubles: readonly TriggerFailure[], longest: number): string | undefined {
  if (troubles.length === 0) return undefined;
  const lines = [...new Set(troubles.map(({ message }) => message))];
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

/** The clusters that the status of a trigger speaks of. */
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

/** In the order of the clusters' names; null where there is nothing to say. */
function sorted<T>(items: readonly (readonly [string, T])[]): readonly T[] | null {
  return items.length === 0 ? null : items.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
