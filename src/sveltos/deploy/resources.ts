import { fieldManager, type DeployedFeature, type FeatureRelease, type FeatureStatus } from "../api/index.ts";
import { BadInput, Fault } from "../../core/fault/index.ts";
import { keyOf, titleOf } from "../../core/object/index.ts";
import { run } from "../../release/apply/index.ts";
import type { Story } from "../../release/index.ts";
import type { RecordAction } from "../../release/plan/index.ts";
import { resourcesFeature } from "./configuration.ts";
import type { Making } from "./content.ts";
import { localOwner, readDesire, type Desire } from "./desire.ts";
import { Disputed } from "./disputed.ts";
import { unhealthy } from "./health.ts";
import type { Ledger } from "./ledger.ts";
import { UnservedKinds } from "./missing.ts";
import { makeNamespaces } from "./namespaces.ts";
import { propose, type Proposal } from "./propose.ts";
import { beginningOf, deployedRelease, eventOf, withHook } from "./record.ts";
import type { AddonOptions, AddonSite, Assignment } from "./request.ts";
import { displacedBy, isOwn, type Profile } from "./tier.ts";
import { applySubresources } from "./subresources.ts";
import { ailing, all, provisioned, provisioning, unchanged, withGvks, withRelease, type Change } from "./status.ts";

/** What came of a feature. */
export type FeatureResult = {
  /** For the ClusterConfiguration; undefined where it stays what it is. */
  readonly feature: DeployedFeature | undefined;
  /** It has failed; the ClusterSummary says why. */
  readonly failed: boolean;
  /** The profiles that have lost objects to this one. Default: none. */
  readonly displaced?: readonly Profile[];
};

/**
 * Brings the content of policyRefs into the cluster: nothing when it is there, otherwise an install or an upgrade, with the
 * removal of what left, and the health checks at the end. Safe to be killed at any instant and to be called again.
 */
