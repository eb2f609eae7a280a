import type { Clock } from "../../core/clock/index.ts";
import { doing } from "../../core/fault/index.ts";
import { isForbidden, newInformer, type Cluster, type InformerEvent, type Selection } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { holderOf, leaseDurationOf, leaseKind, renewIntervalMs, renewTimeOf, shardMemberSelection } from "../../reconcile/index.ts";
import { sveltosNamespace } from "../api/index.ts";
import { runningSveltosControllers } from "./sveltos-controllers.ts";

/** The name prefix of the Leases that the replicas of the controller renew, each its own. */
export const controllerShards = "sluice";

/** No controller works on the management cluster. */
export type ControllerAbsence = {
  /** The Lease of a controller that was renewed last, if one was left behind. `renewTime` is in RFC 3339. */
  readonly lease?: { readonly namespace: string; readonly name: string; readonly renewTime: string };
};

/** How long a Lease that looks expired is watched before it counts: clocks differ, and a controller that runs renews it. */
const confirmationMs = renewIntervalMs + 2_000;

/** Finds out by their Leases whether a controller of the management cluster runs: the absence of all, or undefined. */
export async function findControllerAbsence(hub: Cluster, signal: AbortSignal): Promise<ControllerAbsence | undefined> {
  for await (const absence of watchController(hub, signal)) return absence;
  return undefined;
}

/**
 * Follows whether a controller runs: yields the absence of all, or undefined when one runs, first and after each change, until
 * the signal aborts. Users who may not read Leases learn nothing, which counts as a controller that runs.
 */
export async function* watchController(hub: Cluster, signal: AbortSignal): AsyncGenerator<ControllerAbsence | undefined> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    const selection = await doing("see whether a controller runs", () => readableLeases(hub, either));
    if (selection === undefined) yield undefined;
    else yield* followLeases(hub, selection, either);
  } finally {
    stop.abort(new Error("the watch of the controllers is over"));
  }
}

/** A controller may have its Leases in any namespace. Users who may not read them all may still read the usual one. */
async function readableLeases(hub: Cluster, signal: AbortSignal): Promise<Selection | undefined> {
  const { namespace, labelSelector } = shardMemberSelection({ namespace: sveltosNamespace, name: controllerShards });
  for (const selection of [{ labelSelector }, { labelSelector, namespace }]) {
    try {
      await hub.list(leaseKind, { ...selection, limit: 1, signal });
      return selection;
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
  return undefined;
}

async function* followLeases(hub: Cluster, selection: Selection, signal: AbortSignal): AsyncGenerator<ControllerAbsence | undefined> {
  const activity = new LeaseActivity(hub.clock);
  const informer = newInformer(hub, leaseKind, { ...selection, signal });
  const events = informer[Symbol.asyncIterator]();
  let next = events.next();
  let told: "running" | "absent" | undefined;
  for (;;) {
    const event = await beforeDeadline(next, hub.clock, activity.deadlineMs);
    if (event?.done === true) return;
    if (event !== undefined) {
      activity.observe(event.value, informer.lister.all());
      next = events.next();
    }
    let state = activity.state();
    // Sveltos' own controllers have no Leases.
    if (state === "absent" && told !== "absent" && (await isSveltosRunning(hub, signal))) state = "running";
    if (state === undefined || state === told) continue;
    told = state;
    yield state === "running" ? undefined : absenceOf(activity.last);
  }
}

/** What the Leases of controllers tell, as they change. */
class LeaseActivity {
  readonly #clock: Clock;
  #isSynced = false;
  #isRunning = false;
  /** The Lease that was renewed last. */
  last: KubeObject | undefined;
  /** When the controllers count as absent, unless one renews its Lease before. */
  deadlineMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(event: InformerEvent, leases: Iterable<KubeObject>): void {
    if (event.type === "synced" && !this.#isSynced) {
      this.#isSynced = true;
      this.last = [...leases]
        .filter(isHeld)
        .toSorted((a, b) => (renewedMs(a) || 0) - (renewedMs(b) || 0))
        .at(-1);
      const { last } = this;
      if (last !== undefined && Math.abs(this.#clock.now() - renewedMs(last)) <= leaseDurationOf(last)) this.#renewed(last);
      else this.deadlineMs = this.#clock.now() + (last === undefined ? 0 : confirmationMs);
    } else if (this.#isSynced && (event.type === "added" || event.type === "modified") && isHeld(event.object)) this.#renewed(event.object);
  }

  /** Undefined while it is not known. */
  state(): "running" | "absent" | undefined {
    if (this.#clock.now() >= this.deadlineMs) {
      this.#isRunning = false;
      this.deadlineMs = Infinity;
      return "absent";
    }
    return this.#isRunning ? "running" : undefined;
  }

  #renewed(lease: KubeObject): void {
    this.last = lease;
    this.#isRunning = true;
    this.deadlineMs = this.#clock.now() + leaseDurationOf(lease);
  }
}

function isHeld(lease: KubeObject): boolean {
  return holderOf(lease) !== "";
}

/** NaN when the Lease does not say it. */
function renewedMs(lease: KubeObject): number {
  return Date.parse(renewTimeOf(lease));
}

function absenceOf(lease: KubeObject | undefined): ControllerAbsence {
  if (lease === undefined) return {};
  const { namespace = "", name } = lease.metadata;
  return { lease: { namespace, name, renewTime: renewTimeOf(lease) } };
}

/** What is not known to run counts as absent. */
async function isSveltosRunning(hub: Cluster, signal: AbortSignal): Promise<boolean> {
  try {
    return (await runningSveltosControllers(hub, signal)).length > 0;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/** Undefined when the deadline comes first. */
async function beforeDeadline<T>(next: Promise<T>, clock: Clock, deadlineMs: number): Promise<T | undefined> {
  if (deadlineMs === Infinity) return next;
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.after(Math.max(0, deadlineMs - clock.now()), () => late.resolve(undefined));
  try {
    return await Promise.race([next, late.promise]);
  } finally {
    cancel();
  }
}
