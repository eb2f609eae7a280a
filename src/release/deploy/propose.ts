import { BadInput, Fault } from "../../fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../object/index.ts";
import { positionText, type Manifest } from "../../yaml/index.ts";
import { prepare, type Preparation } from "../apply/index.ts";
import type { Operation, Ordered } from "../order/index.ts";
import { changesNothing, plan, takesPart, type Plan, type PlanInput, type PlanOptions, type Wanted } from "../plan/index.ts";
import {
  begin,
  continuationOf,
  historyLimit,
  historyOf,
  isSame,
  latestOf,
  marked,
  missingRelease,
  objectionTo,
  objectionToName,
  releaseText,
  superfluousIn,
  type Content,
  type Release,
  type RecordedOperation,
  type Revision,
} from "../record/index.ts";
import { survey, type Survey, type Surveyed } from "../survey/index.ts";
import { basisOf } from "./basis.ts";
import { contentOf, manifestsOf } from "./content.ts";
import { formerOf } from "./former.ts";
import { hooksDoneIn } from "./hook-runs.ts";
import { lacksNamespace } from "./namespace.ts";
import type { Proposal, Terms } from "./proposal.ts";
import { prospectsOf } from "./prospect.ts";
import { rollbackTarget } from "./rollback-target.ts";

/** Whose fields a release's objects are: Helm's, so that the two can take turns. */
export const manager = "helm";

export type DeployRequest = Terms & {
  readonly release: Release;
  readonly manifests: readonly Manifest[];
  /** Definitions that a chart brings and others may bring as well: they belong to no release, and stay when it goes. */
  readonly definitions?: readonly Manifest[];
  /** The release's namespace is made when it is not there. Default false. */
  readonly createNamespace?: boolean;
  /** What the record keeps beside the manifests: a chart, values, notes; and the manifests as they were rendered. */
  readonly about?: Pick<Content, "chart" | "config" | "notes"> & Partial<Pick<Content, "manifest" | "hooks">>;
};

export type RollbackRequest = Terms & {
  readonly release: Release;
  /** The revision to go back to. Default: the one that was deployed before. */
  readonly to?: number;
};

export type ReleaseRequest = Terms & { readonly release: Release };

type Options = { readonly signal: AbortSignal };

export type ProposeOptions = Options & {
  /** How many revisions are kept. Default: as many as Helm keeps; 0 keeps all. */
  readonly historyMax?: number;
};

/** Settles what deploying manifests as a release would do. Whatever speaks against it is thrown, all at once; nothing is touched. */
export async function proposeDeploy(request: DeployRequest, cluster: Cluster, options: ProposeOptions): Promise<Proposal> {
  const { signal, historyMax = historyLimit } = options;
  const { release, manifests, definitions = [], createNamespace = false, about = {} } = request;
  checkName(release);
  // A release that brings its own namespace asks for it all the same: its records need a place first.
  const mayCreate = createNamespace || manifests.some(({ object }) => isNamespaceOf(object, release));
  const comingNamespaces = mayCreate ? [release.namespace] : [];
  const [prepared, revisions, createsNamespace] = await Promise.all([
    prepare([...definitions, ...manifests], cluster, { signal, comingNamespaces, namespace: release.namespace }),
    historyOf(cluster).revisions(release, { signal }),
    lacksNamespace(release.namespace, cluster, { signal }),
  ]);
  if (createsNamespace && !mayCreate) throw new BadInput([{ at: "", message: homelessText(release) }]);
  const operation = isThere(revisions) ? "upgrade" : "install";
  const content = { ...contentOf(manifests), ...about };
  const drawing = { terms: request, release, operation, content, prepared: shared(prepared, definitions), revisions } as const;
  const proposal = await proposeRevision(drawing, cluster, signal);
  const untidy = proposal.unchanged && isUntidy(revisions, historyMax);
  return { ...proposal, ...(untidy ? { untidy } : {}), createsNamespace };
}

/** Who dies between the records of a deploy leaves two revisions that are deployed, or more than there may be. */
function isUntidy(revisions: readonly Revision[], historyMax: number): boolean {
  return revisions.filter(({ state }) => state === "deployed").length > 1 || superfluousIn(revisions, historyMax).length > 0;
}

