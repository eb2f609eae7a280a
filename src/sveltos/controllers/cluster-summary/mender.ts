import { checkedFor, deployedBy, repair, statusOf } from "../../deploy/index.ts";
import type { AddonRequest, AddonSite, Outcome as AddonOutcome } from "../../deploy/index.ts";
import { reasonLabel, type ResourceReport } from "../../api/index.ts";
import type { Link } from "../../fleet/index.ts";
import { keyOf, stringAt, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { conclusionOf } from "./conclusion.ts";
import type { Interest, Watches } from "./watches.ts";

/** Objects that may have drifted: these, or any. */
type Suspicion = Set<string> | "all";

/**
 * What goes on in the clusters after a deploy: puts back what drifts, where a profile asks for that, and hears of what
 * health checks and dry runs depend on. Our own writes are heard of too; that they are what should be there takes a look.
 */
export class Mender {
  readonly #watches: Watches;
  readonly #suspicions = new Map<string, Suspicion>();

  constructor(watches: Watches) {
    this.#watches = watches;
  }

  /** An object has changed in a cluster; without one, any may have. */
  suspect(key: string, object: string | undefined): void {
    const known = this.#suspicions.get(key);
    if (object === undefined) this.#suspicions.set(key, "all");
    else if (known === undefined) this.#suspicions.set(key, new Set([object]));
    else if (known !== "all") known.add(object);
  }

  forget(key: string): void {
    this.#watches.leave(key);
    this.#suspicions.delete(key);
  }

  /** Listens to what a ClusterSummary depends on, as it is after a deploy. */
  async follow(
    key: string,
    { summary, cluster }: AddonRequest,
    outcome: AddonOutcome,
    link: Link,
    site: AddonSite,
    work: Work,
  ): Promise<void> {
    const request = { summary: outcome.summary, cluster };
    const health = outcome.final ? [] : checkedFor(request).map(({ kind, ...selection }) => ({ kind, selection, status: true }));
    const open = [...health, ...outcome.unserved.map(arrivalOf)];
    const isKnown = outcome.summary === summary && this.#watches.isListening(key, link);
    if (detectsDrift(outcome.summary)) {
      if (!isKnown) this.#watches.listen(key, link, [...open, ...(await driftIn(outcome.summary, site, work))]);
    } else {
      const reported = reportedIn(outcome.report?.resourceReports ?? []);
      if (open.length === 0 && reported.length === 0) return this.forget(key);
      this.#watches.listen(key, link, [...open, ...reported]);
    }
  }

  /** Puts back what has drifted of what was told of; gives what that came to, or nothing when there was nothing to look at. */
  async mend(key: string, request: AddonRequest, site: AddonSite, { signal }: Work): Promise<AddonOutcome | undefined> {
    const suspicion = this.#suspicions.get(key);
    this.#suspicions.delete(key);
    if (suspicion === undefined || !detectsDrift(request.summary)) return undefined;
    try {
      const among = suspicion === "all" ? {} : { among: [...suspicion].map(refOfKey) };
      const { outcome } = await conclusionOf(repair(request, site, { signal, ...among }));
      return outcome;
    } catch (error) {
      // What was not looked at is looked at next time.
      this.suspect(key, undefined);
      throw error;
    }
  }
}

/** A watch of a kind that is not served is complete as soon as it is; of the objects themselves nobody wants to hear. */
function arrivalOf(kind: GroupVersionKind): Interest {
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

async function driftIn(summary: KubeObject, site: AddonSite, { signal }: Work): Promise<readonly Interest[]> {
  if (!(statusOf(summary).featureSummaries ?? []).some(({ status }) => status === "Provisioned")) return [];
  const deployed = await deployedBy(summary, site, { signal });
  const groups = Map.groupBy(deployed, ({ ref, labelSelector }) => `${kindName(ref)} ${labelSelector}`);
  return [...groups.values()].map((all) => ({
    kind: kindOf(all[0]!.ref),
    selection: { labelSelector: all[0]!.labelSelector },
    among: new Set(all.map(({ ref }) => keyOf(ref))),
    status: false,
  }));
}

/** What a dry run has compared with. Nobody may own it yet, so there is no label to select it by. */
function reportedIn(reports: readonly ResourceReport[]): readonly Interest[] {
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
