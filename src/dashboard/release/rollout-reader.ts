import { isDeleting } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { latestOf, readLeaseHolder, type Revision } from "../../release/record/index.ts";
import { readRolloutPlan, readStepStatuses } from "../../release/status/index.ts";
import type { RolloutStatus } from "../../release/why/index.ts";
import { OutcomeCache } from "./outcome-cache.ts";
import { planGraphOf, type PlanGraph } from "./plan-graph.ts";

type Planned = Awaited<ReturnType<typeof readRolloutPlan>> & { readonly graph: PlanGraph };

/** The plan of a release and how far it is, read again and again: the plan is made anew only when its input has changed. */
export class RolloutReader {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #outcomes: OutcomeCache;
  #planned: { readonly key: string; readonly value: Planned } | undefined;

  /** The cluster is one whose reads cost little. */
  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
    this.#outcomes = new OutcomeCache(cluster, signal);
  }

  /** The plan of the latest of these revisions, as a graph. */
  async graph(revisions: readonly Revision[]): Promise<PlanGraph> {
    return (await this.#plan(revisions)).graph;
  }

  /** How far the latest of these revisions is, by the live objects. */
  async rollout(revisions: readonly Revision[]): Promise<{ readonly rollout: RolloutStatus; readonly graph: PlanGraph }> {
    const latest = latestOf(revisions)!;
    const { plan, graph } = await this.#plan(revisions);
    const { name, namespace, revision, state, description } = latest;
    const release = { name, namespace };
    const options = { signal: this.#signal, readOutcomes: this.#outcomes.read.bind(this.#outcomes) };
    const [holder, stepStatuses] = await Promise.all([
      readLeaseHolder(this.#cluster, release, options),
      readStepStatuses(plan, latest, this.#cluster, options),
    ]);
    return { rollout: { release, revision, state, description, ...(holder === undefined ? {} : { holder }), plan, stepStatuses }, graph };
  }

  async #plan(revisions: readonly Revision[]): Promise<Planned> {
    const records = revisions.map(({ revision, state, stored }) => `${revision} ${state} ${stored?.resourceVersion}`).join("\n");
    const known = this.#planned;
    if (known !== undefined && known.key === `${records}\n${await this.#removedKey(known.value.removed)}`) return known.value;
    const planned = await readRolloutPlan(revisions, this.#cluster, { signal: this.#signal });
    const value = { ...planned, graph: planGraphOf(planned.plan) };
    this.#planned = { key: `${records}\n${await this.#removedKey(planned.removed)}`, value };
    return value;
  }

  /** Which of the objects that are to be removed are there. */
  async #removedKey(refs: Planned["removed"]): Promise<string> {
    const found = await Promise.all(refs.map((ref) => this.#cluster.find(ref).catch(() => undefined)));
    return found.map((object) => (object === undefined ? "-" : `${object.metadata.uid} ${isDeleting(object)}`)).join("\n");
  }
}
