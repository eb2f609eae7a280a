import { deploy, owningProfile, reset, statusOf, Superseded, withdraw, writeStatus } from "../../addon/deploy/index.ts";
import type { AddonRequest, AddonSite, AddonStory, Outcome as AddonOutcome, OwningProfile } from "../../addon/deploy/index.ts";
import { finalizers, profilePausedAnnotation, type ClusterSummaryStatus } from "../../api/index.ts";
import { Fault } from "../../fault/index.ts";
import { clusterIdOf, isReady, type FleetCluster, type Link } from "../../fleet/index.ts";
import { isConflict, isNotFound } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../object/index.ts";
import { settled, type Outcome, type WorkQueue } from "../../reconcile/index.ts";
import type { Desk } from "../desk.ts";
import { Configurations } from "./configuration.ts";
import { clearanceOf, heldBy } from "./dependencies.ts";
import { clusterKeyIn, clusterOfKey, summaryKey } from "./key.ts";
import type { References } from "./references.ts";
import { keepReport } from "./report.ts";
import type { Roll } from "./roll.ts";
import type { Standing } from "./standing.ts";
import { complaintIn, tellOf } from "./telling.ts";

const finalizer = finalizers.ClusterSummary;

/** A ClusterSummary in its cluster, which is there to be worked in. */
type Post = { readonly key: string; readonly cluster: FleetCluster; readonly link: Link; readonly signal: AbortSignal };

export type Keeping = {
  readonly desk: Desk;
  readonly queue: Pick<WorkQueue, "add">;
  readonly roll: Roll;
  readonly references: References;
  readonly standing: Standing;
};

