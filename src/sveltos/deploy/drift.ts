import { driftIgnoreAnnotation, type FeatureId } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Story } from "../../release/index.ts";
import { assignmentOf } from "./assignment.ts";
import { chartDrift, repairChart } from "./charts/drift.ts";
import { localOwner, makingFor, readDesire } from "./desire.ts";
import { Ledger } from "./ledger.ts";
import { finishedJobs, propose, type Proposal } from "./propose.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory } from "./request.ts";
import { carryOut } from "./resources.ts";
import { failed } from "./status.ts";

export type DriftOptions = AddonOptions & {
  /** Only these are looked at, since only they have changed. Default: all that the profile has deployed. */
  readonly among?: readonly ObjectRef[];
};

/**
 * The objects that are not as the profile has deployed them: changed in what it says, or gone. What others added to them,
 * objects that say that they are to be ignored, Jobs whose time was over and objects of other profiles are no drift.
 */
export async function drifted(request: AddonRequest, site: AddonSite, options: DriftOptions): Promise<readonly ObjectRef[]> {
  const ledger = new Ledger(request.summary, site.hub);
  const { refs } = await driftIn(request, ledger, site, options);
  const charts = await chartDrift(ledger, site, { signal: options.signal, among: keysOf(options.among) });
  return [...refs, ...charts.flatMap((drift) => drift.refs)];
}

/**
 * Puts back what has drifted, and nothing else; no hook runs, and no release gets a new revision. What cannot even be read
 * is thrown: `deploy` tells of it in the status.
 */
export async function* repair(request: AddonRequest, site: AddonSite, options: DriftOptions): AsyncGenerator<AddonStory> {
  const ledger = new Ledger(request.summary, site.hub);
  const { signal } = options;
  const failures = new Map<FeatureId, string[]>();
  for await (const told of repairs(request, ledger, site, options)) {
    const { event, feature } = told;
    if (event.type === "failed") failures.set(feature, [...(failures.get(feature) ?? []), `${titleOf(event.ref)}: ${event.because}`]);
    yield { type: "progress", ...told };
  }
  for (const [feature, lines] of failures) await ledger.update(failed(feature, lines.join("\n"), false), signal);
  const { summary, status } = ledger;
  const settled = failures.size === 0;
  yield {
    type: "settled",
    outcome: { summary, status, settled, final: false, features: undefined, displaced: [], unserved: [], report: undefined },
  };
}

type Told = { readonly feature: FeatureId; readonly event: Story };

async function* repairs(request: AddonRequest, ledger: Ledger, site: AddonSite, options: DriftOptions): AsyncGenerator<Told> {
  const { refs, proposalFor } = await driftIn(request, ledger, site, options);
  if (refs.length > 0)
    for await (const event of carryOut(await proposalFor(refs), ledger, site, options)) yield { feature: "Resources", event };
  for (const drift of await chartDrift(ledger, site, { signal: options.signal, among: keysOf(options.among) }))
    for await (const event of repairChart(drift, site, options.signal)) yield { feature: "Helm", event };
}

function keysOf(refs: readonly ObjectRef[] | undefined): ReadonlySet<string> | undefined {
  return refs === undefined ? undefined : new Set(refs.map(keyOf));
}

type Drift = { readonly refs: readonly ObjectRef[]; readonly proposalFor: (refs: readonly ObjectRef[]) => Promise<Proposal> };

async function driftIn(request: AddonRequest, ledger: Ledger, site: AddonSite, options: DriftOptions): Promise<Drift> {
  const assignment = assignmentOf(request);
  const release = ledger.releaseOf("Resources");
  if (release?.state !== "deployed")
    return { refs: [], proposalFor: () => Promise.reject(new Fault("put back drift", "nothing is deployed")) };
  const making = await makingFor(assignment, site, options);
  const desire = await readDesire(assignment, making, site, options);
  const local = await localOwner(assignment, site.cluster, options);
  const among = keysOf(options.among);
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
