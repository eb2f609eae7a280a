/** A management cluster and managed ones, all embedded and in virtual time, for tests of controllers. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { sveltosCrds, type ClusterId } from "../../src/sveltos/api/index.ts";
import { VirtualClock } from "../../src/core/clock/index.ts";
import { SharedCache, type ControllerContext } from "../../src/sveltos/controllers/index.ts";
import { noTelemetry } from "../../src/sveltos/telemetry/index.ts";
import type { Answer, Exchange } from "../../src/core/exchange/index.ts";
import { embeddedKubeconfig, Fleet, inProcessOpener, register } from "../../src/sveltos/fleet/index.ts";
import { connect, ConnectionFault, type Cluster } from "../../src/kube/index.ts";
import { titleOf, type KubeObject, type ObjectRef } from "../../src/core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../src/embedded/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";

const refusal = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "you may not" };
const forbidden: Answer = { status: 403, headers: {}, body: [JSON.stringify(refusal)] };
const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/** The namespace in which clusters are registered. */
export const fleetNamespace = "mgmt";

export type EmbeddedFleetOptions = {
  /** The managed clusters, each with its labels. Default: c1 with `env: fv`. */
  readonly clusters?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The type of the registered clusters. Default Sveltos. */
  readonly type?: ClusterId["type"];
  /** The behaviour of pods in all clusters. */
  readonly behaviour?: readonly object[];
  readonly context?: Partial<ControllerContext>;
};

