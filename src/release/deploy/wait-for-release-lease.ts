import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { StepProgress } from "../index.ts";
import { acquireReleaseLease, leaseNameOf, releaseText, type HeldLease, type Release } from "../record/index.ts";

export type ReleaseLeaseOptions = {
  /** The Lease identity, readable for those who wait. Never reused. */
  readonly identity: string;
  /** Whether the holder is certainly dead. Default: never certain. */
  readonly hasDied?: (holder: string) => boolean;
  readonly signal: AbortSignal;
  /** How long the Lease is valid without a renewal. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** How long to wait for another holder. */
  readonly timeoutMs?: number;
};

/** Takes the Lease of a release, and yields who holds it while waiting. */
export async function* waitForReleaseLease(
  cluster: Cluster,
  release: Release,
  options: ReleaseLeaseOptions,
): AsyncGenerator<StepProgress, HeldLease> {
  const { identity, hasDied, signal, timeoutMs, leaseDurationMs: durationMs } = options;
  const late = new AbortController();
  const cancel = timeoutMs === undefined ? () => {} : cluster.clock.after(timeoutMs, () => late.abort());
  const about = { verb: "record", id: "lease", ref: leaseRef(release) } as const;
  const applicant = {
    identity,
    signal: AbortSignal.any([signal, late.signal]),
    ...(hasDied === undefined ? {} : { hasDied }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
  const waits = acquireReleaseLease(cluster, release, applicant);
  let because = "";
  try {
    for (;;) {
      const { done, value } = await waits.next();
      if (done === true) return value;
      because = value.because;
      yield { type: "waiting", ...about, because };
    }
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
    throw new Fault(`work on release ${releaseText(release)}`, `the time is up: ${because}`);
  } finally {
    cancel();
  }
}

function leaseRef(release: Release): ObjectRef {
  return { group: "coordination.k8s.io", version: "v1", kind: "Lease", namespace: release.namespace, name: leaseNameOf(release) };
}
