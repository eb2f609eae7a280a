import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  clusterSummaryLabels,
  clusterSummaryName,
  sveltosCrds,
  gvkOf,
  readCluster,
  type ManagedCluster,
} from "../../../src/sveltos/api/index.ts";
import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Answer, Exchange } from "../../../src/core/exchange/index.ts";
import { connect, type Cluster } from "../../../src/kube/index.ts";
import { isKubeObject, titleOf, type KubeObject } from "../../../src/core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../../src/embedded/index.ts";
import { readManifests, readYaml } from "../../../src/lang/yaml/index.ts";
import {
  deployProfile,
  withdrawProfile,
  type AddonRequest,
  type AddonContext,
  type AddonProgress,
  type ChartSource,
  type AddonOutcome,
} from "../../../src/sveltos/deploy/index.ts";

export const never = new AbortController().signal;

function randomBytes(count: number): Uint8Array {
  return createHash("sha512").update("chance").digest().subarray(0, count);
}

const status = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "not today" };
const forbidden: Answer = { status: 403, headers: { "content-type": "application/json" }, body: [JSON.stringify(status)] };
const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A management cluster and a managed one in virtual time, whose writes are listed and can abort a deploy. */
export class DeployFixture {
  readonly clock = new VirtualClock();
  readonly hub: Cluster;
  readonly managed: Cluster;
  /** All writes so far, without dry runs: `PATCH c1 /api/v1/…`. */
  readonly written: string[] = [];
  /** All requests to the managed cluster so far but for discovery and OpenAPI, as in `written`; dry runs with `dry run` at the end. */
  readonly requested: string[] = [];
  /** Forbids writes to the managed cluster by path, but not their dry runs. */
  refuses: (path: string) => boolean = () => false;
  /** Called after each write. */
  afterWrite: () => void = () => undefined;

  private constructor(behaviour: readonly object[]) {
    this.hub = this.#start("hub", []);
    this.managed = this.#start("c1", behaviour);
  }

