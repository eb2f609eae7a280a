import { assess, deletionText, noStatusMs } from "../../health/index.ts";
import { hasStatus, isApiFault, isConflict, isForbidden, isInvalid, isNotServed, type Cluster, type Resource } from "../../kube/index.ts";
import { equal, groupVersionOf, keyOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealedText, type Sensitivity } from "../conceal/index.ts";
import type { LiveFacts, DryRunResult } from "../plan/index.ts";
import { dryRunApply, dryRunAfterMigration, type DryRunAttempt } from "./dry-run-apply.ts";
import { clientSideManagersIn, isOfOtherRelease, type TakeOver } from "./field-ownership.ts";
import { releaseOwnerOf, withoutReleaseOwner, type IsGone, type Release } from "../record/index.ts";
import { curesOf, withRefusalAdvice } from "../refusal/index.ts";
import { prefetchLive } from "./prefetch-live.ts";
import { keepLiveReplicas } from "./keep-live-replicas.ts";

/** An object to read. */
export type LiveQuery = {
  readonly ref: ObjectRef;
  /** The desired manifest. Without it the object is read and no dry run is made. */
  readonly manifest?: KubeObject;
  /** Keeps the live number of replicas. Default false. */
  readonly keepsReplicas?: boolean;
  /** What must not appear in messages. The values of a Secret never do. */
  readonly sensitive?: Sensitivity;
};

type ReadLiveOptions = {
  readonly signal: AbortSignal;
  /** The field manager of the dry run. */
  readonly manager: string;
  /** Forces conflicts in the dry run, except in objects of another release. Default false. */
  readonly force?: boolean;
  /** Dry-runs as if fields that client-side apply owns had become those of `manager`. Default: they stay others'. */
  readonly takeOver?: TakeOver;
  /** Whether the release that an object names as its owner is gone, so that the object belongs to nobody. Default: none is. */
  readonly isGone?: IsGone;
};

/** The live objects, read before anything changes. */
export type LiveState = {
  /** By `keyOf`, in the form of `PlanInput.live`. */
  readonly facts: ReadonlyMap<string, LiveFacts>;
  /** The live objects, and the results of their dry runs. */
  readonly objects: ReadonlyMap<string, { readonly live?: KubeObject; readonly next?: KubeObject }>;
};

/** The maximum of concurrent requests. */
const maxConcurrency = 20;

/** Reads live objects and dry-runs the desired manifests. Changes nothing. */
export async function readLive(items: readonly LiveQuery[], cluster: Cluster, options: ReadLiveOptions): Promise<LiveState> {
  const facts = new Map<string, LiveFacts>();
  const objects = new Map<string, { live?: KubeObject; next?: KubeObject }>();
  const refs = items.map(({ ref }) => ref);
  // Only needed when a dry run finds an existing object, so nothing else waits for it.
  const prefetched = prefetchLive(refs, cluster, options.signal);
  const queue = items.entries();
  const work = async () => {
    for (const [, item] of queue) {
      const key = keyOf(item.ref);
      const live = async () => (await prefetched).get(key) ?? cluster.find(item.ref, { signal: options.signal });
      const found = await readObject(item, live, cluster, options).catch((error: unknown) => forbidden(error, item));
      if (found === undefined) continue;
      facts.set(key, found.fact);
      objects.set(key, found.objects);
    }
  };
  await Promise.all([prefetched, ...Array.from({ length: Math.min(maxConcurrency, items.length) }, work)]);
  return { facts, objects };
}

type Found = { readonly fact: LiveFacts; readonly objects: { live?: KubeObject; next?: KubeObject } };

/** Reads the live object. */
type Read = () => Promise<KubeObject | undefined>;

async function readObject(item: LiveQuery, read: Read, cluster: Cluster, options: ReadLiveOptions): Promise<Found | undefined> {
  const { ref, sensitive = { whole: false, paths: [] } } = item;
  const resource = await cluster.discovery.find(ref);
  if (resource === undefined) return undefined;
  const manifest = await manifestFor(item, read);
  const attempt = manifest === undefined || options.force === true ? undefined : await dryRunApply(manifest, false, cluster, options);
  // What a dry run would create does not exist: this saves a read for each object of a first deploy.
  const live = attempt !== undefined && isNew(attempt) ? undefined : await read();
  const conceal = (text: string) =>
    concealedText(
      text,
      [manifest, live].filter((object) => object !== undefined),
      sensitive,
    );
  const former = live === undefined || manifest === undefined ? undefined : await formerOwnerOf(live, manifest, options);
  const claimed = live === undefined || former === undefined ? live : withoutReleaseOwner(live);
  const managers =
    claimed === undefined || manifest === undefined ? [] : clientSideManagersIn(claimed, manifest, options.manager, options.takeOver);
  const outcome = manifest === undefined ? undefined : await outcomeOf(manifest, attempt, claimed, managers, cluster, options);
  const dryRun = outcome === undefined ? undefined : withoutSecrets(dryRunOf(ref, outcome, live, managers), conceal);
  const fact: LiveFacts = {
    exists: live !== undefined,
    ...(live === undefined ? {} : factsOf(live, resource, cluster.clock.now())),
    ...(dryRun === undefined ? {} : { dryRun: dryRun.result }),
    ...(former === undefined ? {} : { formerOwner: former }),
    ...(managers.length === 0 ? {} : { clientSideManagers: managers }),
    ...(live?.kind === "CustomResourceDefinition" ? { inhabitants: await customResourcesOf(live, cluster, options.signal) } : {}),
  };
  return { fact, objects: { ...(live === undefined ? {} : { live }), ...(dryRun?.next === undefined ? {} : { next: dryRun.next }) } };
}

