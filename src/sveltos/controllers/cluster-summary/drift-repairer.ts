import { healthCheckTargetsOf, readDeployedObjects, repairDrift, summaryStatusOf } from "../../deploy/index.ts";
import type { AddonRequest, AddonContext, AddonOutcome } from "../../deploy/index.ts";
import { reasonLabel, type ResourceReport } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { keyOf, stringAt, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { collectResult } from "./collect-result.ts";
import type { WatchRequest, ClusterWatches } from "./cluster-watches.ts";

/** Objects that may have drifted: these, or any. */
type ChangedObjects = Set<string> | "all";

/**
 * What goes on in the clusters after a deploy: puts back what drifts, where a profile asks for that, and hears of what
 * health checks and dry runs depend on. Our own writes are heard of too; that they are what should be there takes a look.
 */
export class DriftRepairer {
  readonly #watches: ClusterWatches;
  readonly #suspicions = new Map<string, ChangedObjects>();

  constructor(watches: ClusterWatches) {
    this.#watches = watches;
  }

  /** An object has changed in a cluster; without one, any may have. */
  markChanged(key: string, object: string | undefined): void {
    const known = this.#suspicions.get(key);
    if (object === undefined) this.#suspicions.set(key, "all");
    else if (known === undefined) this.#suspicions.set(key, new Set([object]));
    else if (known !== "all") known.add(object);
  }

  forget(key: string): void {
    this.#watches.unsubscribe(key);
    this.#suspicions.delete(key);
  }

  /** Listens to what a ClusterSummary depends on, as it is after a deploy. */
  async watch(
    key: string,
    { summary, cluster }: AddonRequest,
    outcome: AddonOutcome,
    link: ClusterConnection,
    addonContext: AddonContext,
    work: Work,
  ): Promise<void> {
    const request = { summary: outcome.summary, cluster };
    const health = outcome.final ? [] : healthCheckTargetsOf(request).map(({ kind, ...selection }) => ({ kind, selection, status: true }));
    const open = [...health, ...outcome.unserved.map(servedWatch)];
    const isKnown = outcome.summary === summary && this.#watches.isSubscribed(key, link);
    if (detectsDrift(outcome.summary)) {
      if (!isKnown) this.#watches.subscribe(key, link, [...open, ...(await driftWatches(outcome.summary, addonContext, work))]);
    } else {
      const reported = dryRunWatches(outcome.report?.resourceReports ?? []);
      if (open.length === 0 && reported.length === 0) return this.forget(key);
      this.#watches.subscribe(key, link, [...open, ...reported]);
    }
  }

  /** Puts back what has drifted of what was told of; gives what that came to, or nothing when there was nothing to look at. */
  async repair(key: string, request: AddonRequest, addonContext: AddonContext, { signal }: Work): Promise<AddonOutcome | undefined> {
    const suspicion = this.#suspicions.get(key);
    this.#suspicions.delete(key);
    if (suspicion === undefined || !detectsDrift(request.summary)) return undefined;
    try {
      const among = suspicion === "all" ? {} : { among: [...suspicion].map(refOfKey) };
      const { outcome } = await collectResult(repairDrift(request, addonContext, { signal, ...among }));
      return outcome;
    } catch (error) {
      // What was not looked at is looked at next time.
      this.markChanged(key, undefined);
      throw error;
    }
  }
}

/** A watch of a kind that is not served is complete as soon as it is; of the objects themselves nobody wants to hear. */
function servedWatch(kind: GroupVersionKind): WatchRequest {
  return { kind, selection: { labelSelector: `${reasonLabel}=Resources` }, among: new Set(), status: false };
}

type Work = { readonly signal: AbortSignal };

export function detectsDrift(summary: KubeObject): boolean {
  return stringAt(summary, "spec.clusterProfileSpec.syncMode") === "ContinuousWithDriftDetection";
}

/** Reads what `keyOf` wrote; the version does not matter to who compares keys. */
function refOfKey(key: string): ObjectRef {
  const [group = "", kind = "", namespace = "", name = ""] = key.split("/");
  return { group, version: "", kind, namespace, name };
}

async function driftWatches(summary: KubeObject, addonContext: AddonContext, { signal }: Work): Promise<readonly WatchRequest[]> {
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

/** What a dry run has compared with. Nobody may own it yet, so there is no label to select it by. */
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
