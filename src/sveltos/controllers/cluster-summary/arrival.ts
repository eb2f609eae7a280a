import { deploy, isAiling, owningProfile, type AddonRequest, type AddonSite, type Outcome } from "../../deploy/index.ts";
import { finalizers } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { Desk } from "../context/index.ts";
import { conclusionOf } from "./conclusion.ts";
import { isHeld } from "./departure.ts";
import { clearanceOf } from "./dependencies.ts";
import { clusterOfKey, summaryKey } from "./key.ts";
import { siteOf, type Keeping, type Post } from "./post.ts";
import { keepReport } from "./report.ts";
import { resetLosers, wakeLosers } from "./rivals.ts";
import { say } from "./say.ts";
import { complaintIn, tellOf } from "./telling.ts";

/** Brings what a ClusterSummary asks for into its cluster, once all that it depends on is there, and keeps it so. */
export async function arrive(written: KubeObject, post: Post, keeping: Keeping): Promise<void> {
  const { desk, roll, references, standing } = keeping;
  const { key, cluster, signal } = post;
  const clearance = clearanceOf(written, roll, (other) => standing.isCurrent(other, roll.find(other)));
  if (!clearance.clear) return clearance.says === undefined ? undefined : say(written, { dependencies: clearance.says }, desk, signal);
  const summary = await held(written, desk, signal);
  standing.look(key);
  const pass = references.begin(key);
  const site = { ...siteOf(desk, post), readReference: pass.read };
  const request = { summary, cluster: cluster.managed, dependencies: clearance.says ?? "" };
  const startedAt = desk.hub.clock.now();
  const { outcome, removed } = await conclusionOf(deploy(request, site, { signal }));
  if (outcome.summary !== summary) count(outcome, startedAt, desk);
  await account(outcome, post, keeping);
  if (removed) wakeLosers(outcome.summary, keeping);
  const last = await stay(request, outcome, site, post, keeping);
  pass.done();
  conclude(last, post, keeping);
}

/** What only a finalizer keeps must have it before anything is deployed for it. Whoever makes it should make it with one. */
async function held(summary: KubeObject, { hub }: Desk, signal: AbortSignal): Promise<KubeObject> {
  if (isHeld(summary)) return summary;
  const { finalizers: others = [], resourceVersion } = summary.metadata;
  const patch = { metadata: { resourceVersion, finalizers: [...others, finalizers.ClusterSummary] } };
  return hub.patch(refOf(summary), { type: "merge", patch }, { signal });
}

function count({ settled, final }: Outcome, startedAt: number, { chronicle, hub }: Desk): void {
  const outcome = settled ? "provisioned" : final ? "refused" : "failed";
  chronicle.count("sluice_deploys_total", { outcome });
  chronicle.took("sluice_deploy_seconds", hub.clock.now() - startedAt, { outcome });
}

/** Writes what a deploy has come to where people look for it. */
async function account(outcome: Outcome, { key, signal }: Post, keeping: Keeping): Promise<void> {
  const { desk, configurations, queue } = keeping;
  const cluster = clusterIdOf(clusterOfKey(key));
  const owner = owningProfile(outcome.summary);
  if (owner === undefined) return;
  // It is written in its time, for many profiles together, and nobody waits for that.
  configurations.enter(cluster, { owner, present: true, features: outcome.features }, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    desk.chronicle.failures("summaries")({ key, error, failures: 1, againInMs: 0 });
    queue.add(key);
  });
  await Promise.all([
    desk.copies.caughtUp([outcome.summary], signal),
    keepReport(desk, cluster, owner, outcome.report, signal),
    resetLosers(outcome, keeping, signal),
  ]);
}

/** Listens to what may change in the cluster, and puts back what has. Gives how all stands then. */
async function stay(request: AddonRequest, outcome: Outcome, site: AddonSite, post: Post, { desk, mender }: Keeping): Promise<Outcome> {
  const { key, link, signal } = post;
  await mender.follow(key, request, outcome, link, site, { signal });
  if (!outcome.settled) return outcome;
  const mended = await mender.mend(key, { ...request, summary: outcome.summary }, site, { signal });
  if (mended === undefined || mended.settled) return outcome;
  await desk.copies.caughtUp([mended.summary], signal);
  return mended;
}

/** What is well is told to those who wait for it; what is not, to people, and is tried again where that can help. */
function conclude(outcome: Outcome, { key, cluster }: Post, { desk, queue, roll, standing }: Keeping): void {
  const { summary, final, status } = outcome;
  const complaint = complaintIn(outcome);
  if (complaint === undefined) {
    if (standing.settle(key, summary)) for (const dependent of roll.dependentsOf(summary)) queue.add(summaryKey(dependent));
    return;
  }
  standing.doubt(key);
  tellOf(summary, final ? "Refused" : "DeployFailed", complaint, desk);
  // We hear of what is wrong as soon as it changes.
  if (final || isAiling(status)) return;
  // It may have failed because the cluster does not answer: then nothing is tried before it does.
  desk.fleet.suspect(cluster.key);
  throw new Fault(complaint);
}
