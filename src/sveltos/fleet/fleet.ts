import { objectionTo, readCluster, type ManagedCluster } from "../api/index.ts";
import { isConflict, isNotFound, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { control, settled, WorkQueue, type Outcome, type QueueState, type Report } from "../../reconcile/index.ts";
import { Audience } from "./audience.ts";
import { isReady, type FleetCluster, type FleetEvent } from "./cluster.ts";
import { Contact } from "./contact.ts";
import { clusterIdOf } from "./id.ts";
import { kubeconfigIn } from "./kubeconfig-secret.ts";
import type { OpenKubeconfig } from "./open.ts";
import { Sources } from "./sources.ts";
import { writeStatus } from "./status.ts";
import { eventsBetween } from "./telling.ts";

export type FleetOptions = {
  /** How clusters are reached: `overNetwork`, `inProcess`, or any other. */
  readonly open: OpenKubeconfig;
  /** Connect to every cluster. False: only to those that `attend` is called for, where replicas share them. Default true. */
  readonly attendAll?: boolean;
  /** Told of what could not be written to the management cluster and is tried again. Default: nobody is. */
  readonly report?: Report;
  /** Told why a cluster cannot be worked for, each time that it was looked at. Default: nobody is. */
  readonly trouble?: (cluster: FleetCluster, because: string) => void;
};

/**
 * The clusters that a management cluster knows of: SveltosClusters and Clusters of Cluster API.
 *
 * It keeps a connection to each one it attends to, looks whether it is there, and says so in the status of
 * SveltosClusters. What is wrong with one cluster is that one's state, never an exception, and holds up nobody else.
 */
export class Fleet {
  readonly #hub: Cluster;
  readonly #options: FleetOptions;
  readonly #queue: WorkQueue;
  readonly #clusters = new Map<string, FleetCluster>();
  readonly #contacts = new Map<string, Contact>();
  readonly #attended = new Map<string, AbortSignal>();
  readonly #working = new Map<string, Promise<Outcome>>();
  readonly #audience = new Audience<FleetEvent>();
  #sources: Sources | undefined;
  #isSynced = false;

  constructor(hub: Cluster, options: FleetOptions) {
    this.#hub = hub;
    this.#options = options;
    const { clock, random } = hub;
    // Each cluster is a lane of its own: to wait for one costs the others nothing.
    this.#queue = new WorkQueue({ clock, random, workers: 1000, perLane: 1, laneOf: (key) => key, ...reporting(options.report) });
  }

  /** All clusters as they are known now, ordered by key. */
  clusters(): readonly FleetCluster[] {
    return [...this.#clusters.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  find(key: string): FleetCluster | undefined {
    return this.#clusters.get(key);
  }

  /** What the objects of all clusters say: what selectors choose from. */
  managed(): readonly ManagedCluster[] {
    return this.clusters().map(({ managed }) => managed);
  }

  /** How the looking after clusters is going, for metrics. */
  state(): QueueState {
    return this.#queue.state();
  }

  /** News until the signal aborts: first all there is (`added`, and `ready` where it is), then `synced`, then what changes. */
  events(signal: AbortSignal): AsyncIterable<FleetEvent> {
    const beginning = this.clusters().flatMap((cluster) => eventsBetween(undefined, cluster));
    return this.#audience.listen(this.#isSynced ? [...beginning, { type: "synced" }] : beginning, signal);
  }

  /** Somebody has had trouble reaching a cluster: it is looked at now. */
  suspect(key: string): void {
    this.#contacts.get(key)?.suspect();
    this.#queue.add(key);
  }

  /**
   * Keeps the connection to a cluster and its status until the signal aborts: what `Shards` is given for work. When it
   * resolves the connection is closed and nothing is written any more.
   */
  async attend(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#attended.set(key, signal);
    this.#queue.add(key);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (this.#attended.get(key) === signal) this.#attended.delete(key);
    this.#close(key, "it is not attended to any more");
    const known = this.#clusters.get(key);
    if (known !== undefined) this.#know(key, { ...known, reach: { state: "unknown" }, link: undefined });
    await this.#working.get(key)?.catch(() => undefined);
  }

  /** Follows the management cluster until the signal aborts; then resolves when all connections are closed. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const sources = new Sources(this.#hub, either);
    this.#sources = sources;
    try {
      await sources.ready(either);
      for (const key of sources.keys()) this.#note(key, sources.find(clusterIdOf(key)));
      this.#isSynced = true;
      this.#audience.tell([{ type: "synced" }]);
      await control(
        sources.all((secret) => this.#usersOf(secret)),
        this.#queue,
        (key, each) => this.#reconcile(key, each),
        either,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.abort();
      for (const key of this.#contacts.keys()) this.#close(key, "the fleet is left");
    }
  }

  *#usersOf({ metadata: { namespace = "", name } }: KubeObject): Iterable<string> {
    for (const { key, managed } of this.#clusters.values()) {
      if (managed.namespace === namespace && managed.kubeconfig.secret === name) yield key;
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const working = this.#lookAfter(key, signal);
    this.#working.set(key, working);
    try {
      return await working;
    } finally {
      this.#working.delete(key);
    }
  }

  async #lookAfter(key: string, signal: AbortSignal): Promise<Outcome> {
    const object = this.#sources?.find(clusterIdOf(key));
    // What its object says is told before anybody waits for an answer of the cluster.
    const known = this.#note(key, object);
    const attended = this.#attended.get(key) ?? (this.#options.attendAll === false ? undefined : signal);
    if (known === undefined || attended === undefined) return settled;
    const both = AbortSignal.any([signal, attended]);
    try {
      return await this.#keepUp(key, known.managed, both);
    } catch (error) {
      // Not ours any more, or somebody has changed or removed it meanwhile, which we shall hear of.
      if (attended.aborted || isConflict(error) || isNotFound(error)) return settled;
      throw error;
    }
  }

  async #keepUp(key: string, managed: ManagedCluster, signal: AbortSignal): Promise<Outcome> {
    const objection = objectionTo(readCluster(managed.object));
    if (objection !== undefined) {
      this.#close(key, objection);
      const refused: FleetCluster = { key, managed, reach: { state: "refused", because: objection }, link: undefined };
      this.#know(key, refused);
      this.#options.trouble?.(refused, objection);
      await writeStatus(this.#hub, managed, { state: "refused", because: objection }, signal);
      return settled;
    }
    // Cluster API says itself when there is something to reach.
    if (managed.deleting || (managed.type === "Capi" && !managed.ready)) return settled;
    const contact = this.#contactOf(key, managed);
    await contact.look(kubeconfigIn(this.#sources?.secret(managed.namespace, managed.kubeconfig.secret), managed), signal);
    signal.throwIfAborted();
    const { reach, link } = contact;
    const looked: FleetCluster = { key, managed, reach, link };
    this.#know(key, looked);
    if (reach.state === "unreachable") this.#options.trouble?.(looked, reach.because);
    await writeStatus(this.#hub, managed, reach, signal);
    return { settled: false, againInMs: contact.dueInMs };
  }

  /** Takes in what a cluster's object says, or that it is gone. */
  #note(key: string, object: KubeObject | undefined): FleetCluster | undefined {
    if (object === undefined) {
      this.#close(key, "the cluster is gone");
      this.#know(key, undefined);
      this.#queue.drop(key);
      return undefined;
    }
    const { reach = { state: "unknown" }, link } = this.#contacts.get(key) ?? {};
    const before = this.#clusters.get(key)?.reach;
    const cluster: FleetCluster = { key, managed: managedOf(object), reach: before?.state === "refused" ? before : reach, link };
    this.#know(key, cluster);
    return cluster;
  }

  #know(key: string, cluster: FleetCluster | undefined): void {
    const before = this.#clusters.get(key);
    if (cluster === undefined) this.#clusters.delete(key);
    else this.#clusters.set(key, cluster);
    this.#audience.tell(eventsBetween(before, cluster));
  }

  #contactOf(key: string, { namespace, name }: ManagedCluster): Contact {
    let contact = this.#contacts.get(key);
    const { clock, random } = this.#hub;
    if (contact === undefined) {
      contact = new Contact(`${namespace}/${name}`, { open: this.#options.open, clock, random });
      this.#contacts.set(key, contact);
    }
    return contact;
  }

  #close(key: string, because: string): void {
    this.#contacts.get(key)?.close(because);
    this.#contacts.delete(key);
  }
}

/** What can be said of a cluster even when its spec cannot be read. */
function managedOf(object: KubeObject): ManagedCluster {
  const reading = readCluster(object);
  if (reading.state === "read") return reading.value;
  const bare = readCluster({ ...object, metadata: { ...object.metadata }, spec: {} });
  if (bare.state === "read") return { ...bare.value, ready: false, object };
  throw new TypeError("a cluster without a spec cannot be read");
}

function reporting(report: Report | undefined): { readonly report?: Report } {
  return report === undefined ? {} : { report };
}

/** The clusters that add-ons may be deployed to now, from here. */
export function readyClusters(fleet: Fleet): readonly FleetCluster[] {
  return fleet.clusters().filter(isReady);
}
