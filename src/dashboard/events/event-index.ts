import type { KubeObject } from "../../core/object/index.ts";
import { labelValue, type ClusterId } from "../../sveltos/api/index.ts";
import { clusterItemOf } from "../fleet/fleet-reading.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import type { EventFlow } from "./event-flow.ts";
import { generatedProfileIn, generatedSummaryIn, type GeneratedProfile, type GeneratedSummary } from "./generated-outline.ts";
import { KeyedGroups } from "./keyed-groups.ts";
import { reportOutlineIn, type ReportOutline } from "./report-outline.ts";
import { sourceOutlineOf, type SourceOutline } from "./source-outline.ts";
import { mayMeanSource, triggerKeyOf, triggerOutlineOf, type TriggerOutline } from "./trigger-outline.ts";
import type { Trouble } from "./trouble.ts";

/** The objects that flows are made of, found by what they belong to. */
export class EventIndex {
  readonly sources = new Map<string, SourceOutline>();
  readonly triggers = new Map<string, TriggerOutline>();
  readonly #clusters = new Map<string, Trouble | undefined>();
  readonly #reports = new KeyedGroups<ReportOutline>();
  readonly #profiles = new KeyedGroups<GeneratedProfile>();
  readonly #summaries = new KeyedGroups<GeneratedSummary>();
  readonly #labelKeys = new Map<string, string>();
  readonly #isUnreadable: EventFlow["isUnreadable"];

  constructor(isUnreadable: EventFlow["isUnreadable"]) {
    this.#isUnreadable = isUnreadable;
  }

  /** Takes in an object, or takes it out. Tells which triggers, by their keys, it has to do with. */
  put(object: KubeObject, isGone: boolean): readonly string[] {
    const before = this.#concerned(object);
    this.#put(object, isGone);
    return [...before, ...this.#concerned(object)];
  }

  #concerned(object: KubeObject): readonly string[] {
    const { kind, metadata } = object;
    if (kind === "EventTrigger" || kind === "EventBasedAddOn") return [triggerKeyOf({ kind, name: metadata.name })];
    if (kind === "EventSource") return this.#triggersWhere((trigger) => mayMeanSource(trigger, metadata.name));
    if (kind === "EventReport") return this.#triggersWhere((trigger) => mayMeanSource(trigger, reportOutlineIn(object).source));
    if (kind === "SveltosCluster" || kind === "Cluster") return this.#triggersIn(object);
    const label = (kind === "ClusterSummary" ? generatedSummaryIn(object) : generatedProfileIn(object))?.trigger;
    return this.#triggersWhere((trigger) => trigger.label === label);
  }

  /** Clusters are heard of often; only how they are matters here. */
  #triggersIn(object: KubeObject): readonly string[] {
    const { key } = clusterItemOf(object);
    const [known, next] = [this.#clusters.get(key), troubleOf(object)];
    const isSame = this.#clusters.has(key) && known?.state === next?.state && known?.message === next?.message;
    return isSame ? [] : this.#triggersWhere(({ clusters }) => clusters.has(key));
  }

  #triggersWhere(isMeant: (trigger: TriggerOutline) => boolean): readonly string[] {
    return [...this.triggers.values()].filter(isMeant).map(({ key }) => key);
  }

  #put(object: KubeObject, isGone: boolean): void {
    const { kind, metadata } = object;
    const key = `${metadata.namespace ?? ""}/${metadata.name}`;
    if (kind === "EventSource") setOrDelete(this.sources, metadata.name, isGone ? undefined : sourceOutlineOf(object));
    else if (kind === "EventTrigger" || kind === "EventBasedAddOn")
      setOrDelete(this.triggers, triggerKeyOf({ kind, name: metadata.name }), isGone ? undefined : triggerOutlineOf(object));
    else if (kind === "SveltosCluster" || kind === "Cluster") this.#putCluster(object, isGone);
    else if (kind === "EventReport") this.#putReport(key, isGone ? undefined : reportOutlineIn(object));
    else if (kind === "ClusterSummary") putGenerated(this.#summaries, key, isGone ? undefined : generatedSummaryIn(object));
    else putGenerated(this.#profiles, `${kind} ${key}`, isGone ? undefined : generatedProfileIn(object));
  }

  /** The report that is known under the namespace and name of an EventReport. */
  reportAt(key: string): ReportOutline | undefined {
    return this.#reports.get(key);
  }

  /** All that belongs to a trigger in a cluster. */
  flowOf(trigger: TriggerOutline, clusterKey: string, cluster: ClusterId): EventFlow {
    const group = pairKey(trigger.label, this.#labelKeyOf(clusterKey, cluster));
    const profiles = this.#profiles.in(group);
    const sourceName = this.#sourceNameOf(trigger, clusterKey, profiles);
    const source = this.sources.get(sourceName);
    const trouble = this.#clusters.get(clusterKey);
    return {
      trigger,
      cluster,
      clusterKey,
      ...(trouble === undefined ? {} : { clusterTrouble: trouble }),
      sourceName,
      ...(source === undefined ? {} : { source }),
      reports: this.#reports.in(pairKey(sourceName, clusterKey)),
      profiles,
      summaries: this.#summaries.in(group),
      isUnreadable: this.#isUnreadable,
    };
  }

  /** The key of a cluster by its name as labels have it. There are as many flows as clusters and triggers together make. */
  #labelKeyOf(clusterKey: string, cluster: ClusterId): string {
    const known = this.#labelKeys.get(clusterKey) ?? clusterKeyOf({ ...cluster, name: labelValue(cluster.name) });
    this.#labelKeys.set(clusterKey, known);
    return known;
  }

  /** A name that is a template is what has come of it: templates of others are not run here. */
  #sourceNameOf(trigger: TriggerOutline, clusterKey: string, profiles: readonly GeneratedProfile[]): string {
    if (!trigger.source.includes("{{")) return trigger.source;
    const meant = [...this.sources.values()].filter(({ name, inClusters }) => inClusters.has(clusterKey) && mayMeanSource(trigger, name));
    return (meant.length === 1 ? meant[0]?.name : profiles[0]?.source) ?? trigger.source;
  }

  #putCluster(object: KubeObject, isGone: boolean): void {
    const { key } = clusterItemOf(object);
    if (isGone) this.#clusters.delete(key);
    else this.#clusters.set(key, troubleOf(object));
  }

  #putReport(key: string, outline: ReportOutline | undefined): void {
    if (outline === undefined) this.#reports.remove(key);
    else this.#reports.put(pairKey(outline.source, outline.cluster), key, outline);
  }
}

function troubleOf(cluster: KubeObject): Trouble | undefined {
  const { state, message } = clusterItemOf(cluster);
  if (state === "ready") return undefined;
  if (state === "failed") return { state: "failed", message: message ?? "the cluster cannot be reached" };
  return { state: "waiting", message: state === "skipped" ? "the cluster is paused" : "the cluster is not ready yet" };
}

function pairKey(name: string, clusterKey: string): string {
  return `${name} ${clusterKey}`;
}

function setOrDelete<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function putGenerated<T extends { readonly trigger: string; readonly cluster: string }>(
  groups: KeyedGroups<T>,
  key: string,
  outline: T | undefined,
): void {
  if (outline === undefined) groups.remove(key);
  else groups.put(pairKey(outline.trigger, outline.cluster), key, outline);
}
