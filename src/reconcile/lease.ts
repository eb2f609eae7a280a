import { withTimeout, type Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { fieldsAt, numberAt, stringAt, type KubeObject } from "../core/object/index.ts";

export const leaseKind = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

/** How long a Lease is valid after its last renewal. */
export const leaseDurationMs = 15_000;
/** The interval of renewals. */
export const renewIntervalMs = 4_000;
/**
 * How long a holder may go without a renewal before it gives up: well before another may acquire the Lease, and counted
 * from before the request was sent. client-go calls it RenewDeadline.
 */
export const renewDeadlineMs = 12_000;

/** Sends a request that takes a Lease. After the deadline its answer would be worth nothing. */
export function withAcquireTimeout<T>(clock: Clock, send: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withRequestTimeout(clock, renewDeadlineMs, send, signal);
}

/** Sends a request that gives a Lease back. Nobody waits long for it: the Lease expires. */
export function withReleaseTimeout<T>(clock: Clock, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withRequestTimeout(clock, renewIntervalMs, send);
}

function withRequestTimeout<T>(clock: Clock, ms: number, send: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const late = new Fault(`the API server has not answered for ${ms / 1000} s`);
  return withTimeout(clock, ms, late, send, { background: true, ...(signal === undefined ? {} : { signal }) });
}

/** A Lease to acquire. Models client-go tools/leaderelection/resourcelock LeaseLock */
export type LeaseLock = {
  readonly namespace: string;
  readonly name: string;
  /** What the holder works on, for messages: `release web in default`. */
  readonly about: string;
  /** How long the Lease is valid after a renewal. Renewals and their deadline keep their share of it. Default 15 s. */
  readonly durationMs?: number;
};

/** The Lease for `holder`, new or in place of `previous`. */
export function leaseFor(
  { name, namespace, durationMs = leaseDurationMs }: LeaseLock,
  holder: string,
  nowMs: number,
  previous?: KubeObject,
): KubeObject {
  const now = microTime(nowMs);
  const isRenewal = previous !== undefined && holderOf(previous) === holder;
  const transitions = numberAt(previous, "spec.leaseTransitions", 0);
  const spec = {
    holderIdentity: holder,
    leaseDurationSeconds: durationMs / 1000,
    acquireTime: isRenewal ? stringAt(previous, "spec.acquireTime", now) : now,
    renewTime: now,
    leaseTransitions: isRenewal || previous === undefined ? transitions : transitions + 1,
  };
  const metadata = previous?.metadata ?? { name, namespace };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
}

/** The Lease without a holder, for users who may not delete it. */
export function releasedLease(lease: KubeObject): KubeObject {
  return { ...lease, spec: { ...fieldsAt(lease, "spec"), holderIdentity: "", leaseDurationSeconds: 1 } };
}

/** The holder's identity. Empty when there is none. */
export function holderOf(lease: KubeObject | undefined): string {
  return stringAt(lease, "spec.holderIdentity", "");
}

/** How long this Lease is valid after its last change, as its holder wrote it. */
export function leaseDurationOf(lease: KubeObject): number {
  return numberAt(lease, "spec.leaseDurationSeconds", leaseDurationMs / 1000) * 1000;
}

export function acquireTimeOf(lease: KubeObject): string {
  return stringAt(lease, "spec.acquireTime", "");
}

/** When the Lease was last renewed, by the holder's clock. Empty when it does not say. */
export function renewTimeOf(lease: KubeObject): string {
  return stringAt(lease, "spec.renewTime", "");
}

/** Kubernetes' MicroTime has exactly six digits after the second. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
