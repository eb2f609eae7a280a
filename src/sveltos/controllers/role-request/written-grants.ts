import { roleRequestLabel } from "../../tenant/index.ts";
import { sveltosNamespace } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import {
  isOlderResourceVersion,
  runInformer,
  type Informer,
  type InformerEvent,
  type Lister,
  type ObjectChange,
} from "../../../kube/index.ts";
import { equal, keyOf, refOf, type GroupVersionKind, type KubeObject } from "../../../core/object/index.ts";
import { grantKinds } from "./grant-in-cluster.ts";
import { roleRequestIdentity, type RoleRequestKey } from "./role-request-key.ts";

/** What a RoleRequest consists of in a cluster. */
type WrittenGrant = {
  readonly key: RoleRequestKey;
  /** By `keyOf`, as they are to be, and once they are written as the cluster has them. */
  readonly objects: Map<string, KubeObject>;
  /** Which of them this process has written, now or before. */
  readonly own: Set<string>;
  /** The last event about each while they are being written: it may be older than what is written. */
  readonly early: Map<string, ObjectChange>;
  /** Of all that was written; undefined until then, and when something has changed since. */
  hash?: string;
  /** Tokens hold for one ServiceAccount, and not for another one of the same name. */
  accountUid?: string;
  isDrifted: boolean;
};

/** How often a grant was put back lately, and when last. */
type Repairs = { count: number; lastAt: number };
type Finish = (hash: string, written: readonly KubeObject[]) => void;
type ConnectionGrants = { readonly grants: Map<string, WrittenGrant>; readonly repairs: Map<string, Repairs> };

const accountKind: GroupVersionKind = { group: "", version: "v1", kind: "ServiceAccount" };
/** Who changes a grant again and again is answered ever later. */
const pause = { firstMs: 1000, maxMs: 300_000, forgottenAfterMs: 600_000 };

/**
 * The grants that this process has written, by connection; others are written again after a start. Their objects are watched
 * as long as the connection lasts: when one is changed or deleted, the grant counts as not written, and is queued.
 */
export class WrittenGrants {
  readonly #connections = new WeakMap<ClusterConnection, ConnectionGrants>();
  readonly #requeue: (key: RoleRequestKey, afterMs: number) => void;
  readonly #signal: AbortSignal;

  constructor(requeue: (key: RoleRequestKey, afterMs: number) => void, signal: AbortSignal) {
    this.#requeue = requeue;
    this.#signal = signal;
  }

  find(key: RoleRequestKey, connection: ClusterConnection): Readonly<WrittenGrant> | undefined {
    return this.#connections.get(connection)?.grants.get(roleRequestIdentity(key));
  }

  /** These are about to be written. Returns what to call when they are, with what the cluster has answered. */
  expect(key: RoleRequestKey, connection: ClusterConnection, objects: readonly KubeObject[]): Finish {
    const byKey = new Map(objects.map((object) => [keyOf(refOf(object)), object]));
    const own = new Set(this.find(key, connection)?.own);
    const grant: WrittenGrant = { key, objects: byKey, own, early: new Map(), isDrifted: false };
    const opened = this.#openedOn(connection);
    opened.grants.set(roleRequestIdentity(key), grant);
    return (hash, written) => {
      for (const object of written) {
        grant.objects.set(keyOf(refOf(object)), object);
        own.add(keyOf(refOf(object)));
      }
      const account = written.find(({ kind }) => kind === accountKind.kind);
      Object.assign(grant, { hash, accountUid: account?.metadata.uid ?? "" });
      for (const change of grant.early.values()) if (isDrift(grant, change)) this.#drifted(grant, opened, connection.cluster.clock.now());
      grant.early.clear();
    };
  }

  delete(key: RoleRequestKey, connection: ClusterConnection): void {
    this.#connections.get(connection)?.grants.delete(roleRequestIdentity(key));
  }

  #openedOn(connection: ClusterConnection): ConnectionGrants {
    const known = this.#connections.get(connection);
    if (known !== undefined) return known;
    const opened: ConnectionGrants = { grants: new Map(), repairs: new Map() };
    this.#connections.set(connection, opened);
    const labelSelector = `${roleRequestLabel}=ok`;
    for (const kind of grantKinds) this.#watch(connection, opened, kind, { labelSelector });
    this.#watch(connection, opened, accountKind, { labelSelector, namespace: sveltosNamespace });
    return opened;
  }

  #watch(
    connection: ClusterConnection,
    opened: ConnectionGrants,
    kind: GroupVersionKind,
    selection: { readonly labelSelector: string; readonly namespace?: string },
  ): void {
    const now = () => connection.cluster.clock.now();
    const signal = AbortSignal.any([this.#signal, connection.signal]);
    const read = async (informer: Informer) => {
      for await (const event of informer)
        for (const grant of driftedBy(event, kind.kind, opened, informer.lister)) this.#drifted(grant, opened, now());
    };
    // A cluster that refuses watches is asked again, ever less often: what it has granted stays granted meanwhile.
    void runInformer(connection.cluster, kind, { ...selection, signal }, { read, onInterrupted: () => {} });
  }

  #drifted(grant: WrittenGrant, { repairs }: ConnectionGrants, now: number): void {
    if (grant.isDrifted) return;
    grant.isDrifted = true;
    delete grant.hash;
    const id = roleRequestIdentity(grant.key);
    const before = repairs.get(id);
    const count = before === undefined || now - before.lastAt > pause.forgottenAfterMs ? 0 : before.count;
    repairs.set(id, { count: count + 1, lastAt: now });
    this.#requeue(grant.key, count === 0 ? 0 : Math.min(pause.firstMs * 2 ** (count - 1), pause.maxMs));
  }
}

/** The grants that an event shows to be incomplete. */
function driftedBy(event: InformerEvent, kind: string, { grants }: ConnectionGrants, lister: Lister): readonly WrittenGrant[] {
  if (event.type === "interrupted") return [];
  const all = [...grants.values()];
  // Something may have been deleted after it was written and before it was watched.
  if (event.type === "synced") return all.filter((grant) => grant.hash !== undefined && lacks(grant, kind, lister));
  for (const { hash, objects, early } of all) {
    const id = keyOf(refOf(event.object));
    if (hash === undefined && objects.has(id)) early.set(id, event);
  }
  return all.filter((grant) => grant.hash !== undefined && isDrift(grant, event));
}

function lacks({ objects }: WrittenGrant, kind: string, lister: Lister): boolean {
  return [...objects.values()].some(
    ({ kind: own, metadata: { namespace = "", name } }) => own === kind && lister.find(namespace, name) === undefined,
  );
}

function isDrift({ objects }: WrittenGrant, { type, object }: ObjectChange): boolean {
  const written = objects.get(keyOf(refOf(object)));
  if (written === undefined || isOlderResourceVersion(object.metadata.resourceVersion, written.metadata.resourceVersion)) return false;
  return type === "deleted" || !holds(object, written);
}

/** Whether an object in the cluster says what was written. */
function holds(live: KubeObject, written: KubeObject): boolean {
  const isSame = (field: string) => equal(live[field] ?? [], written[field] ?? []);
  const labels = Object.entries(written.metadata.labels ?? {});
  return (
    labels.every(([name, value]) => live.metadata.labels?.[name] === value) &&
    live["aggregationRule"] === undefined &&
    ["rules", "roleRef", "subjects"].every(isSame)
  );
}
