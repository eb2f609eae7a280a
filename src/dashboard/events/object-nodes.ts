import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { EventCluster, EventNodeItem } from "../api/index.ts";
import type { GeneratedRelease, GeneratedSummary } from "./generated-outline.ts";
import { objectNameOf } from "./report-outline.ts";

/** More objects than these are counted. */
const maxDrawn = 6;

/** What a ClusterSummary has deployed: its objects, and the releases of its charts. */
export function objectNodes(summary: GeneratedSummary): readonly EventNodeItem[] {
  const { objects, objectCount, releases } = summary;
  const drawn = [
    ...releases.slice(0, maxDrawn).map((release) => releaseNode(release, summary)),
    ...objects.slice(0, maxDrawn).map((ref) => objectNode(ref, summary)),
  ].slice(0, maxDrawn);
  const more = objectCount + releases.length - drawn.length;
  return more > 0 ? [...drawn, restNode(more, summary)] : drawn;
}

function idOf({ namespace, name }: GeneratedSummary, of: string): string {
  return `object:${namespace}/${name}:${of}`;
}

/** The cluster that a key stands for. */
export function eventClusterOf(key: string): EventCluster {
  const [kind = "", namespace = "", name = ""] = key.split("/");
  return { kind: kind === "Cluster" ? "Cluster" : "SveltosCluster", namespace, name };
}

function objectNode(ref: ObjectRef, summary: GeneratedSummary): EventNodeItem {
  const title = titleOf(ref);
  return {
    type: "node",
    id: idOf(summary, `${ref.group}/${title}/${ref.namespace}`),
    step: "Objects",
    title,
    subtitle: ref.namespace,
    ...objectStatus(ref, summary),
    ref: objectNameOf(ref),
    cluster: eventClusterOf(summary.target),
  };
}

/** A ClusterSummary says of all objects at once how they are, and names the one that it waits for. */
function objectStatus(
  { name, kind }: ObjectRef,
  { state, reason = "" }: GeneratedSummary,
): Pick<EventNodeItem, "state" | "word" | "because"> {
  if (state === "ready") return { state, word: "deployed" };
  const isNamed = reason.includes(name) && reason.toLowerCase().includes(kind.toLowerCase());
  if (isNamed) return { state, because: reason };
  return state === "failed" ? { state: "waiting", word: "not said" } : { state };
}

function releaseNode({ namespace, name, problem }: GeneratedRelease, summary: GeneratedSummary): EventNodeItem {
  return {
    type: "node",
    id: idOf(summary, `release/${namespace}/${name}`),
    step: "Objects",
    title: `release/${name}`,
    subtitle: namespace,
    ...(problem === undefined
      ? { state: summary.state, ...(summary.state === "ready" ? { word: "deployed" } : {}) }
      : { state: "failed" as const, because: problem }),
    cluster: eventClusterOf(summary.target),
  };
}

function restNode(more: number, summary: GeneratedSummary): EventNodeItem {
  return {
    type: "node",
    id: idOf(summary, "more"),
    step: "Objects",
    title: `${more} more`,
    subtitle: "not drawn",
    state: summary.state,
    ...(summary.state === "ready" ? { word: "deployed" } : {}),
    cluster: eventClusterOf(summary.target),
  };
}
