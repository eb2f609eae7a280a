import type { ClusterSummaryStatus, FeatureId, FeatureRelease, FeatureSummary } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, isTooLarge, type Cluster } from "../../kube/index.ts";
import { equal, isFields, refOf, timeText, type KubeObject } from "../../core/object/index.ts";
import { unchangedStatus, type StatusChange } from "./status-change.ts";

/** The ClusterSummary was changed or deleted during the work on it, which must stop. */
export class Superseded extends Fault {
  override readonly name = "Superseded";
}

/**
 * Reads and writes the status of one ClusterSummary while it is deployed. Every write has the resourceVersion of the last one.
 * After a conflict the same change is made to the new object, unless its spec or the deployed state has changed: then
 * `Superseded` is thrown.
 */
export class SummaryStatusStore {
  readonly #hub: Cluster;
  readonly #base: StatusChange;
  #summary: KubeObject;
  #last: Promise<unknown> = Promise.resolve();

  /** `base` is added to every change, so that it needs no write of its own. Default: none. */
  constructor(summary: KubeObject, hub: Cluster, base: StatusChange = unchangedStatus) {
    this.#summary = summary;
    this.#hub = hub;
    this.#base = base;
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
    return timeText(this.#hub.clock.now());
  }

  /** Writes a change. Writes run one after the other; an unchanged status is not written. */
  update(change: StatusChange, signal: AbortSignal): Promise<void> {
    const work = this.#last.then(() => this.#write(change, signal));
    this.#last = work.catch(() => undefined); // the caller of that update gets the error
    return work;
  }

  async #write(change: StatusChange, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const before = this.#summary;
      const status = this.#base(change(summaryStatusOf(before)));
      if (equal(status, summaryStatusOf(before))) return;
      try {
        this.#summary = await this.#hub.replace({ ...before, status }, { subresource: "status", signal });
        return;
      } catch (error) {
        if (isTooLarge(error)) throw tooLargeFault(before, status);
        if (!isConflict(error)) throw error;
        this.#summary = await this.#readAgain(before, signal);
      }
    }
  }

  async #readAgain(before: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { metadata } = before;
    const found = await this.#hub.find(refOf(before), { signal });
    const what = `write the status of ClusterSummary ${metadata.namespace ?? ""}/${metadata.name}`;
    if (found === undefined || found.metadata.uid !== metadata.uid) throw new Superseded(what, "it is gone");
    if (found.metadata.generation !== metadata.generation) throw new Superseded(what, "what is to be deployed has changed meanwhile");
    // Another process has deployed meanwhile: decisions of this one are outdated.
    if (!equal(deployedStateIn(found), deployedStateIn(before))) throw new Superseded(what, "somebody else has worked on it meanwhile");
    return found;
  }
}

/** The record has every object of the profile, so that nothing is lost when somebody else carries on. */
function tooLargeFault({ metadata }: KubeObject, status: ClusterSummaryStatus): Fault {
  const objects = (status.releases ?? []).reduce((sum, release) => sum + (release.objects ?? []).length, 0);
  const bytes = Buffer.byteLength(JSON.stringify(status));
  return new Fault(
    `write the status of ClusterSummary ${metadata.namespace ?? ""}/${metadata.name}`,
    `with the record of ${objects} objects it has ${bytes} bytes, and no API server stores an object of more than 1.5 MiB: divide the content among several profiles`,
    { final: true },
  );
}

/** The deployed state in a status. */
function deployedStateIn(summary: KubeObject): unknown {
  const { releases = [], featureSummaries = [], helmReleaseSummaries = [] } = summaryStatusOf(summary);
  return { releases, featureSummaries, helmReleaseSummaries };
}

/** Changes the status of a ClusterSummary and gives the result. An unchanged status is not written. */
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

/** The status of a ClusterSummary. The schema of its CRD has validated it. */
export function summaryStatusOf({ status }: KubeObject): ClusterSummaryStatus {
  return isFields(status) ? (status as ClusterSummaryStatus) : {};
}