/** The release that the live object names as its owner and that is gone. */
async function formerOwnerOf(live: KubeObject, manifest: KubeObject, { isGone }: ReadLiveOptions): Promise<Release | undefined> {
  const owner = releaseOwnerOf(live);
  if (owner === undefined || isGone === undefined || !isOfOtherRelease(live, manifest)) return undefined;
  return (await isGone(owner)) ? owner : undefined;
}

/** Dry-runs as the apply will go: forced where conflicts are to be, and after the fields of client-side managers are ours. */
async function outcomeOf(
  manifest: KubeObject,
  attempt: DryRunAttempt | undefined,
  live: KubeObject | undefined,
  managers: readonly string[],
  cluster: Cluster,
  options: ReadLiveOptions,
): Promise<DryRunAttempt> {
  const outcome = attempt ?? (await dryRunApply(manifest, isForced(live, manifest, options), cluster, options));
  if (managers.length === 0 || live === undefined) return outcome;
  return dryRunAfterMigration(manifest, live, outcome, managers, cluster, options);
}

async function manifestFor({ manifest, keepsReplicas = false }: LiveQuery, read: Read): Promise<KubeObject | undefined> {
  if (manifest === undefined || !keepsReplicas) return manifest;
  return keepLiveReplicas(await read(), manifest);
}

/** A forbidden read is reported as a refusal, with all other problems. */
function forbidden(error: unknown, { manifest, ref }: LiveQuery): Found {
  if (manifest === undefined || !isApiFault(error) || !isForbidden(error)) throw error;
  return { fact: { exists: false, dryRun: { outcome: "refused", because: error.explanation, cures: curesOf(error, ref) } }, objects: {} };
}

function factsOf(live: KubeObject, resource: Resource, nowMs: number): Partial<LiveFacts> {
  const health = assess(live, { hasStatus: hasStatus(resource) });
  // Nobody writes it, as the wait for its creation has found out. A wait for each change would find out the same.
  const silent =
    health.state === "progressing" && health.silent === true && nowMs - Date.parse(live.metadata.creationTimestamp ?? "") >= noStatusMs;
  const { uid, labels, annotations, deletionTimestamp } = live.metadata;
  return {
    ...(deletionTimestamp === undefined ? {} : { deleting: true, deletion: deletionText(live) }),
    ready: silent || health.state === "ready",
    ...(silent ? { silent } : {}),
    ...(uid === undefined ? {} : { uid }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

type DryRun = { readonly result: DryRunResult; readonly next?: KubeObject };

/** Removes sensitive values from the API server's message. */
function withoutSecrets(dryRun: DryRun | undefined, conceal: (text: string) => string): DryRun | undefined {
  if (dryRun === undefined || !("because" in dryRun.result)) return dryRun;
  const { result, ...rest } = dryRun;
  return { ...rest, result: { ...result, because: conceal(withRefusalAdvice(result.because)) } };
}

/** Models k8s.io/apiserver pkg/registry/generic/registry/dryrun.go: only what is stored has a resourceVersion. */
function isNew(attempt: DryRunAttempt): boolean {
  return !isApiFault(attempt) && attempt.metadata.resourceVersion === undefined;
}

function isForced(live: KubeObject | undefined, manifest: KubeObject, { force = false }: ReadLiveOptions): boolean {
  return force && !(live !== undefined && isOfOtherRelease(live, manifest));
}

/** Undefined when the kind is not served any more, so that nothing is known. */
function dryRunOf(ref: ObjectRef, attempt: DryRunAttempt, live: KubeObject | undefined, managers: readonly string[]): DryRun | undefined {
  if (!isApiFault(attempt))
    return {
      result: { outcome: live === undefined ? "created" : hasSameContent(live, attempt) ? "unchanged" : "updated" },
      next: attempt,
    };
  if (isNotServed(attempt)) return undefined;
  const conflicts = attempt.conflicts.filter(({ manager }) => !managers.includes(manager));
  if (isConflict(attempt) && conflicts.length > 0) return { result: { outcome: "conflict", conflicts } };
  const because = attempt.explanation;
  const outcome = isInvalid(attempt) && live !== undefined && immutable.test(because) ? "immutable" : "refused";
  return { result: { outcome, because, cures: curesOf(attempt, ref) } };
}

/** How API servers report an immutable field. */
const immutable = new RegExp(
  [
    "field is immutable",
    "is immutable after creation",
    "updates to statefulset spec for fields other than",
    "may not change fields other than",
    "may not change once set",
    "may not be changed in an update",
    String.raw`updates to \w+ are forbidden`,
    "cannot change roleRef",
  ].join("|"),
);

/** Ignores server-managed metadata, which changes even with a no-op write. */
function hasSameContent(live: KubeObject, next: KubeObject): boolean {
  return equal(withoutServerFields(live), withoutServerFields(next));
}

/** The object without its status and server-managed metadata. */
export function withoutServerFields({ metadata, status: _status, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, generation: _generation, managedFields: _managers, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** The keys of a CRD's custom resources: deleting the CRD deletes them. */
async function customResourcesOf(crd: KubeObject, cluster: Cluster, signal: AbortSignal): Promise<readonly string[]> {
  const group = stringAt(crd, "spec.group", "");
  const kind = stringAt(crd, "spec.names.kind", "");
  const version = stringAt(
    listAt(crd, "spec.versions").find(({ served }) => served === true),
    "name",
    "",
  );
  const resource = await cluster.discovery.find({ group, version, kind });
  if (resource === undefined) return [];
  const { items } = await cluster.list(resource, { signal });
  return items.map((item) => keyOf({ ...refOf(item), ...groupVersionOf(item.apiVersion) }));
}
