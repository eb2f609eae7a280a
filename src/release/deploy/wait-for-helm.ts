import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import { newInformer, type Cluster } from "../../kube/index.ts";
import type { StepProgress } from "../index.ts";
import {
  helmActivityOf,
  helmPatienceMs,
  historyOf,
  latestOf,
  releaseText,
  storageName,
  type Release,
  type Revision,
} from "../record/index.ts";

export type HelmWaitOptions = {
  readonly signal: AbortSignal;
  /** How long to wait for Helm. Default: until it is taken for dead. */
  readonly timeoutMs?: number;
  /** Does not wait for Helm, and takes its unfinished revision over at once. Default false. */
  readonly takeOverPending?: boolean;
};

/**
 * Waits while Helm is at work on the release, and returns the revisions as they are then. Helm takes no Lease, so only the
 * age of its unfinished revision tells a live Helm from a dead one.
 */
export async function* waitForHelm(
  cluster: Cluster,
  release: Release,
  options: HelmWaitOptions,
): AsyncGenerator<StepProgress, readonly Revision[]> {
  const { signal, timeoutMs = Number.POSITIVE_INFINITY, takeOverPending = false } = options;
  const { clock } = cluster;
  const deadline = clock.now() + timeoutMs;
  let seen = { version: "", at: 0 };
  for (;;) {
    const revisions = await historyOf(cluster).revisions(release, { signal });
    const latest = latestOf(revisions);
    const activity = latest === undefined ? undefined : helmActivityOf(latest);
    if (latest === undefined || activity === undefined || takeOverPending) return revisions;
    const now = clock.now();
    const version = latest.stored?.resourceVersion ?? "";
    if (seen.version !== version) seen = { version, at: now };
    // A clock of Helm's that is ahead of ours must not prolong the wait.
    const deadAt = Math.min(activity, seen.at) + helmPatienceMs;
    if (now >= deadAt) return revisions;
    const because = reasonFor(latest, helmPatienceMs - (deadAt - now), deadAt - now);
    if (now >= deadline) throw new Fault(`work on release ${releaseText(release)}`, `the time is up: ${because}`);
    yield { type: "waiting", verb: "record", id: "helm", ref: recordRef(latest), because };
    await changeOrTime(latest, cluster, Math.min(deadAt, deadline) - now, signal);
  }
}

function reasonFor({ revision, state }: Revision, ageMs: number, leftMs: number): string {
  const when = `last seen ${durationText(ageMs)} ago`;
  const remedy = `it is taken over in ${durationText(leftMs)}, or at once with --take-over-pending`;
  return `Helm is at work on revision ${revision} (${state}), ${when}: ${remedy}`;
}

/** Resolves when the record has changed or gone, or the time is over. */
async function changeOrTime(revision: Revision, cluster: Cluster, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const cancel = cluster.clock.after(ms, () => over.abort());
  const { namespace, name, ...kind } = recordRef(revision);
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, signal: AbortSignal.any([signal, over.signal]) };
  try {
    let known = "";
    for await (const event of newInformer(cluster, kind, selection)) {
      if (event.type === "added") known = event.object.metadata.resourceVersion ?? "";
      else if (event.type !== "synced" || known !== revision.stored?.resourceVersion) return;
    }
    signal.throwIfAborted();
  } finally {
    cancel();
    over.abort();
  }
}

function recordRef({ name, namespace, revision, storage }: Revision): ObjectRef {
  return { group: "", version: "v1", kind: storage, namespace, name: storageName(name, revision) };
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