/** Brings one ClusterSummary after the other to where it should be. */
export class Keeper {
  readonly #keeping: Keeping;
  readonly #configurations: Configurations;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
    this.#configurations = new Configurations(keeping.desk);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const { desk, roll } = this.#keeping;
    const summary = roll.find(key);
    if (summary === undefined || summaryKey(summary) !== key) return this.#forget(key);
    const cluster = desk.fleet.find(clusterOfKey(key));
    if (isLeaving(summary) && (cluster === undefined || cluster.managed.deleting)) return this.#abandon(summary, signal);
    if (cluster?.link === undefined || !isReady(cluster)) return settled;
    const { link } = cluster;
    const post = { key, cluster, link, signal: AbortSignal.any([signal, link.signal]) };
    try {
      return await this.#attend(summary, post);
    } catch (error) {
      if (link.signal.aborted && !signal.aborted) return settled;
      if (error instanceof Superseded || isConflict(error) || isNotFound(error)) return this.#lookAgain(key, summary, post.signal);
      throw error;
    }
  }

  #forget(key: string): Outcome {
    this.#keeping.references.forget(key);
    this.#keeping.standing.doubt(key);
    return settled;
  }

  async #attend(summary: KubeObject, post: Post): Promise<Outcome> {
    const because = suspensionOf(summary, post.cluster);
    if (because !== undefined) return this.#say(summary, { reconciliationSuspended: true, suspensionReason: because }, post.signal);
    return isLeaving(summary) ? this.#withdraw(summary, post) : this.#deploy(summary, post);
  }

  /** Somebody has written what our copy does not have yet: with that it is looked at once more. */
  async #lookAgain(key: string, summary: KubeObject, signal: AbortSignal): Promise<Outcome> {
    const { desk, queue } = this.#keeping;
    const live = await desk.hub.find(refOf(summary), { signal });
    if (live === undefined) return settled;
    await desk.copies.caughtUp([live], signal);
    queue.add(key);
    return settled;
  }

  async #say(summary: KubeObject, words: Partial<ClusterSummaryStatus>, signal: AbortSignal): Promise<Outcome> {
    const { hub, copies } = this.#keeping.desk;
    const written = await writeStatus(summary, hub, (status) => ({ ...status, ...words }), signal);
    if (written !== summary) await copies.caughtUp([written], signal);
    return settled;
  }

  async #deploy(written: KubeObject, post: Post): Promise<Outcome> {
    const { roll, references, standing } = this.#keeping;
    const { key, cluster, signal } = post;
    const clearance = clearanceOf(written, roll, (other) => standing.isCurrent(other, roll.find(other)));
    if (!clearance.clear) return clearance.says === undefined ? settled : this.#say(written, { dependencies: clearance.says }, signal);
    const summary = await this.#held(written, signal);
    standing.look(key);
    const pass = references.begin(key);
    const request: AddonRequest = { summary, cluster: cluster.managed, dependencies: clearance.says ?? "" };
    const startedAt = this.#keeping.desk.hub.clock.now();
    const { outcome, removed } = await conclusionOf(deploy(request, { ...this.#site(post), readReference: pass.read }, { signal }));
    pass.done();
    const hasWorked = outcome.summary !== summary;
    if (hasWorked) this.#count(outcome, startedAt);
    await this.#account(outcome, post);
    if (removed) this.#wakeLosers(outcome.summary);
    return this.#conclude(outcome, post);
  }

  /** What only a finalizer keeps must have it before anything is deployed for it. Whoever makes it should make it with one. */
  async #held(summary: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { finalizers: held = [], resourceVersion } = summary.metadata;
    if (held.includes(finalizer)) return summary;
    const patch = { metadata: { resourceVersion, finalizers: [...held, finalizer] } };
    return this.#keeping.desk.hub.patch(refOf(summary), { type: "merge", patch }, { signal });
  }

  #site({ link }: Post): AddonSite {
    const { hub, surroundings, charts, identity } = this.#keeping.desk;
    return { hub, cluster: link.cluster, surroundings, identity, ...(charts === undefined ? {} : { charts }) };
  }

  #count({ settled: isSettled, final }: AddonOutcome, startedAt: number): void {
    const { chronicle, hub } = this.#keeping.desk;
    const outcome = isSettled ? "provisioned" : final ? "refused" : "failed";
    chronicle.count("sluice_deploys_total", { outcome });
    chronicle.took("sluice_deploy_seconds", hub.clock.now() - startedAt, { outcome });
  }

  /** Writes what a deploy has come to where people look for it; nobody waits for these, so they go side by side. */
  async #account(outcome: AddonOutcome, { key, signal }: Post): Promise<void> {
    const { desk } = this.#keeping;
    const cluster = clusterIdOf(clusterOfKey(key));
    const owner = owningProfile(outcome.summary);
    if (owner === undefined) return;
    await Promise.all([
      desk.copies.caughtUp([outcome.summary], signal),
      this.#configurations.enter(cluster, { owner, present: true, features: outcome.features }, signal),
      keepReport(desk, cluster, owner, outcome.report, signal),
      ...outcome.displaced.map((loser) => this.#reset(loser, outcome.summary, signal)),
    ]);
  }

  #conclude(outcome: AddonOutcome, { key, cluster }: Post): Outcome {
    const { desk, queue, roll, standing } = this.#keeping;
    const complaint = complaintIn(outcome);
    if (complaint === undefined) {
      if (standing.settle(key, outcome.summary))
        for (const dependent of roll.dependentsOf(outcome.summary)) queue.add(summaryKey(dependent));
      return settled;
    }
    standing.doubt(key);
    tellOf(outcome.summary, outcome.final ? "Refused" : "DeployFailed", complaint, desk);
    if (outcome.final) return settled;
    // It may have failed because the cluster does not answer: then nothing is tried before it does.
    desk.fleet.suspect(cluster.key);
    throw new Fault(complaint);
  }

  /** A profile that lost objects to this one is to say so. */
  async #reset(loser: Pick<OwningProfile, "kind" | "name">, winner: KubeObject, signal: AbortSignal): Promise<void> {
    const { desk, roll } = this.#keeping;
    const found = roll.ofProfile(clusterKeyIn(winner), loser.kind, loser.name);
    if (found === undefined) return;
    for (;;) {
      const live = await desk.hub.find(refOf(found), { signal });
      if (live === undefined) return;
      try {
        await desk.hub.replace({ ...live, status: reset(statusOf(live)) }, { subresource: "status", signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error)) throw error;
      }
    }
  }

  /** Objects have become free: whoever could not have them may have them now. */
  #wakeLosers(summary: KubeObject): void {
    const { queue, roll } = this.#keeping;
    for (const loser of roll.failedIn(clusterKeyIn(summary))) {
      if (loser.metadata.name !== summary.metadata.name) queue.add(summaryKey(loser));
    }
  }

  async #withdraw(summary: KubeObject, post: Post): Promise<Outcome> {
    const { desk, roll } = this.#keeping;
    const { signal, cluster } = post;
    if (!isHeld(summary)) return settled;
    const held = heldBy(summary, roll);
    if (held !== undefined) return this.#say(summary, { dependencies: held }, signal);
    const { outcome } = await conclusionOf(withdraw({ summary, cluster: cluster.managed }, this.#site(post), { signal }));
    desk.chronicle.count("sluice_withdrawals_total", { outcome: outcome.settled ? "withdrawn" : "failed" });
    if (!outcome.settled) {
      const complaint = complaintIn(outcome) ?? "failed";
      await desk.copies.caughtUp([outcome.summary], signal);
      tellOf(outcome.summary, "WithdrawFailed", complaint, desk);
      desk.fleet.suspect(cluster.key);
      throw new Fault(complaint);
    }
    await this.#release(outcome.summary, signal);
    this.#wakeLosers(summary);
    return settled;
  }

  /** The cluster is gone, and with it all that was there. */
  async #abandon(summary: KubeObject, signal: AbortSignal): Promise<Outcome> {
    if (isHeld(summary)) await this.#release(summary, signal);
    return settled;
  }

  /** Nothing is left of it in the cluster: it goes from our books, and then it may go. */
  async #release(summary: KubeObject, signal: AbortSignal): Promise<void> {
    const { desk } = this.#keeping;
    const cluster = clusterIdOf(clusterKeyIn(summary));
    const owner = owningProfile(summary);
    if (owner !== undefined) {
      await Promise.all([
        this.#configurations.enter(cluster, { owner, present: false }, signal),
        keepReport(desk, cluster, owner, undefined, signal),
      ]);
    }
    const left = (summary.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    const patch = { metadata: { resourceVersion: summary.metadata.resourceVersion, finalizers: left } };
    const written = await desk.hub.patch(refOf(summary), { type: "merge", patch }, { signal });
    if (left.length === 0) await desk.copies.gone([written], signal);
    else await desk.copies.caughtUp([written], signal);
  }
}

function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

function suspensionOf({ metadata }: KubeObject, { managed }: FleetCluster): string | undefined {
  if (managed.paused) return `cluster ${managed.namespace}/${managed.name} is paused`;
  if (metadata.annotations?.[profilePausedAnnotation] !== undefined) return `the profile has the annotation ${profilePausedAnnotation}`;
  return undefined;
}

/** What a story comes to, and whether anything was taken away on the way. */
async function conclusionOf(story: AsyncIterable<AddonStory>): Promise<{ readonly outcome: AddonOutcome; readonly removed: boolean }> {
  let outcome: AddonOutcome | undefined;
  let removed = false;
  for await (const told of story) {
    if (told.type === "settled") outcome = told.outcome;
    else if (told.event.type === "finished" && told.event.verb === "delete") removed = true;
  }
  if (outcome === undefined) throw new TypeError("a story has no end");
  return { outcome, removed };
}
