import type { ClusterSummaryStatus, FeatureId, FeatureRelease, FeatureSummary } from "../../api/index.ts";
import { Fault } from "../../fault/index.ts";
import { isConflict, type Cluster } from "../../kube/index.ts";
import { equal, isFields, refOf, type KubeObject } from "../../object/index.ts";

/** Somebody else has changed what is to be deployed, or has taken the ClusterSummary away: whoever works on it stops. */
export class Superseded extends Fault {
  override readonly name = "Superseded";
}

/**
 * The status of one ClusterSummary while it is worked on. Every write carries the resourceVersion of the last; when
 * somebody else has written, the same change is made to what is there now, unless what is to be deployed has changed:
 * then whoever works on the old is told to stop.
 */
export class Ledger {
  readonly #hub: Cluster;
  #summary: KubeObject;
  #last: Promise<unknown> = Promise.resolve();

  constructor(summary: KubeObject, hub: Cluster) {
    this.#summary = summary;
    this.#hub = hub;
  }

  get summary(): KubeObject {
    return this.#summary;
  }

  get status(): ClusterSummaryStatus {
    return statusOf(this.#summary);
  }

  summaryOf(feature: FeatureId): FeatureSummary | undefined {
    return this.status.featureSummaries?.find(({ featureID }) => featureID === feature);
  }

  releaseOf(feature: FeatureId): FeatureRelease | undefined {
    return this.status.releases?.find(({ featureID }) => featureID === feature);
  }

  now(): string {
    return new Date(this.#hub.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  }

  /** Writes the status as `change` makes it; one write after the other, and none when nothing changes. */
  update(change: (status: ClusterSummaryStatus) => ClusterSummaryStatus, signal: AbortSignal): Promise<void> {
    const work = this.#last.then(() => this.#write(change, signal));
    this.#last = work.catch(() => undefined); // told to whoever asked for it
    return work;
  }

  async #write(change: (status: ClusterSummaryStatus) => ClusterSummaryStatus, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const before = this.#summary;
      const status = change(statusOf(before));
      if (equal(status, statusOf(before))) return;
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
    return found;
  }
}

/** The status of a ClusterSummary as the API server keeps it: its schema has checked it. */
export function statusOf({ status }: KubeObject): ClusterSummaryStatus {
  return isFields(status) ? (status as ClusterSummaryStatus) : {};
}
