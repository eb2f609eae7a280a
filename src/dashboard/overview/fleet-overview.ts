import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { originOf } from "../../sveltos/api/index.ts";
import { filterOccurrences, groupByCause, occurrencesIn } from "../../sveltos/inspect/index.ts";
import { clusterText, type OccurrenceOutline } from "../../view/index.ts";
import type { CellState, ItemChange, OverviewFinding, OverviewFleet } from "../api/index.ts";
import { clusterItemOf } from "../fleet/fleet-reading.ts";
import { cellIn, isSpeaking } from "../fleet/reduce-fleet-object.ts";

/** More findings and clusters are counted. */
const maxFindings = 100;
const maxClusters = 5;
const maxMessage = 2000;
/** What has drifted is told for so long. */
const driftMs = 3_600_000;
const driftReason = "DriftRepaired";

/** What the objects of a management cluster say of its fleet. It gets one object at a time. */
export class FleetOverview {
  /** By kind, namespace and name. */
  readonly #objects = new Map<string, KubeObject>();
  readonly #speaking = new Map<string, KubeObject>();
  /** Events by the object that they are about, then by their own name. */
  readonly #events = new Map<string, Map<string, KubeObject>>();
  readonly #cells = new Map<string, CellState>();
  #shown: readonly string[] = [];

  put(object: KubeObject, isGone: boolean): void {
    if (object.kind === "Event") return this.#putEvent(object, isGone);
    const key = keyOf(object.kind, object.metadata.namespace, object.metadata.name);
    const cell = isGone ? undefined : cellIn(object)?.state;
    if (cell === undefined) this.#cells.delete(key);
    else this.#cells.set(key, cell);
    if (isGone) this.#objects.delete(key);
    else this.#objects.set(key, object);
    if (!isGone && isSpeaking(object)) this.#speaking.set(key, object);
    else this.#speaking.delete(key);
  }

  /** What is to be shown at a time. */
  takeChanges(nowMs: number): ItemChange {
    const findings = this.#findings(nowMs);
    const set = [
      ...findings.slice(0, maxFindings).map((finding) => [findingKey(finding), finding] as const),
      ...(this.#objects.size === 0 ? [] : [["fleet", this.#fleet(Math.max(0, findings.length - maxFindings))] as const]),
    ];
    const keys = new Set(set.map(([key]) => key));
    const remove = this.#shown.filter((key) => !keys.has(key));
    this.#shown = [...keys];
    return { set, remove };
  }

  #putEvent(event: KubeObject, isGone: boolean): void {
    const about = (field: string) => stringAt(event, `involvedObject.${field}`, "");
    const key = keyOf(about("kind"), about("namespace"), about("name"));
    const events = this.#events.get(key) ?? new Map<string, KubeObject>();
    if (isGone) events.delete(event.metadata.name);
    else events.set(event.metadata.name, event);
    if (events.size === 0) this.#events.delete(key);
    else this.#events.set(key, events);
  }

  #findings(nowMs: number): readonly OverviewFinding[] {
    const events = [...this.#events].filter(([key]) => this.#speaking.has(key)).flatMap(([, own]) => [...own.values()]);
    const drifted = [...this.#events].flatMap(([key, own]) => {
      const repaired = [...own.values()].filter((event) => stringAt(event, "reason") === driftReason);
      return repaired.length === 0 ? [] : [{ object: this.#objects.get(key), repaired }];
    });
    const speaking = [...this.#speaking.values()];
    const current = filterOccurrences(occurrencesIn(speaking, events), { failed: false, all: false });
    const found = groupByCause(current, speaking).map((outline) => findingOf(outline, outline.state === "noted" ? "noted" : "failing"));
    const subjects = drifted.flatMap(({ object }) => object ?? []);
    const silent = occurrencesIn(
      [],
      drifted.flatMap(({ repaired }) => repaired),
    );
    const drift = groupByCause(silent, subjects)
      .map((outline) => findingOf(outline, "drift"))
      .filter(({ sinceMs = 0 }) => nowMs - sinceMs < driftMs);
    return [...found, ...drift].toSorted((a, b) => ranks[a.severity] - ranks[b.severity] || (b.sinceMs ?? 0) - (a.sinceMs ?? 0));
  }

  #fleet(more: number): OverviewFleet {
    const all = [...this.#objects.values()];
    const clusters = all.filter(({ kind }) => kind === "SveltosCluster" || kind === "Cluster");
    const deployments: Partial<Record<CellState, number>> = {};
    for (const cell of this.#cells.values()) deployments[cell] = (deployments[cell] ?? 0) + 1;
    return {
      type: "fleet",
      clusters: clusters.length,
      down: clusters.filter((cluster) => isSpeaking(cluster) && clusterItemOf(cluster).state === "failed").length,
      profiles: all.filter(({ kind, metadata }) => kind.endsWith("Profile") && originOf(metadata.labels) === undefined).length,
      triggers: all.filter(({ kind }) => kind === "EventTrigger" || kind === "EventBasedAddOn").length,
      deployments,
      more,
    };
  }
}

const ranks = { failing: 0, drift: 1, noted: 2 } as const;

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

function findingOf(
  { object, reason, message, clusters, time = "" }: OccurrenceOutline,
  severity: OverviewFinding["severity"],
): OverviewFinding {
  const sinceMs = Date.parse(time) || undefined;
  return {
    type: "finding",
    severity,
    object,
    reason,
    message: message.length > maxMessage ? `${message.slice(0, maxMessage - 1)}…` : message,
    clusters: clusters.slice(0, maxClusters).map((cluster) => clusterText(cluster)),
    clusterCount: clusters.length,
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}

function findingKey({ severity, object: { kind, namespace, name }, reason, message }: OverviewFinding): string {
  return `finding/${severity}/${kind}/${namespace}/${name}/${reason}/${message}`;
}
