import { findCondition, type KubeObject } from "../../../core/object/index.ts";
import { firstFew, isEmptySelector, type EventTrigger, type HoldingCondition, type ManagedCluster } from "../../api/index.ts";
import { noMatchText, selectedClustersOf } from "../../fleet/index.ts";
import { kindNotServed, type SourceProblems } from "../../report/index.ts";

type TriggerConditionInput = {
  readonly trigger: EventTrigger;
  /** Whether the trigger matches a cluster. */
  readonly isMatching: boolean;
  /** The existing ClusterSets that it refers to. */
  readonly sets: readonly KubeObject[];
  readonly clusters: () => readonly ManagedCluster[];
  /** Of the EventSources that it uses, in the clusters that it matches. */
  readonly problems: readonly SourceProblems[];
  /** The names of these EventSources. */
  readonly eventSources: readonly string[];
  /** A profile that it has generated and that matches no cluster, if there is one. */
  readonly unmatched: KubeObject | undefined;
  /** A profile that it has generated and that cannot be withdrawn yet, if there is one. */
  readonly blocked: KubeObject | undefined;
};

/** The conditions of a trigger that is not refused. */
export function triggerConditions(input: TriggerConditionInput): readonly HoldingCondition[] {
  const ofDeployments = [...noMatchingDestination(input), ...withdrawalBlocked(input)];
  return [...noMatchingCluster(input), ...ofDeployments, ...kindsNotServed(input)];
}

function noMatchingCluster({ trigger, isMatching, sets, clusters }: TriggerConditionInput): readonly HoldingCondition[] {
  if (isMatching || trigger.metadata.deletionTimestamp !== undefined) return [];
  const { sourceClusterSelector: selector, clusterSetRefs } = trigger;
  const ofSelector =
    clusterSetRefs.length > 0 && isEmptySelector(selector) ? [] : [noMatchText("spec.sourceClusterSelector", selector, clusters())];
  const unchosen = sets
    .filter((set) => selectedClustersOf(set).length === 0)
    .map(({ metadata }) => `ClusterSet ${metadata.name} has chosen none`);
  const message = [...ofSelector, ...unchosen].join("; ") || "there is no cluster in which events are watched";
  return [{ type: "NoMatchingCluster", reason: "NoMatchingCluster", message }];
}

function noMatchingDestination({ trigger, unmatched }: TriggerConditionInput): readonly HoldingCondition[] {
  const { destinationCluster, destinationClusterSelector } = trigger;
  // Without a destination it is the cluster of the event, which is being looked at.
  if (unmatched === undefined || (destinationCluster === undefined && isEmptySelector(destinationClusterSelector))) return [];
  const message = `what events ask for is deployed nowhere: ${conditionLine(unmatched, "NoMatchingCluster")}`;
  return [{ type: "NoMatchingDestination", reason: "NoMatchingDestination", message }];
}

function kindsNotServed({ problems, eventSources }: TriggerConditionInput): readonly HoldingCondition[] {
  return kindNotServed(problems).map(({ message, ...condition }) => ({
    ...condition,
    message: `EventSource ${firstFew(eventSources)}: ${message}`,
  }));
}

function withdrawalBlocked({ blocked }: TriggerConditionInput): readonly HoldingCondition[] {
  if (blocked === undefined) return [];
  const { reason = "WithdrawalBlocked" } = findCondition(blocked, "WithdrawalBlocked") ?? {};
  return [{ type: "WithdrawalBlocked", reason, message: conditionLine(blocked, "WithdrawalBlocked") }];
}

function conditionLine(profile: KubeObject, type: string): string {
  return `${profile.kind} ${profile.metadata.name}: ${findCondition(profile, type)?.message ?? ""}`;
}
