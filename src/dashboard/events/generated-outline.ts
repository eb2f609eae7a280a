import { listAt, stringAt, type Fields, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { originOf, type EventOrigin } from "../../sveltos/api/index.ts";
import { clusterRefIn, ownerProfileOf, statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { CellState } from "../api/index.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import { summaryStateOf } from "../fleet/summary-state.ts";
import { keptMetadata } from "./report-outline.ts";
import { troubleIn, type Trouble } from "./trouble.ts";

/** Where something generated comes from: the label of its trigger, and the key of the cluster of the event. */
type GeneratedFrom = {
  readonly trigger: string;
  readonly cluster: string;
  readonly source: string;
  readonly resource?: EventOrigin["resource"];
};

/** What the view has of a profile that a trigger has made. */
export type GeneratedProfile = GeneratedFrom & {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdMs?: number;
  readonly trouble?: Trouble;
};

/** A release that a chart of a profile has become. */
export type GeneratedRelease = { readonly namespace: string; readonly name: string; readonly problem?: string };

/** What the view has of the ClusterSummary of such a profile. */
export type GeneratedSummary = GeneratedFrom & {
  readonly namespace: string;
  readonly name: string;
  readonly profile: string;
  /** The key of the cluster that is deployed to. */
  readonly target: string;
  readonly state: CellState;
  readonly reason?: string;
  readonly appliedMs?: number;
  readonly objects: readonly ObjectRef[];
  readonly objectCount: number;
  readonly releases: readonly GeneratedRelease[];
};

/** More objects than these are counted. */
const maxObjects = 20;

/** Reduces a profile to what the view has of it. */
export function reduceGeneratedProfile(profile: KubeObject): KubeObject {
  return { apiVersion: profile.apiVersion, kind: profile.kind, metadata: keptMetadata(profile.metadata), outline: profileOf(profile) };
}

/** The outline of a reduced profile; undefined when no trigger has made it. */
export function generatedProfileIn(reduced: KubeObject): GeneratedProfile | undefined {
  return reduced["outline"] as GeneratedProfile | undefined;
}

/** Reduces a ClusterSummary to what the view has of it. */
export function reduceGeneratedSummary(summary: KubeObject): KubeObject {
  return { apiVersion: summary.apiVersion, kind: summary.kind, metadata: keptMetadata(summary.metadata), outline: summaryOf(summary) };
}

/** The outline of a reduced ClusterSummary; undefined when no trigger has made its profile. */
export function generatedSummaryIn(reduced: KubeObject): GeneratedSummary | undefined {
  return reduced["outline"] as GeneratedSummary | undefined;
}

function originIn({ metadata }: KubeObject): GeneratedFrom | undefined {
  const origin = originOf(metadata.labels);
  if (origin === undefined) return undefined;
  const { trigger, cluster, eventSource: source, resource } = origin;
  return { trigger, cluster: clusterKeyOf(cluster), source, ...(resource === undefined ? {} : { resource }) };
}

function profileOf(profile: KubeObject): GeneratedProfile | undefined {
  const origin = originIn(profile);
  if (origin === undefined) return undefined;
  const { namespace = "", name, creationTimestamp = "" } = profile.metadata;
  const trouble = troubleIn(statusOccurrences(profile).filter(({ cluster }) => cluster === undefined));
  const createdMs = Date.parse(creationTimestamp) || undefined;
  return {
    ...origin,
    kind: profile.kind,
    namespace,
    name,
    ...(createdMs === undefined ? {} : { createdMs }),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function summaryOf(summary: KubeObject): GeneratedSummary | undefined {
  const origin = originIn(summary);
  const profile = ownerProfileOf(summary)?.name;
  if (origin === undefined || profile === undefined) return undefined;
  const { namespace = "", name } = summary.metadata;
  const objects = listAt(summary, "status.releases").flatMap((release) => listAt(release, "objects").map(refIn));
  const appliedMs = appliedAt(summary);
  return {
    ...origin,
    namespace,
    name,
    profile,
    target: clusterKeyOf(clusterRefIn(summary)),
    ...summaryStateOf(summary),
    ...(appliedMs === undefined ? {} : { appliedMs }),
    objects: objects.slice(0, maxObjects),
    objectCount: objects.length,
    releases: listAt(summary, "status.helmReleaseSummaries").slice(0, maxObjects).map(releaseIn),
  };
}

function appliedAt(summary: KubeObject): number | undefined {
  const times = listAt(summary, "status.featureSummaries").map((feature) => stringAt(feature, "lastAppliedTime", ""));
  return Date.parse(times.toSorted().at(-1) ?? "") || undefined;
}

function refIn(fields: Fields): ObjectRef {
  const text = (field: string) => stringAt(fields, field, "");
  return { group: text("group"), version: text("version"), kind: text("kind"), namespace: text("namespace"), name: text("name") };
}

function releaseIn(release: Fields): GeneratedRelease {
  const problem = ["conflictMessage", "failureMessage"].map((field) => stringAt(release, field, "")).find((text) => text !== "");
  return {
    namespace: stringAt(release, "releaseNamespace", ""),
    name: stringAt(release, "releaseName", ""),
    ...(problem === undefined ? {} : { problem }),
  };
}