/** What was prepared, with the definitions as those of nobody. */
function shared({ items, warnings }: Preparation, definitions: readonly Manifest[]): Preparation {
  const places = new Set(definitions.map(({ at }) => positionText(at)));
  return {
    items: items.map((item) => (places.has(item.at) ? { ...item, claims: { ...item.claims, ownership: "anyone" } } : item)),
    warnings,
  };
}

/** Settles what going back to an earlier revision would do. */
export async function proposeRollback(request: RollbackRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release, to } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const target = rollbackTarget(revisions, release, to);
  const { manifest, hooks, chart, config, notes, labels } = target;
  const prepared = await prepare(manifestsOf(target), cluster, { signal, namespace: release.namespace });
  const content = { manifest, hooks, chart, config, notes, labels };
  const drawn = { terms: request, release, operation: "rollback", content, prepared, revisions } as const;
  return proposeRevision({ ...drawn, description: `Rollback to ${target.revision}` }, cluster, signal);
}

/** Settles what deleting a release would do. */
export async function proposeDelete(request: ReleaseRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const revision = latestOf(revisions)!;
  const former = await formerOf(revisions, cluster, release.namespace);
  const hooks = former.filter(({ claims }) => claims.hook);
  const items = former.map((each) => (each.claims.hook ? wantedIn(each) : { ref: each.ref }));
  const found = await survey(items, cluster, { signal, manager, force: true });
  const hooksDone = revision.state === "uninstalling" ? hooksDoneIn(revision, hooks, "delete") : new Set<string>();
  const drawn = draw({
    operation: "delete",
    release: numbered(revision),
    desired: hooks,
    // Where a hook of this deletion has taken a resource's place, what is there is the hook.
    previous: former.filter(({ ref, claims }) => claims.hook || !hasRun(ref, hooksDone)),
    live: found.facts,
    hooksDone,
    options: planOptions(request),
  });
  const basis = basisOf(drawn, revisions, found);
  const objects = prospectsOf(basis, found, former);
  return { release, operation: "delete", plan: drawn, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}

function hasRun(ref: ObjectRef, hooksDone: ReadonlySet<string>): boolean {
  return hooksDone.has(`pre/${keyOf(ref)}`) || hooksDone.has(`post/${keyOf(ref)}`);
}

/** Settles what the test hooks of a release would do. */
export async function proposeTest(request: ReleaseRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const revision = revisions.findLast(({ state }) => state === "deployed");
  if (revision === undefined)
    throw new Fault(`test release ${releaseText(release)}`, "no revision of it is deployed: deploy it first", { final: true });
  const former = await formerOf([revision], cluster, release.namespace);
  const hooks = former.filter(({ claims }) => claims.hook && claims.stages.test !== undefined);
  const found = await survey(hooks.map(wantedIn), cluster, { signal, manager, force: true });
  const drawn = draw({ operation: "test", release: numbered(revision), desired: hooks, live: found.facts, options: planOptions(request) });
  const basis = basisOf(drawn, revisions, found);
  const objects = prospectsOf(basis, found, hooks);
  return { release, operation: "test", plan: drawn, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}

function isNamespaceOf({ apiVersion, kind, metadata }: KubeObject, { namespace }: Release): boolean {
  return apiVersion === "v1" && kind === "Namespace" && metadata.name === namespace;
}

function homelessText({ name, namespace }: Release): string {
  return `release ${name} has no place: there is no namespace ${namespace}: make it with --create-namespace, or name another one with -n`;
}

type Drawing = {
  readonly terms: Terms;
  readonly release: Release;
  readonly operation: RecordedOperation;
  readonly content: Content;
  readonly prepared: Preparation;
  readonly revisions: readonly Revision[];
  readonly description?: string;
};

/** Settles an operation that writes a revision. */
async function proposeRevision(drawing: Drawing, cluster: Cluster, signal: AbortSignal): Promise<Proposal> {
  const { terms, release, operation, content, prepared, revisions } = drawing;
  const latest = latestOf(revisions);
  const continuation = continuationOf(latest, operation, content);
  const carriedOn = continuation.how === "carry-on";
  const revision = carriedOn ? continuation.revision : nextRevision(drawing, latest, cluster.clock.now());
  const objection = objectionTo(revision);
  if (objection !== undefined) throw new BadInput([{ at: "", message: objection }]);
  const desired = prepared.items.map(({ object, at, ref, claims }): Ordered<Wanted> => {
    const own = claims.ownership === "release" ? marked(object, release) : object;
    return { item: { object: own, at }, ref, claims };
  });
  const pending = new Set(prepared.items.filter((item) => item.pending).map(({ ref }) => keyOf(ref)));
  const previous = await formerOf(revisions, cluster, release.namespace);
  const found = await surveyed(desired, previous, pending, operation, cluster, {
    signal,
    force: terms.forceConflicts ?? false,
  });
  const input: PlanInput = {
    operation,
    release: numbered(revision),
    desired,
    previous,
    live: found.facts,
    options: planOptions(terms),
    ...(carriedOn ? { hooksDone: hooksDoneIn(revision, desired, operation) } : {}),
  };
  const drawn = draw(input);
  const unchanged = operation === "upgrade" && latest?.state === "deployed" && isSame(latest, content) && changesNothing(drawn);
  const settled = unchanged ? withoutRecords(input) : drawn;
  const basis = basisOf(settled, revisions, found);
  return {
    release,
    operation,
    plan: settled,
    revision: unchanged ? latest : revision,
    ...(continuation.how === "abandon" ? { abandoned: continuation.revision } : {}),
    unchanged,
    createsNamespace: false,
    warnings: prepared.warnings,
    basis,
    objects: prospectsOf(basis, found, desired, previous),
  };
}

function nextRevision({ release, operation, content, description }: Drawing, previous: Revision | undefined, nowMs: number): Revision {
  const at = new Date(nowMs).toISOString();
  return begin(release, operation, content, { previous, at, ...(description === undefined ? {} : { description }) });
}

/** Looks at what is wanted and takes part, and at what may have to go. */
async function surveyed(
  desired: readonly Ordered<Wanted>[],
  previous: readonly Ordered<Wanted>[],
  pending: ReadonlySet<string>,
  operation: Operation,
  cluster: Cluster,
  { signal, force }: { readonly signal: AbortSignal; readonly force: boolean },
): Promise<Survey> {
  const taking = desired.filter(({ claims }) => takesPart(claims, operation));
  const wanted = new Set(taking.map(({ ref }) => keyOf(ref)));
  const items = [
    ...taking.filter(({ ref }) => !pending.has(keyOf(ref))).map(wantedIn),
    ...previous.filter(({ ref, claims }) => !claims.hook && !wanted.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
  return survey(items, cluster, { signal, manager, force });
}

function wantedIn({ ref, item, claims }: Ordered<Wanted>): Surveyed {
  return { ref, manifest: item.object, keepsReplicas: claims.replicasOnCreation !== undefined, sensitive: claims.sensitive };
}

function draw(input: PlanInput): Plan {
  const planned = plan(input);
  if ("problems" in planned) throw new BadInput(planned.problems);
  return planned.plan;
}

/** What is left to be done about a release that is as it should be: to wait for what is not ready. */
function withoutRecords({ release: _release, desired, ...input }: PlanInput): Plan {
  return draw({ ...input, desired: desired.filter(({ claims }) => !claims.hook), previous: [] });
}

function planOptions({ wait = "all", forceConflicts = false, takeOwnership = false, deleteData = false }: Terms): PlanOptions {
  return { wait, force: forceConflicts, takeOwnership, deleteData };
}

function numbered({ name, namespace, revision }: Revision): NonNullable<PlanInput["release"]> {
  return { name, namespace, revision };
}

/** Tells whether a release was ever deployed, and not deleted since. */
function isThere(revisions: readonly Revision[]): boolean {
  const gone = revisions.findLastIndex(({ state }) => state === "uninstalled");
  return revisions.slice(gone + 1).some(({ state }) => state === "deployed" || state === "superseded");
}

function checkName({ name }: Release): void {
  const objection = objectionToName(name);
  if (objection !== undefined) throw new BadInput([{ at: "", message: objection }]);
}

/** The revisions of a release that must be there. */
async function revisionsOf(release: Release, cluster: Cluster, signal: AbortSignal): Promise<readonly Revision[]> {
  checkName(release);
  const revisions = await historyOf(cluster).revisions(release, { signal });
  const latest = latestOf(revisions);
  if (latest === undefined) throw await missingRelease(release, cluster, { signal });
  if (latest.state !== "uninstalled") return revisions;
  const found = `it has been deleted, and only its history is kept: sluice history ${release.name} shows it`;
  throw new Fault(`find release ${releaseText(release)}`, found, { final: true });
}
