import type { ClusterSummaryStatus, FeatureId, FeatureRelease, FeatureSummary } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, type Cluster } from "../../kube/index.ts";
import { equal, isFields, refOf, type KubeObject } from "../../core/object/index.ts";
import { unchangedStatus, type StatusChange } from "./status-change.ts";

/** Somebody else has changed what is to be deployed, or has taken the ClusterSummary away: whoever works on it stops. */
export class Superseded extends Fault {
  override readonly name = "Superseded";
}

/**
 * The status of one ClusterSummary while it is worked on. Every write carries the resourceVersion of the last; when
 * somebody else has written, the same change is made to what is there now, unless what is to be deployed has changed:
 * then whoever works on the old is told to stop.
 */
export class SummaryStatusStore {
  readonly #hub: Cluster;
  readonly #standing: StatusChange;
  #summary: KubeObject;
  #last: Promise<unknown> = Promise.resolve();

  /** `standing`: what is made so with whatever is written, so that it takes no write of its own. Default: nothing. */
  constructor(summary: KubeObject, hub: Cluster, standing: StatusChange = unchangedStatus) {
    this.#summary = summary;
    this.#hub = hub;
    this.#standing = standing;
  }

  get summary(): KubeObject {
    return this.#summary;
  }

  get status(): ClusterSummaryStatus {
    return summaryStatusOf(this.#summary);
  }

  featureSummary(feature: FeatureId): FeatureSummary | undefined {
    return this.status.featureSummaries?.find(({ featureID }) => featureID === feature);
  }

  featureRelease(feature: FeatureId): FeatureRelease | undefined {
    return this.status.releases?.find(({ featureID }) => featureID === feature);
  }

  now(): string {
    return new Date(this.#hub.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  }

  /** Writes the status as `change` makes it; one write after the other, and none when nothing changes. */
  update(change: StatusChange, signal: AbortSignal): Promise<void> {
    const work = this.#last.then(() => this.#write(change, signal));
    this.#last = work.catch(() => undefined); // told to whoever asked for it
    return work;
  }

  async #write(change: StatusChange, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const before = this.#summary;
      const status = this.#standing(change(summaryStatusOf(before)));
      if (equal(status, summaryStatusOf(before))) return;
      try {
        this.#summary = await this.#hub.replace({ ...before, status }, { subresource: "status", signal });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
        this.#summary = await this.#afresh(before, signal);
      }
    }
  }

  async #afresh(before: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { metadata } = before;
    const found = await this.#hub.find(refOf(before), { signal });
    const what = `write the status of ClusterSummary ${metadata.namespace ?? ""}/${metadata.name}`;
    if (found === undefined || found.metadata.uid !== metadata.uid) throw new Superseded(what, "it is gone");
    if (found.metadata.generation !== metadata.generation) throw new Superseded(what, "what is to be deployed has changed meanwhile");
    // What is known of the cluster's state is not what it was decided on.
    if (!equal(deployedStateIn(found), deployedStateIn(before))) throw new Superseded(what, "somebody else has worked on it meanwhile");
    return found;
  }
}

/** What a status says of what is deployed. */
function deployedStateIn(summary: KubeObject): unknown {
  const { releases = [], featureSummaries = [], helmReleaseSummaries = [] } = summaryStatusOf(summary);
  return { releases, featureSummaries, helmReleaseSummaries };
}

/** Changes a ClusterSummary's status; gives the ClusterSummary as it is then. Nothing is written when nothing changes. */
export async function updateSummaryStatus(
  summary: KubeObject,
  hub: Cluster,
  change: StatusChange,
  signal: AbortSignal,
): Promise<KubeObject> {
  const statusStore = new SummaryStatusStore(summary, hub);
  await statusStore.update(change, signal);
  return statusStore.summary;
}

/** The status of a ClusterSummary as the API server keeps it: its schema has checked it. */
export function summaryStatusOf({ status }: KubeObject): ClusterSummaryStatus {
  return isFields(status) ? (status as ClusterSummaryStatus) : {};
}
