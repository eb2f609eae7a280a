import { healthCheckTargetsOf, readDeployedObjects, repairDrift, summaryStatusOf } from "../../deploy/index.ts";
import type { AddonRequest, AddonContext, AddonOutcome } from "../../deploy/index.ts";
import { reasonLabel, type ResourceReport } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { keyOf, stringAt, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { collectResult, type CollectedResult } from "./collect-result.ts";
import type { ClusterWatches, WatchRequest } from "./cluster-watches.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

/** Objects that have changed since the last repair: these, by `keyOf`, or any. */
type ChangedObjects = Map<string, ObjectRef> | "all";

/**
 * Watches the objects of deployed ClusterSummaries and repairs drift where a profile asks for it. It also watches what
 * health checks and dry runs depend on. Its own writes arrive as changes too: comparing with the cluster sorts them out.
 */
export class DriftRepairer {
  readonly #watches: ClusterWatches;
  readonly #changed = new Map<string, ChangedObjects>();

  constructor(watches: ClusterWatches) {
    this.#watches = watches;
  }

  /** An object has changed in the cluster of a ClusterSummary; without a ref any may have. */
  markChanged(key: SummaryKey, ref: ObjectRef | undefined): void {
    const id = summaryIdentity(key);
    const known = this.#changed.get(id);
    if (ref === undefined) this.#changed.set(id, "all");
    else if (known === undefined) this.#changed.set(id, new Map([[keyOf(ref), ref]]));
    else if (known !== "all") known.set(keyOf(ref), ref);
  }

  forget(key: SummaryKey): void {
    this.#watches.unsubscribe(key);
    this.#changed.delete(summaryIdentity(key));
  }

  /** Subscribes to the objects that a ClusterSummary depends on after a deploy, and to no others. */
  async watch(
    key: SummaryKey,
    { summary, cluster }: AddonRequest,
    outcome: AddonOutcome,
    connection: ClusterConnection,
    addonContext: AddonContext,
    options: Options,
  ): Promise<void> {
    const request = { summary: outcome.summary, cluster };
    const health = outcome.final ? [] : healthCheckTargetsOf(request).map(({ kind, ...selection }) => ({ kind, selection, status: true }));
    const open = [...health, ...outcome.unserved.map(servedWatch)];
    const isKnown = outcome.summary === summary && this.#watches.isSubscribed(key, connection);
    if (detectsDrift(outcome.summary)) {
      if (!isKnown) this.#watches.subscribe(key, connection, [...open, ...(await driftWatches(outcome.summary, addonContext, options))]);
    } else {
      const reported = dryRunWatches(outcome.report?.resourceReports ?? []);
      if (open.length === 0 && reported.length === 0) return this.forget(key);
      this.#watches.subscribe(key, connection, [...open, ...reported]);
    }
  }

  /** Repairs the changed objects that have drifted. Gives the result; undefined when nothing has changed. */
  async repair(
    key: SummaryKey,
    request: AddonRequest,
    addonContext: AddonContext,
    { signal }: Options,
  ): Promise<CollectedResult | undefined> {
    const changed = this.#changed.get(summaryIdentity(key));
    this.#changed.delete(summaryIdentity(key));
    if (changed === undefined || !detectsDrift(request.summary)) return undefined;
    try {
      const among = changed === "all" ? {} : { among: [...changed.values()] };
      return await collectResult(repairDrift(request, addonContext, { signal, ...among }));
    } catch (error) {
      // The next repair compares everything.
      this.markChanged(key, undefined);
      throw error;
    }
  }
}

/** A watch of a kind that is not served syncs as soon as it is. It selects no objects. */
function servedWatch(kind: GroupVersionKind): WatchRequest {
  return { kind, selection: { labelSelector: `${reasonLabel}=Resources` }, among: new Set(), status: false };
}

type Options = { readonly signal: AbortSignal };

function detectsDrift(summary: KubeObject): boolean {
  return stringAt(summary, "spec.clusterProfileSpec.syncMode") === "ContinuousWithDriftDetection";
}

async function driftWatches(summary: KubeObject, addonContext: AddonContext, { signal }: Options): Promise<readonly WatchRequest[]> {
  if (!(summaryStatusOf(summary).featureSummaries ?? []).some(({ status }) => status === "Provisioned")) return [];
  const deployed = await readDeployedObjects(summary, addonContext, { signal });
  const groups = Map.groupBy(deployed, ({ ref, labelSelector }) => `${kindName(ref)} ${labelSelector}`);
  return [...groups.values()].map((all) => ({
    kind: kindOf(all[0]!.ref),
    selection: { labelSelector: all[0]!.labelSelector },
    among: new Set(all.map(({ ref }) => keyOf(ref))),
    status: false,
  }));
}

/** The objects that a dry run has compared. They may belong to no profile yet, so there is no label to select them by. */
function dryRunWatches(reports: readonly ResourceReport[]): readonly WatchRequest[] {
  const refs = reports.map(({ resource: { group, version, kind, namespace = "", name } }) => ({ group, version, kind, namespace, name }));
  const groups = Map.groupBy(refs, (ref) => `${kindName(ref)} ${ref.namespace}`);
  return [...groups.values()].map((all) => ({
    kind: kindOf(all[0]!),
    selection: all[0]!.namespace === "" ? {} : { namespace: all[0]!.namespace },
    among: new Set(all.map(keyOf)),
    status: false,
  }));
}

function kindOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

function kindName({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