  static async open(behaviour: readonly object[] = []): Promise<DeployFixture> {
    const fixture = new DeployFixture(behaviour);
    for (const definition of sveltosCrds()) await fixture.hub.create(definition);
    await fixture.clock.advance(1000);
    await fixture.until(fixture.hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "mgmt" } }));
    fixture.written.length = 0;
    return fixture;
  }

  #start(name: string, behaviour: readonly object[]): Cluster {
    const { exchange } = startEmbeddedCluster({ clock: this.clock, behaviour: parseBehaviour(behaviour).behaviour });
    const counting: Exchange = async (request) => {
      const isWrite = writes.has(request.method) && !request.path.includes("dryRun=");
      if (isWrite && name !== "hub" && this.refuses(request.path)) return forbidden;
      const isDryRun = request.path.includes("dryRun=");
      const path = request.path.replace(/\?.*/, "");
      const isResource = /^\/api\/v1\/.|^\/apis\/[^/]+\/[^/]+\/./.test(path);
      if (name !== "hub" && isResource) this.requested.push(`${request.method} ${name} ${path}${isDryRun ? " dry run" : ""}`);
      const answer = await exchange(request);
      if (isWrite) {
        this.written.push(`${request.method} ${name} ${path}`);
        this.afterWrite();
      }
      return answer;
    };
    return connect(counting, { clock: this.clock });
  }

  /** Loads the charts. */
  charts: ChartSource | undefined;

  /** The clock and the randomness of templates. */
  environment: AddonContext["environment"] = { now: () => this.clock.now(), randomBytes };

  /** Records what is deployed. */
  recordings: AddonContext["recordings"];

  get context(): AddonContext {
    const charts = this.charts === undefined ? {} : { charts: this.charts };
    return {
      ...charts,
      ...(this.recordings === undefined ? {} : { recordings: this.recordings }),
      hub: this.hub,
      cluster: this.managed,
      environment: this.environment,
      identity: "tester",
    };
  }

  until<T>(work: Promise<T>): Promise<T> {
    return this.clock.until(work);
  }

  /** Applies YAML as a user, to the management cluster by default. */
  async apply(yaml: string, cluster: Cluster = this.hub): Promise<void> {
    const { manifests, problems } = readManifests(yaml, "yaml");
    assert.deepEqual(problems, []);
    for (const { object } of manifests) await this.until(cluster.apply(object, { manager: "user", force: true }));
  }

  /** The ClusterSummary of a ClusterProfile whose spec is this YAML, with its present status. */
  async summary(spec: string, name = "demo"): Promise<KubeObject> {
    const profile = await this.until(this.hub.apply({ ...clusterProfile(name), spec: specOf(spec) }, { manager: "user", force: true }));
    const wanted: KubeObject = {
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterSummary",
      metadata: {
        name: clusterSummaryName("ClusterProfile", name, id),
        namespace: "mgmt",
        labels: clusterSummaryLabels("ClusterProfile", { name }, id),
        ownerReferences: [
          { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name, uid: profile.metadata.uid ?? "" },
        ],
      },
      spec: { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos", clusterProfileSpec: profile["spec"] },
    };
    return this.until(this.hub.apply(wanted, { manager: "controller", force: true }));
  }

  async request(spec: string, name?: string): Promise<AddonRequest> {
    return { summary: await this.summary(spec, name), cluster: managedCluster };
  }

  /** Runs a deploy to its end. Gives its finished steps and its outcome. */
  async deploy(spec: string, options: { name?: string; signal?: AbortSignal } = {}): Promise<DeployRun> {
    const request = await this.request(spec, options.name);
    return this.collect(deployProfile(request, this.context, { signal: options.signal ?? never }));
  }

  async withdraw(spec: string, options: { name?: string; signal?: AbortSignal } = {}): Promise<DeployRun> {
    const request = await this.request(spec, options.name);
    return this.collect(withdrawProfile(request, this.context, { signal: options.signal ?? never }));
  }

  async collect(progress: AsyncIterable<AddonProgress>): Promise<DeployRun> {
    const lines: string[] = [];
    let outcome: AddonOutcome | undefined;
    const read = async () => {
      for await (const event of progress) {
        if (event.type === "settled") outcome = event.outcome;
        else if (event.event.type === "finished") lines.push(`${event.event.verb} ${titleOf(event.event.ref)}`);
      }
    };
    await this.until(read());
    assert.ok(outcome !== undefined);
    return { lines, outcome, failure: outcome.status.featureSummaries?.[0]?.failureMessage };
  }

  async find(ref: string): Promise<KubeObject | undefined> {
    const [kind = "", namespace = "", name = ""] = ref.split("/");
    const groups: Readonly<Record<string, string>> = { Job: "batch", Deployment: "apps" };
    return this.until(this.managed.find({ group: groups[kind] ?? "", version: "v1", kind, namespace, name }));
  }

  /** The deployed ConfigMaps of a namespace: `a=1 b=2`. */
  async configMaps(namespace = "default"): Promise<string> {
    const { items } = await this.until(this.managed.list({ group: "", version: "v1", kind: "ConfigMap" }, { namespace }));
    const own = items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
    return own.map((item) => `${item.metadata.name}=${String((item["data"] as Record<string, string> | undefined)?.["v"])}`).join(" ");
  }
}

type DeployRun = { readonly lines: readonly string[]; readonly outcome: AddonOutcome; readonly failure: string | undefined };

const id = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;

export const managedCluster: ManagedCluster = clusterOf(`
apiVersion: lib.projectsveltos.io/v1beta1
kind: SveltosCluster
metadata: {name: c1, namespace: mgmt, labels: {env: fv}}
status: {ready: true}`);

function clusterOf(yaml: string): ManagedCluster {
  const object = readYaml(yaml, "cluster");
  assert.ok(isKubeObject(object));
  const reading = readCluster(object);
  assert.ok(reading.state === "read");
  return reading.value;
}

function clusterProfile(name: string): KubeObject {
  const { group, version, kind } = gvkOf("ClusterProfile");
  return { apiVersion: `${group}/${version}`, kind, metadata: { name } };
}

function specOf(yaml: string): unknown {
  return readYaml(yaml, "spec");
}
