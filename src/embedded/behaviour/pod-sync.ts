import type { Behaviour } from "./behaviour.ts";
import type { Chance } from "./chance.ts";
import type { FindConfig } from "./config-references.ts";
import type { Pod } from "./pod.ts";

/** An event that the kubelet records for a pod. `container` is the field path of the container, if it concerns one. */
export type PodEvent = {
  readonly at: number;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly container?: string;
};

/**
 * What a pod's status leaves out: times in milliseconds, and the events that were recorded. It only adds precision:
 * another process can continue from the status alone.
 */
export type PodRuntimeState = {
  readonly startedAt?: number;
  readonly stoppingAt?: number;
  /** When the last missing volume source became available. */
  readonly mountedAt?: number;
  /** When each container last ran, ended or began to wait. */
  readonly since: Readonly<Record<string, number>>;
  /** How often each container was restarted since its back-off was reset. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly recorded: Readonly<Record<string, number>>;
};

/** One sync of a pod: its inputs, and the events and times collected so far. */
export class PodSync {
  readonly pod: Pod;
  readonly behaviour: Behaviour;
  readonly chance: Chance;
  readonly now: number;
  /** How many Pods of the same Job failed before this one. */
  readonly attempt: number;
  readonly hasImage: (image: string) => boolean;
  /** Absent: every reference of a pod counts as present. */
  readonly find: FindConfig | undefined;
  /** Why the node can never give the pod what its containers ask for. */
  readonly infeasible: () => string | undefined;
  readonly events: PodEvent[] = [];
  readonly since: Record<string, number>;
  readonly crashes: Record<string, number>;
  readonly recorded: Record<string, number>;
  /** Why a container does not get the resources that it asks for. */
  pendingResize: string | undefined;
  /** The earliest time at which a status changes by itself. */
  nextSyncAt = Infinity;

  constructor(
    asked: Pick<PodSync, "pod" | "behaviour" | "chance" | "now" | "attempt" | "hasImage" | "find" | "infeasible">,
    runtimeState: PodRuntimeState | undefined,
  ) {
    this.pod = asked.pod;
    this.behaviour = asked.behaviour;
    this.chance = asked.chance;
    this.now = asked.now;
    this.attempt = asked.attempt;
    this.hasImage = asked.hasImage;
    this.find = asked.find;
    this.infeasible = asked.infeasible;
    this.since = { ...runtimeState?.since };
    this.crashes = { ...runtimeState?.crashes };
    this.recorded = { ...runtimeState?.recorded };
  }

  requeueAt(at: number): void {
    if (at < this.nextSyncAt) this.nextSyncAt = at;
  }

  recordEvent(at: number, type: PodEvent["type"], reason: string, message: string, container?: string): void {
    this.events.push({ at, type, reason, message, ...(container === undefined ? {} : { container }) });
  }

  /** Records an event once for each `round`. */
  recordEventOnce(what: string, round: number, record: () => void): void {
    if ((this.recorded[what] ?? -1) >= round) return;
    this.recorded[what] = round;
    record();
  }
}