export class EmbeddedFleet {
  readonly clock = new VirtualClock();
  readonly hub: Cluster;
  readonly context: ControllerContext;
  /** All writes so far, without dry runs: `PATCH c1 /api/v1/…`. */
  readonly written: string[] = [];
  /** Called after each write, with its line of `written`. */
  afterWrite: (line: string) => void = () => undefined;
  /** Clusters that do not answer, by name: every request to one fails. */
  readonly unreachable = new Set<string>();
  /** Forbids requests by the name of the cluster and the path. */
  forbids: (cluster: string, path: string) => boolean = () => false;
  readonly type: ClusterId["type"];
  readonly #stop = new AbortController();
  readonly #managed = new Map<string, Cluster>();
  /** Opens the managed clusters by the kubeconfigs that they are registered with. */
  readonly openManaged = inProcessOpener((name) => this.#managed.get(name));
  readonly #exchanges = new Map<string, Exchange>();
  readonly #behaviour: readonly object[];
  readonly #running: Promise<void>[] = [];

  private constructor({ type = "Sveltos", behaviour = [], context = {} }: EmbeddedFleetOptions) {
    this.type = type;
    this.#behaviour = behaviour;
    this.hub = this.#start("hub");
    this.context = {
      hub: this.hub,
      cache: new SharedCache(this.hub, this.signal),
      fleet: new Fleet(this.hub, { open: this.openManaged }),
      environment: { now: () => this.clock.now(), randomBytes },
      identity: "tester",
      telemetry: noTelemetry,
      ...context,
    };
  }

  /** Starts the clusters, installs the CRDs in the management cluster and registers the managed ones. */
  static async open(options: EmbeddedFleetOptions = {}): Promise<EmbeddedFleet> {
    const fixture = new EmbeddedFleet(options);
    for (const definition of [...sveltosCrds(), capiCrd]) await fixture.until(fixture.hub.create(definition));
    await fixture.clock.advance(1000);
    for (const name of [fleetNamespace, "projectsveltos"]) {
      await fixture.until(fixture.hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
    }
    for (const [name, labels] of Object.entries(options.clusters ?? { c1: { env: "fv" } })) await fixture.join(name, labels);
    fixture.written.length = 0;
    return fixture;
  }

  /** Stops all controllers. Call it at the end of every test (`t.after`). */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the fleet is closed"));
    await this.clock.until(Promise.allSettled(this.#running));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  managed(name: string): Cluster {
    const cluster = this.#managed.get(name);
    assert.ok(cluster, `there is no cluster ${name}`);
    return cluster;
  }

  id(name: string): ClusterId {
    return { type: this.type, namespace: fleetNamespace, name };
  }

  /** Starts a managed cluster and registers it. */
  async join(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    if (!this.#managed.has(name)) this.#managed.set(name, this.#start(name));
    const kubeconfig = embeddedKubeconfig(name);
    if (this.type === "Sveltos") await this.until(register(this.hub, { namespace: fleetNamespace, name, kubeconfig, labels }, this.signal));
    else await this.#joinCapi(name, labels, kubeconfig);
  }

  /** Runs the fleet and these controllers until the fleet is closed. One that fails makes `advance` fail. */
  async run(...controllers: ((context: ControllerContext, signal: AbortSignal) => Promise<void>)[]): Promise<void> {
    this.#running.push(this.context.fleet.run(this.signal), ...controllers.map((run) => run(this.context, this.signal)));
    await this.advance(1000);
  }

  /** Advances the clock until the promise resolves, for an hour at most. */
  async until<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.clock.after(3_600_000, () => late.reject(new Error("the promise has not resolved within an hour")), {
      background: true,
    });
    try {
      return await this.clock.until(Promise.race([work, late.promise]));
    } finally {
      cancel();
    }
  }

  /** Advances the clock. Fails when a controller has ended. */
  async advance(ms: number): Promise<void> {
    const died = Promise.race(this.#running.map((work) => work.then(() => this.#assertClosed())));
    died.catch(() => undefined);
    await this.clock.advance(ms);
    await Promise.race([died, Promise.resolve()]);
  }

  /** Applies YAML as a user, to the management cluster by default. */
  async apply(yaml: string, cluster: Cluster = this.hub): Promise<void> {
    const { manifests, problems } = readManifests(yaml, "yaml");
    assert.deepEqual(problems, []);
    for (const { object } of manifests) await this.until(cluster.apply(object, { manager: "user", force: true }));
  }

  get(ref: ObjectRef, cluster: Cluster = this.hub): Promise<KubeObject | undefined> {
    return this.until(cluster.find(ref));
  }

  /** The objects of a kind, sorted by name. */
  async list(kind: { group: string; version: string; kind: string }, cluster: Cluster = this.hub): Promise<readonly KubeObject[]> {
    const { items } = await this.until(cluster.list(kind));
    return items.toSorted((a, b) => (titleOf(refFor(a)) < titleOf(refFor(b)) ? -1 : 1));
  }

  #assertClosed(): void {
    assert.ok(this.signal.aborted, "a controller has ended before the fleet was closed");
  }

  /** Makes a managed cluster anew, empty, at the same address. */
  rebuild(name: string, generation: number): void {
    this.#managed.set(name, this.#start(name, generation));
  }

  #start(name: string, generation = 1): Cluster {
    // Clusters of different names must not have the same uids.
    const seed = createHash("sha256").update(`${name} ${generation}`).digest().readUInt32BE();
    const { exchange: served } = startEmbeddedCluster({ clock: this.clock, seed, behaviour: parseBehaviour(this.#behaviour).behaviour });
    this.#exchanges.set(name, served);
    // Clients of a cluster that was there before reach the one that is there now.
    const exchange: Exchange = (request) => (this.#exchanges.get(name) ?? served)(request);
    const counting: Exchange = async (request) => {
      if (this.unreachable.has(name)) throw new ConnectionFault("connect ECONNREFUSED", { code: "ECONNREFUSED", unsent: true });
      if (this.forbids(name, request.path)) return forbidden;
      const answer = await exchange(request);
      const isWrite = writes.has(request.method) && !request.path.includes("dryRun=");
      if (!isWrite) return answer;
      const line = `${request.method} ${name} ${request.path.replace(/\?.*/, "")}`;
      this.written.push(line);
      this.afterWrite(line);
      return answer;
    };
    return connect(counting, { clock: this.clock, random: seeded() });
  }

  async #joinCapi(name: string, labels: Readonly<Record<string, string>>, kubeconfig: string): Promise<void> {
    const value = Buffer.from(kubeconfig).toString("base64");
    const metadata = { name: `${name}-kubeconfig`, namespace: fleetNamespace };
    await this.until(this.hub.create({ apiVersion: "v1", kind: "Secret", metadata, data: { value } }));
    const cluster = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", metadata: { name, namespace: fleetNamespace, labels } };
    await this.until(this.hub.create({ ...cluster, spec: {}, status: { controlPlaneReady: true } }));
  }
}

function refFor({ apiVersion, kind, metadata: { namespace: place = "", name } }: KubeObject): ObjectRef {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return { group, version, kind, namespace: place, name };
}

/** Random numbers that are the same in every run. */
function seeded(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function randomBytes(count: number): Uint8Array {
  return createHash("sha512").update("chance").digest().subarray(0, count);
}

const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** A CRD of Cluster API's Cluster without a schema. */
export const capiCrd: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "clusters.cluster.x-k8s.io" },
  spec: {
    group: "cluster.x-k8s.io",
    scope: "Namespaced",
    names: { plural: "clusters", singular: "cluster", kind: "Cluster", listKind: "ClusterList" },
    versions: [{ name: "v1beta1", served: true, storage: true, schema }],
  },
};
