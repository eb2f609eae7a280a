import { driftIgnoreAnnotation, type FeatureId } from "../../api/index.ts";
import { Fault } from "../../fault/index.ts";
import { keyOf, type ObjectRef } from "../../object/index.ts";
import { assignmentOf } from "./assignment.ts";
import { localOwner, makingFor, readDesire } from "./desire.ts";
import { Ledger } from "./ledger.ts";
import { finishedJobs, propose, type Proposal } from "./propose.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory } from "./request.ts";
import { carryOut } from "./resources.ts";
import { failed } from "./status.ts";

const feature: FeatureId = "Resources";

export type DriftOptions = AddonOptions & {
  /** Only these are looked at, since only they have changed. Default: all that the profile has deployed. */
  readonly among?: readonly ObjectRef[];
};

/**
 * The objects that are not as the profile has deployed them: changed in what it says, or gone. What others added to them,
 * objects that say that they are to be ignored, Jobs whose time was over and objects of other profiles are no drift.
 */
export async function drifted(request: AddonRequest, site: AddonSite, options: DriftOptions): Promise<readonly ObjectRef[]> {
  return (await driftIn(request, new Ledger(request.summary, site.hub), site, options)).refs;
}

/** Puts back what has drifted, and nothing else; no hook runs. */
export async function* repair(request: AddonRequest, site: AddonSite, options: DriftOptions): AsyncGenerator<AddonStory> {
  const ledger = new Ledger(request.summary, site.hub);
  const { refs, proposalFor } = await driftIn(request, ledger, site, options);
  const failures: string[] = [];
  if (refs.length > 0) {
    const work = carryOut(await proposalFor(refs), ledger, site, options);
    let step = await work.next();
    for (; step.done !== true; step = await work.next()) yield { type: "progress", feature, event: step.value };
    failures.push(...step.value);
  }
  if (failures.length > 0) await ledger.update(failed(feature, failures.join("\n"), false), options.signal);
  const { summary, status } = ledger;
  const settled = failures.length === 0;
  yield { type: "settled", outcome: { summary, status, settled, final: false, features: undefined, displaced: [], report: undefined } };
}

type Drift = { readonly refs: readonly ObjectRef[]; readonly proposalFor: (refs: readonly ObjectRef[]) => Promise<Proposal> };

async function driftIn(request: AddonRequest, ledger: Ledger, site: AddonSite, options: DriftOptions): Promise<Drift> {
  const assignment = assignmentOf(request);
  const release = ledger.releaseOf(feature);
  if (release?.state !== "deployed")
    return { refs: [], proposalFor: () => Promise.reject(new Fault("put back drift", "nothing is deployed")) };
  const making = await makingFor(assignment, site, options);
  const desire = await readDesire(assignment, making, site, options);
  const local = await localOwner(assignment, site.cluster, options);
  const among = options.among === undefined ? undefined : new Set(options.among.map(keyOf));
  const watched = desire.placed.filter(
    ({ ref, object }) => object.metadata.annotations?.[driftIgnoreAnnotation] === undefined && (among?.has(keyOf(ref)) ?? true),
  );
  const proposalFor = (refs: readonly ObjectRef[]) =>
    propose(desire, assignment, ledger, site, { signal: options.signal, local, only: new Set(refs.map(keyOf)), inFull: true });
  // While other content is on its way, bringing it is for `deploy`.
  if (release.hash !== desire.contentHash || watched.length === 0) return { refs: [], proposalFor };
  const { found, desired } = await proposalFor(watched.map(({ ref }) => ref));
  const finished = finishedJobs(desire.placed, release, found);
  const refs = desired
    .map(({ ref }) => ref)
    .filter((ref) => !finished.has(keyOf(ref)) && found.facts.get(keyOf(ref))?.verdict?.says !== "unchanged");
  return { refs, proposalFor };
}