export async function* deployResources(
  assignment: Assignment,
  making: Making,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story, FeatureResult> {
  const desire = await readDesire(assignment, making, site, options);
  if (isApplied(ledger, desire, "Provisioned")) return { feature: resourcesFeature(desire.placed, timeOf(ledger)), failed: false };
  if (isApplied(ledger, desire, "Failed")) return conclude(desire, assignment, ledger, site, options);
  const begun = provisioning("Resources", desire.hash);
  const proposal = await settledProposal(desire, begun, assignment, ledger, site, options).catch((error: unknown) => {
    throw blamed(error, desire);
  });
  const messages = proposal.conflicts.map(({ message }) => message);
  const isRefused = messages.length > 0 && !assignment.summary.profile.continueOnConflict;
  if (isRefused) throw disputed(messages, desire, timeOf(ledger), ownIn(proposal, assignment));
  if (proposal.beginning === undefined) await ledger.update(begun, options.signal);
  const failures = yield* carryOut({ ...proposal, begun }, ledger, site, options);
  if (failures.length > 0) throw new Fault([...messages, ...failures].join("\n"));
  if (messages.length > 0) throw disputed(messages, desire, ledger.now(), new Set(proposal.desired.map(({ ref }) => keyOf(ref))));
  return { ...(await conclude(desire, assignment, ledger, site, options)), displaced: displacedIn(proposal, assignment) };
}

/** By `keyOf`, what the profile has in the cluster before anything is done. */
function ownIn({ desired, found }: Proposal, { owner }: Assignment): ReadonlySet<string> {
  const keys = desired.map(({ ref }) => keyOf(ref));
  return new Set(
    keys.filter((key) => {
      const live = found.objects.get(key)?.live;
      return live !== undefined && isOwn(live, owner);
    }),
  );
}

function disputed(messages: readonly string[], { placed }: Desire, time: string, there: ReadonlySet<string>): Disputed {
  const pieces = placed.filter(({ ref }) => there.has(keyOf(ref)));
  const feature: DeployedFeature = pieces.length === 0 ? { featureID: "Resources" } : resourcesFeature(pieces, time);
  return new Disputed(messages.join("\n"), feature, refsOf(pieces));
}

/** What a cluster does not take as it is now it may take later: a kind, a namespace or a right may come, and only a kind is heard of. */
function blamed(error: unknown, { placed }: Desire): unknown {
  if (!(error instanceof BadInput)) return error;
  const unserved = placed.filter(({ served }) => !served).map(({ ref: { group, version, kind } }) => ({ group, version, kind }));
  return unserved.length > 0 ? new UnservedKinds(error.message, unserved) : new Fault(error.message);
}

function displacedIn({ desired, found }: Proposal, { owner }: Assignment): readonly Profile[] {
  const losers = desired.flatMap(({ ref }) => {
    const live = found.objects.get(keyOf(ref))?.live;
    const loser = live === undefined ? undefined : displacedBy(live, owner);
    return loser === undefined ? [] : [loser];
  });
  return [...new Map(losers.map((loser) => [`${loser.kind}/${loser.namespace}/${loser.name}`, loser])).values()];
}

/** What is wanted is in the cluster; where the feature has failed nevertheless, it was by its health checks. */
function isApplied(ledger: Ledger, { hash, contentHash }: Desire, status: FeatureStatus): boolean {
  const summary = ledger.summaryOf("Resources");
  const release = ledger.releaseOf("Resources");
  return summary?.status === status && summary.hash === hash && release?.state === "deployed" && release.hash === contentHash;
}

function timeOf(ledger: Ledger): string {
  return ledger.summaryOf("Resources")?.lastAppliedTime ?? ledger.now();
}

/**
 * What is written down before anything is applied is written while the cluster is looked at, where nothing was deployed
 * before: then it depends on nothing that is found there.
 */
async function settledProposal(
  desire: Desire,
  begun: Change,
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): Promise<Proposal> {
  const isFirst = ledger.summaryOf("Resources") === undefined && ledger.releaseOf("Resources") === undefined;
  if (!isFirst) return proposalFor(desire, false, assignment, ledger, site, options);
  const { release } = beginningOf(desire, undefined, []);
  const writing = ledger.update(all(begun, withRelease(release)), options.signal);
  const [written, proposed] = await Promise.allSettled([writing, proposalFor(desire, true, assignment, ledger, site, options)]);
  if (written.status === "rejected") throw written.reason;
  if (proposed.status === "rejected") throw proposed.reason;
  return proposed.value;
}

/** Namespaces that are not there are made as soon as nothing speaks against the rest; then the cluster can judge more of it. */
async function proposalFor(
  desire: Desire,
  isFirst: boolean,
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  { signal }: AddonOptions,
): Promise<Proposal> {
  const local = await localOwner(assignment, site.cluster, { signal });
  const first = await propose(desire, assignment, ledger, site, { signal, local, isFirst });
  const isRefused = first.conflicts.length > 0 && !assignment.summary.profile.continueOnConflict;
  if (first.lacking.length === 0 || isRefused) return first;
  await makeNamespaces(first.lacking, site.cluster, { signal });
  return propose(desire, assignment, ledger, site, { signal, local, isFirst });
}

/** A plan, and what is written down when it begins: the record, if there is one, and with it how the feature stands. */
export type Undertaking = Pick<Proposal, "plan" | "beginning"> & { readonly begun?: Change };

/** Runs a plan and keeps its record in the ClusterSummary. Gives what failed, a line each. */
export async function* carryOut(
  { plan, beginning, begun = unchanged }: Undertaking,
  ledger: Ledger,
  { cluster }: AddonSite,
  { signal, timeoutMs }: AddonOptions,
): AsyncGenerator<Story, readonly string[]> {
  const failures: string[] = [];
  const record = (action: RecordAction, abort: AbortSignal) => recorded(action, { plan, beginning, begun }, ledger, abort);
  yield { type: "planned", plan };
  for await (const event of run(
    plan,
    { cluster, manager: fieldManager, record },
    { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  )) {
    if (event.type === "done" && event.status === "stopped") signal.throwIfAborted();
    if (event.type === "failed") failures.push(event.verb === "record" ? event.because : `${titleOf(event.ref)}: ${event.because}`);
    // Records are kept in the ClusterSummary, and not in the Secrets that a story of them would name.
    if (event.type === "planned" || event.type === "done" || event.verb !== "record") yield event;
  }
  return failures;
}

/** The end is written with the rest of the status, by whoever knows how all came out. */
async function recorded({ state, hook }: RecordAction, undertaking: Undertaking, ledger: Ledger, signal: AbortSignal): Promise<void> {
  const { plan, beginning, begun = unchanged } = undertaking;
  if (beginning === undefined) return;
  const release = ledger.releaseOf("Resources") ?? beginning.release;
  if (hook !== undefined)
    return ledger.update(withRelease(withHook(release, hook.ref, eventOf(plan.operation, hook.stage), ledger.now())), signal);
  if (state === "failed") return ledger.update(withRelease({ ...release, state }), signal);
  if (state !== "deployed" && state !== "uninstalled") return ledger.update(all(begun, withRelease(beginning.release)), signal);
}

/** All is applied: what is deployed is written down, and the feature is Provisioned once its checks say so. */
async function conclude(
  desire: Desire,
  { summary }: Assignment,
  ledger: Ledger,
  { cluster }: AddonSite,
  { signal }: AddonOptions,
): Promise<FeatureResult> {
  const { placed, hash, contentHash } = desire;
  await applySubresources(placed, cluster, { signal });
  const begun = ledger.releaseOf("Resources");
  const base: FeatureRelease = begun ?? { featureID: "Resources", revision: 1, state: "deploying", hash: contentHash };
  const release = { ...deployedRelease(base, placed), hash: contentHash };
  const gvks = withGvks("Resources", refsOf(placed));
  const time = ledger.now();
  const feature = resourcesFeature(placed, time);
  const because = await unhealthy(summary.profile.validateHealths, "Resources", cluster, { signal });
  if (because !== undefined) {
    await ledger.update(all(withRelease(release), gvks, ailing("Resources", because, hash)), signal);
    return { feature, failed: true };
  }
  await ledger.update(all(withRelease(release), gvks, provisioned("Resources", hash, time)), signal);
  return { feature, failed: false };
}

/** In the order in which they were written, each once. */
export function refsOf(placed: Desire["placed"]): Desire["placed"][number]["ref"][] {
  return [...new Map(placed.map(({ ref }) => [keyOf(ref), ref])).values()];
}
