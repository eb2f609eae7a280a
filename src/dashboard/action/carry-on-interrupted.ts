import { Fault } from "../../core/fault/index.ts";
import { refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { leaseNameOf, type Release } from "../../release/record/index.ts";
import type { ActingVisitor, ActionRunner } from "./action-runner.ts";

/** What was interrupted longer ago is left to the visitor: others may have made up their minds since. */
const maxAgeMs = 60 * 60_000;

type CarryOnOptions = {
  /** Whether a holder of a Lease was a dashboard of this user on this machine, which has ended. */
  readonly wasOurs: (holder: string) => boolean;
  readonly signal: AbortSignal;
};

/**
 * Carries on what a dashboard of this user was doing when it was killed. Its Lease still names it. Whoever ended in order has
 * released the Lease. Returns the titles of what is carried on.
 */
export async function carryOnInterrupted(
  runner: ActionRunner,
  visitor: ActingVisitor,
  { wasOurs, signal }: CarryOnOptions,
): Promise<readonly string[]> {
  const titles: string[] = [];
  for (const release of await releasesLeft(visitor, wasOurs, signal)) {
    const proposed = await runner.propose({ type: "redeploy", ...release }, visitor, signal);
    if (proposed.carriesOn !== true || proposed.preview.refusals.length > 0) continue;
    titles.push(runner.run(`carried-on-${release.namespace}-${release.name}`, proposed, visitor).title);
  }
  return titles;
}

async function releasesLeft(
  { cluster }: ActingVisitor,
  wasOurs: (holder: string) => boolean,
  signal: AbortSignal,
): Promise<readonly Release[]> {
  try {
    const { items } = await cluster.list({ group: "coordination.k8s.io", version: "v1", kind: "Lease" }, { signal });
    return items.flatMap((lease) => releaseOf(lease, cluster.clock.now(), wasOurs) ?? []);
  } catch (error) {
    // Who may not list Leases finds what was interrupted on the page of its release.
    if (error instanceof Fault) return [];
    throw error;
  }
}

const prefix = leaseNameOf({ name: "", namespace: "" });

function releaseOf(lease: KubeObject, nowMs: number, wasOurs: (holder: string) => boolean): Release | undefined {
  const { name, namespace } = refOf(lease);
  const renewedMs = Date.parse(stringAt(lease, "spec.renewTime", ""));
  if (!name.startsWith(prefix) || !(nowMs - renewedMs <= maxAgeMs)) return undefined;
  return wasOurs(stringAt(lease, "spec.holderIdentity", "")) ? { name: name.slice(prefix.length), namespace } : undefined;
}
