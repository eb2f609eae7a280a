import { assess } from "../../health/index.ts";
import {
  hasStatus,
  isApiFault,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type ApiFault,
  type Cluster,
  type Resource,
} from "../../kube/index.ts";
import { equal, groupVersionOf, keyOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { concealedText, type Sensitivity } from "../conceal/index.ts";
import type { LiveFacts, DryRunResult } from "../plan/index.ts";
import { releaseOwnerOf } from "../record/index.ts";
import { prefetchLive } from "./prefetch-live.ts";
import { keepLiveReplicas } from "./keep-live-replicas.ts";

/** An object to look at. */
export type LiveQuery = {
  readonly ref: ObjectRef;
  /** What is wanted there; without it the object is only looked at. */
  readonly manifest?: KubeObject;
  /** Whatever number of replicas it has by now is right. Default false. */
  readonly keepsReplicas?: boolean;
  /** What of it is not to be told, whatever the cluster says of it. A Secret's values never are. */
  readonly sensitive?: Sensitivity;
};

export type ReadLiveOptions = {
  readonly signal: AbortSignal;
  /** Who will own the applied fields. */
  readonly manager: string;
  /** Fields that others own will be taken over, but not in objects of another release. Default false. */
  readonly force?: boolean;
};

/** What is in the cluster, before anything is touched. */
export type LiveState = {
  /** By `keyOf`, as the planner wants it. */
  readonly facts: ReadonlyMap<string, LiveFacts>;
  /** The objects as they are, and as a dry run leaves them. */
  readonly objects: ReadonlyMap<string, { readonly live?: KubeObject; readonly next?: KubeObject }>;
};

/** How many questions are put at once: a cluster has others to answer too. */
const atOnce = 20;

/** Looks at objects as they are, and asks the cluster what it would make of what is wanted there. Changes nothing. */
export async function readLive(items: readonly LiveQuery[], cluster: Cluster, options: ReadLiveOptions): Promise<LiveState> {
  const facts = new Map<string, LiveFacts>();
  const objects = new Map<string, { live?: KubeObject; next?: KubeObject }>();
  const refs = items.map(({ ref }) => ref);
  // Of use only where a dry run finds something there, so nobody waits for it who does not.
  const glanced = prefetchLive(refs, cluster, options.signal);
  const queue = items.entries();
  const work = async () => {
    for (const [, item] of queue) {
      const key = keyOf(item.ref);
      const live = async () => (await glanced).get(key) ?? cluster.find(item.ref, { signal: options.signal });
      const found = await readObject(item, live, cluster, options).catch((error: unknown) => forbidden(error, item));
      if (found === undefined) continue;
      facts.set(key, found.fact);
      objects.set(key, found.objects);
    }
  };
  await Promise.all([glanced, ...Array.from({ length: Math.min(atOnce, items.length) }, work)]);
  return { facts, objects };
}

type Found = { readonly fact: LiveFacts; readonly objects: { live?: KubeObject; next?: KubeObject } };

/** Reads an object as it is. */
type Read = () => Promise<KubeObject | undefined>;

async function readObject(item: LiveQuery, read: Read, cluster: Cluster, options: ReadLiveOptions): Promise<Found | undefined> {
  const { ref, sensitive = { whole: false, paths: [] } } = item;
  const resource = await cluster.discovery.find(ref);
  if (resource === undefined) return undefined;
  const manifest = await manifestFor(item, read);
  const tried = manifest === undefined || options.force === true ? undefined : await tryApply(manifest, false, cluster, options);
  // What a dry run would create is not there: that spares a question for each object of a first deploy.
  const live = tried !== undefined && isNew(tried) ? undefined : await read();
  const conceal = (text: string) =>
    concealedText(
      text,
      [manifest, live].filter((object) => object !== undefined),
      sensitive,
    );
  const outcome =
    tried ?? (manifest === undefined ? undefined : await tryApply(manifest, isForced(live, manifest, options), cluster, options));
  const dryRun = outcome === undefined ? undefined : withoutSecrets(dryRunOf(outcome, live), conceal);
  const fact: LiveFacts = {
    exists: live !== undefined,
    ...(live === undefined ? {} : factsOf(live, resource)),
    ...(dryRun === undefined ? {} : { dryRun: dryRun.result }),
    ...(live?.kind === "CustomResourceDefinition" ? { inhabitants: await customResourcesOf(live, cluster, options.signal) } : {}),
  };
  return { fact, objects: { ...(live === undefined ? {} : { live }), ...(dryRun?.next === undefined ? {} : { next: dryRun.next }) } };
}

async function manifestFor({ manifest, keepsReplicas = false }: LiveQuery, read: Read): Promise<KubeObject | undefined> {
  if (manifest === undefined || !keepsReplicas) return manifest;
  return keepLiveReplicas(await read(), manifest);
}

/** Who may not even look at what it wants is told so with all the rest that is wrong. */
function forbidden(error: unknown, { manifest }: LiveQuery): Found {
  if (manifest === undefined || !isApiFault(error) || !isForbidden(error)) throw error;
  return { fact: { exists: false, dryRun: { outcome: "refused", because: error.explanation } }, objects: {} };
}

function factsOf(live: KubeObject, resource: Resource): Partial<LiveFacts> {
  const { uid, labels, annotations } = live.metadata;
  return {
    ready: assess(live, { hasStatus: hasStatus(resource) }).state === "ready",
    ...(uid === undefined ? {} : { uid }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

type DryRun = { readonly result: DryRunResult; readonly next?: KubeObject };

/** What the cluster says, in other words where it quotes what is nobody's business. */
function withoutSecrets(rehearsal: DryRun | undefined, conceal: (text: string) => string): DryRun | undefined {
  if (rehearsal === undefined || !("because" in rehearsal.result)) return rehearsal;
  const { result, ...rest } = rehearsal;
  return { ...rest, result: { ...result, because: conceal(result.because) } };
}

/** What a dry run came to: the object as it would be, or why not. */
type DryRunAttempt = KubeObject | ApiFault;

async function tryApply(
  manifest: KubeObject,
  force: boolean,
  cluster: Cluster,
  { signal, manager }: ReadLiveOptions,
): Promise<DryRunAttempt> {
  try {
    return await cluster.apply(manifest, { manager, force, dryRun: true, signal });
  } catch (error) {
    if (isApiFault(error)) return error;
    throw error;
  }
}

/** Models k8s.io/apiserver pkg/registry/generic/registry/dryrun.go: only what is stored has a resourceVersion. */
function isNew(tried: DryRunAttempt): boolean {
  return !isApiFault(tried) && tried.metadata.resourceVersion === undefined;
}

function isForced(live: KubeObject | undefined, manifest: KubeObject, { force = false }: ReadLiveOptions): boolean {
  return force && !(live !== undefined && isForeign(live, manifest));
}

/** Undefined where the cluster cannot judge yet: the namespace comes with the others. */
function dryRunOf(tried: DryRunAttempt, live: KubeObject | undefined): DryRun | undefined {
  if (!isApiFault(tried))
    return {
      result: { outcome: live === undefined ? "created" : hasSameContent(live, tried) ? "unchanged" : "updated" },
      next: tried,
    };
  if (isNotFound(tried)) return undefined;
  if (isConflict(tried) && tried.conflicts.length > 0) return { result: { outcome: "conflict", conflicts: tried.conflicts } };
  const because = tried.explanation;
  return { result: { outcome: isInvalid(tried) && live !== undefined && immutable.test(because) ? "immutable" : "refused", because } };
}

/** Tells whether an object is of a release that is not the manifest's. */
function isForeign(live: KubeObject, manifest: KubeObject): boolean {
  const [owner, own] = [releaseOwnerOf(live), releaseOwnerOf(manifest)];
  return owner !== undefined && (owner.name !== own?.name || owner.namespace !== own.namespace);
}

/** How the API server says that a field is what it is for good. */
const immutable =
  /field is immutable|updates to statefulset spec for fields other than|is immutable after creation|may not change fields other than/;

/** The server's own bookkeeping changes with every write, also with one that changes nothing. */
function hasSameContent(live: KubeObject, next: KubeObject): boolean {
  return equal(withoutServerFields(live), withoutServerFields(next));
}

/** An object without its status and what the server keeps about its writes. */
export function withoutServerFields({ metadata, status: _status, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, generation: _generation, managedFields: _managers, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** The objects of a definition's kind: who deletes it deletes them. */
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
