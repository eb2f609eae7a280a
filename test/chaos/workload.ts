import { gvkOf } from "../../src/sveltos/api/index.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { isNotFound, type Cluster } from "../../src/kube/index.ts";
import { fieldsAt, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../src/core/object/index.ts";
import {
  contentConfigMap,
  eventSource,
  instantiateAnnotations,
  profile,
  serviceObject,
  sveltosRef,
  trigger,
  valueConfigMapText,
} from "../support/sveltos-objects.ts";
import { fleetLabels, type ChaosFleet } from "./chaos-fleet.ts";

const clock = new RealClock();
const selector = { matchLabels: fleetLabels };
const profileCount = 12;
const servicesPerCluster = 10;
/** Each write of the user is repeated for this long: faults hit the API servers as well. */
const writeWithinMs = 120_000;

/** What the users of a fleet want, changed at random, and how that compares with what is there. */
export class Workload {
  readonly #fleet: ChaosFleet;
  readonly #random: () => number;
  /** The value of each profile's ConfigMap, where the profile exists. */
  readonly #profiles = new Map<string, number>();
  /** The Services of each cluster. */
  readonly #services: ReadonlyArray<Set<string>>;
  /** The uid of every deployed object that nobody has asked to delete since it was there. */
  #uids = new Map<string, string>();
  #created = 0;
  changes = 0;

  constructor(fleet: ChaosFleet, random: () => number) {
    this.#fleet = fleet;
    this.#random = random;
    this.#services = fleet.managed.map(() => new Set());
  }

  /** Creates the first objects. */
  async create(): Promise<void> {
    await this.#apply(this.#fleet.hub, eventSource("event", { selector: { matchLabels: { event: "chaos" } } }));
    const text = valueConfigMapText("event-{{ .Resource.metadata.name }}", "{{ .Cluster.metadata.name }}");
    await this.#apply(this.#fleet.hub, contentConfigMap("event", [text], instantiateAnnotations));
    await this.#apply(this.#fleet.hub, trigger("event", { sourceClusterSelector: selector, oneForEvent: true }));
    for (let index = 0; index < profileCount; index++) await this.#createProfile();
    for (const [index] of this.#services.entries())
      for (let each = 0; each < servicesPerCluster; each += 2) await this.#toggleService(index, `s${each}`);
  }

  /** Makes so many changes a second until the signal aborts. */
  async churn(perSecond: number, signal: AbortSignal): Promise<void> {
    for (let next = clock.now(); !signal.aborted; next += 1000 / perSecond) {
      await this.change();
      if (next > clock.now()) await sleep(clock, next - clock.now(), signal).catch(() => undefined);
    }
  }

  /** Makes one change: half of them change the content of a profile, the others create or delete a profile or a Service. */
  async change(): Promise<void> {
    this.changes++;
    const chance = this.#random();
    if (chance < 0.25) return this.#toggleService(this.#below(this.#services.length), `s${this.#below(servicesPerCluster)}`);
    const [name, value] = [...this.#profiles][this.#below(this.#profiles.size)]!;
    if (chance < 0.75) return this.#setProfile(name, value + 1);
    return this.#profiles.size > profileCount ? this.#deleteProfile(name) : this.#createProfile();
  }

  /** Compares every object of the managed clusters with what should be there, and every ClusterSummary's status. */
  async differences(): Promise<readonly string[]> {
    const found = await Promise.all(this.#fleet.managed.map((cluster, index) => this.#differencesIn(cluster, index)));
    return [...found.flat(), ...(await this.#unprovisioned())];
  }

  /** The number of objects that should be deployed. */
  get size(): number {
    return this.#services.reduce((sum, services) => sum + this.#profiles.size + services.size, 0);
  }

  async #differencesIn(cluster: Cluster, index: number): Promise<readonly string[]> {
    const { items } = await cluster.list({ group: "", version: "v1", kind: "ConfigMap" }, { namespace: "default" });
    const there = new Map(
      items.filter(({ metadata }) => /^(chaos|event)-/.test(metadata.name)).map((object) => [object.metadata.name, object]),
    );
    const name = this.#fleet.clusterName(index);
    const wanted = new Map<string, string>([
      ...[...this.#profiles].map(([each, value]): [string, string] => [each, String(value)]),
      ...[...this.#services[index]!].map((service): [string, string] => [`event-${service}`, name]),
    ]);
    const lacking = [...wanted].flatMap(([each, value]) => {
      const object = there.get(each);
      if (object === undefined) return [`${name} ${each}: missing`];
      const actual = stringAt(fieldsAt(object, "data"), "v");
      return actual === value ? this.#recreated(`${name} ${each}`, object) : [`${name} ${each}: ${actual} instead of ${value}`];
    });
    return [...lacking, ...[...there.keys()].filter((each) => !wanted.has(each)).map((each) => `${name} ${each}: should be gone`)];
  }

  /** An object that was wanted all the time must not have been deleted in between. */
  #recreated(key: string, { metadata: { uid = "" } }: KubeObject): readonly string[] {
    const before = this.#uids.get(key);
    this.#uids.set(key, uid);
    return before === undefined || before === uid ? [] : [`${key}: deleted and created again`];
  }

  async #unprovisioned(): Promise<readonly string[]> {
    const { items } = await this.#fleet.hub.list(gvkOf("ClusterSummary"));
    return items.flatMap((summary) => {
      const features = listAt(summary, "status.featureSummaries");
      const isDone = features.length > 0 && features.every((feature) => stringAt(feature, "status") === "Provisioned");
      return isDone ? [] : [`ClusterSummary ${summary.metadata.name}: ${JSON.stringify(features)}`];
    });
  }

  /** Under a new name: a profile that is being deleted cannot be created again. */
  async #createProfile(): Promise<void> {
    const name = `chaos-${++this.#created}`;
    await this.#setProfile(name, 1);
    await this.#apply(this.#fleet.hub, profile(name, { clusterSelector: selector }));
  }

  async #setProfile(name: string, value: number): Promise<void> {
    this.#profiles.set(name, value);
    await this.#apply(this.#fleet.hub, contentConfigMap(name, [valueConfigMapText(name, String(value))]));
  }

  async #deleteProfile(name: string): Promise<void> {
    this.#profiles.delete(name);
    for (const index of this.#services.keys()) this.#uids.delete(`${this.#fleet.clusterName(index)} ${name}`);
    await this.#delete(this.#fleet.hub, sveltosRef("ClusterProfile", name));
  }

  async #toggleService(index: number, name: string): Promise<void> {
    const services = this.#services[index]!;
    const cluster = this.#fleet.managed[index]!;
    const service = serviceObject(name, { event: "chaos" });
    if (!services.has(name)) {
      services.add(name);
      return this.#apply(cluster, service);
    }
    services.delete(name);
    this.#uids.delete(`${this.#fleet.clusterName(index)} event-${name}`);
    return this.#delete(cluster, refOf(service));
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #apply(cluster: Cluster, object: KubeObject): Promise<void> {
    return untilDone(() => cluster.apply(object, { manager: "user", force: true }));
  }

  #delete(cluster: Cluster, ref: ObjectRef): Promise<void> {
    return untilDone(async () => {
      await cluster.delete(ref).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    });
  }
}

async function untilDone(write: () => Promise<unknown>): Promise<void> {
  for (const until = clock.now() + writeWithinMs; ; await sleep(clock, 200)) {
    try {
      await write();
      return;
    } catch (error) {
      if (clock.now() > until) throw error;
    }
  }
}
