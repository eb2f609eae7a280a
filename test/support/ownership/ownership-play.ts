/** Profiles that want the same objects, replicas that die at any point, and what must be true when all is quiet. */
import assert from "node:assert/strict";
import { clusterSummaryName, gvkOf } from "../../../src/sveltos/api/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import type { Request } from "../../../src/core/exchange/index.ts";
import { ControllerReplica, stopReplicas, type RequestFault } from "../controller-replica.ts";
import { EmbeddedFleet } from "../embedded-fleet.ts";
import { charts, objectName, profileYaml, type Held, type Wish } from "./wish.ts";

export type PlayStep =
  | { readonly do: "apply"; readonly profile: number; readonly wish: Wish }
  | { readonly do: "delete"; readonly profile: number }
  /** The next write of a replica but `after`: the replica dies before or after it, or it arrives when the replica is given up for dead. */
  | { readonly do: "kill"; readonly replica: number; readonly after: number; readonly how: "before" | "after" | "late" }
  | { readonly do: "pass"; readonly ms: number }
  /** Waits until nothing is left to do, and checks. */
  | { readonly do: "rest" };

const clusters = ["c1", "c2"] as const;
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const replicaCount = 2;
/** Longer than a Lease and the first retries, and shorter than the longest ones: nobody may depend on those. */
const restMs = 60_000;
const writes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Plays the steps on embedded clusters in virtual time, and rests at the end. */
export async function playOwnership(steps: readonly PlayStep[]): Promise<void> {
  const fleet = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  const play = new OwnershipPlay(fleet);
  try {
    await play.run([...steps, { do: "rest" }]);
  } finally {
    await play.close();
  }
}

/** After how many more writes a replica dies; below zero: never. */
type Doom = { left: number; how: "before" | "after" | "late" };
type Replica = { readonly controller: ControllerReplica; readonly doom: Doom };

class OwnershipPlay {
  readonly #fleet: EmbeddedFleet;
  readonly #replicas: Replica[] = [];
  readonly #wishes = new Map<number, Held>();
  /** What has been wanted since the last rest, by object: it may not be gone in between. */
  #steady = new Set<string>();
  #changes = 0;
  #left = false;
  readonly #gone: string[] = [];

  constructor(fleet: EmbeddedFleet) {
    this.#fleet = fleet;
    fleet.afterWrite = (line) => {
      const [, cluster, name] = /^DELETE (c\d) .*\/configmaps\/(o\d|tiny)$/.exec(line) ?? [];
      if (cluster !== undefined && name !== undefined && this.#steady.has(name)) this.#gone.push(`${cluster} ${name}`);
    };
    for (let index = 0; index < replicaCount; index++) this.#start();
  }

  async run(steps: readonly PlayStep[]): Promise<void> {
    await this.#fleet.advance(5000);
    for (const step of steps) {
      if (step.do === "apply") await this.#apply(step.profile, step.wish);
      else if (step.do === "delete") await this.#delete(step.profile);
      else if (step.do === "kill") Object.assign(this.#replicas[step.replica]!.doom, { left: step.after, how: step.how });
      else if (step.do === "pass") await this.#fleet.advance(step.ms);
      else await this.#rest();
    }
  }

  async close(): Promise<void> {
    for (const { controller } of this.#replicas) controller.isDead = false;
    await stopReplicas(this.#fleet, ...this.#replicas.map(({ controller }) => controller));
    await this.#fleet.close();
  }

  #start(): void {
    const doom: Doom = { left: -1, how: "before" };
    // No request is doomed before the replica is known.
    const faultIn = (_: string, request: Request): RequestFault | undefined =>
      doom.left < 0 ? undefined : this.#faultIn(replica, request);
    const replica: Replica = {
      doom,
      controller: new ControllerReplica(this.#fleet, `replica ${this.#replicas.length}`, { faultIn, charts }),
    };
    this.#replicas.push(replica);
  }

  #faultIn(replica: Replica, { method, path }: Request): RequestFault | undefined {
    const { doom } = replica;
    if (doom.left < 0 || !writes.has(method) || /dryRun=|\/leases\//.test(path) || doom.left-- > 0) return undefined;
    replica.controller.isDead = true;
    if (doom.how === "before") return undefined;
    return doom.how === "after" ? { answer: "lost" } : { lateMs: 20_000 };
  }

  async #apply(profile: number, wish: Wish): Promise<void> {
    const change = ++this.#changes;
    // A profile that is being deleted cannot be had back, so the next one has another name.
    const held = { ...wish, change, name: this.#wishes.get(profile)?.name ?? `p${profile}-${change}` };
    this.#wishes.set(profile, held);
    this.#dropSteady();
    await this.#fleet.apply(profileYaml(held));
  }

  async #delete(profile: number): Promise<void> {
    const held = this.#wishes.get(profile);
    if (held === undefined) return;
    if (held.leaves) this.#left = true;
    this.#wishes.delete(profile);
    this.#dropSteady();
    await this.#fleet.until(this.#fleet.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: held.name }));
  }

  /** An object stays steady while somebody who wanted it at the last rest has not changed. */
  #dropSteady(): void {
    const kept = [...this.#wishes.values()].flatMap(({ objects, release, change }) =>
      change <= this.#restedAt ? [...objects.map(objectName), ...(release ? ["tiny"] : [])] : [],
    );
    this.#steady = new Set(kept);
  }

  #restedAt = 0;

  async #rest(): Promise<void> {
    for (const replica of this.#replicas) {
      replica.doom.left = -1;
      replica.controller.isDead = false;
    }
    await this.#fleet.advance(restMs);
    assert.deepEqual(this.#gone, [], "what somebody wants was deleted");
    for (const cluster of clusters) await this.#check(cluster);
    this.#restedAt = this.#changes;
    this.#dropSteady();
  }

  async #check(cluster: string): Promise<void> {
    const items = await this.#fleet.list(configMaps, this.#fleet.managed(cluster));
    const live = new Map(items.map((item) => [item.metadata.name, item]));
    const numbers = [...this.#wishes.values()].flatMap(({ objects }) => objects);
    for (const name of [...live.keys()].filter((each) => /^o\d$/.test(each)))
      if (!numbers.map(objectName).includes(name)) await this.#checkLeft(cluster, live.get(name)!);
    const owners = new Map(
      [...new Set(numbers)].map((number) => [number, this.#checkOwner(cluster, number, live.get(objectName(number)))]),
    );
    for (const held of this.#wishes.values()) await this.#checkStatus(cluster, held, owners);
    await this.#checkRelease(cluster, live.get("tiny"));
  }

  /** What nobody wants is gone, or was left on purpose. A deploy that fails removes nothing, so it may also wait for its owner. */
  async #checkLeft(cluster: string, { metadata }: KubeObject): Promise<void> {
    const owner = metadata.annotations?.["projectsveltos.io/owner-name"];
    if (owner === undefined) return assert.ok(this.#left, `${cluster}: ${metadata.name} is still there, and nobody wants it`);
    const held = [...this.#wishes.values()].find(({ name }) => name === owner);
    const feature = held === undefined ? undefined : featureIn(await this.#summaryOf(cluster, held.name), "Resources");
    assert.equal(stringAt(feature, "status"), "Failed", `${cluster}: ${metadata.name} belongs to ${owner}, and nobody wants it`);
  }

  /** The name of the profile that has an object. */
  #checkOwner(cluster: string, number: number, live: KubeObject | undefined): string {
    const wanting = [...this.#wishes.values()].filter(({ objects }) => objects.includes(number));
    const best = Math.min(...wanting.map(({ tier }) => tier));
    assert.ok(live, `${cluster}: ${objectName(number)} is gone, and ${wanting.map(({ name }) => name).join()} want it`);
    const owner = live.metadata.annotations?.["projectsveltos.io/owner-name"];
    const found = wanting.find(({ tier, name }) => tier === best && name === owner);
    assert.ok(found, `${cluster}: ${objectName(number)} belongs to ${owner}, and tier ${best} wants it`);
    assert.equal(fieldsAt(live, "data")["v"], String(found.change), `${cluster}: ${objectName(number)} has the content of ${owner}`);
    return found.name;
  }

  /** The content of the release says whose it is. */
  async #checkRelease(cluster: string, live: KubeObject | undefined): Promise<void> {
    const wanting = [...this.#wishes.values()].filter(({ release }) => release);
    if (wanting.length === 0)
      return assert.ok(live === undefined || this.#left, `${cluster}: the release is still there, and nobody wants it`);
    const best = Math.min(...wanting.map(({ tier }) => tier));
    assert.ok(live, `${cluster}: the release is gone, and ${wanting.map(({ name }) => name).join()} want it`);
    const owner = wanting.find(({ tier, change }) => tier === best && String(change) === fieldsAt(live, "data")["v"]);
    assert.ok(owner, `${cluster}: the release is that of change ${String(fieldsAt(live, "data")["v"])}, and tier ${best} wants it`);
    for (const { name } of wanting) {
      const feature = featureIn(await this.#summaryOf(cluster, name), "Helm");
      const message = stringAt(feature, "failureMessage", "");
      assert.equal(
        stringAt(feature, "status"),
        name === owner.name ? "Provisioned" : "FailedNonRetriable",
        `${cluster}: ${name} ${message}`,
      );
      if (name !== owner.name) assert.ok(message.includes(`ClusterSummary ${owner.name}-sveltos-${cluster} managing`), message);
    }
  }

  #summaryOf(cluster: string, profile: string): Promise<KubeObject | undefined> {
    const name = clusterSummaryName("ClusterProfile", profile, this.#fleet.id(cluster));
    return this.#fleet.get({ ...gvkOf("ClusterSummary"), namespace: "mgmt", name });
  }

  async #checkStatus(cluster: string, { name, objects }: Held, owners: ReadonlyMap<number, string>): Promise<void> {
    const feature = featureIn(await this.#summaryOf(cluster, name), "Resources");
    const lost = objects.flatMap((number) => (owners.get(number) === name ? [] : [owners.get(number)!]));
    const message = stringAt(feature, "failureMessage", "");
    assert.equal(stringAt(feature, "status"), lost.length === 0 ? "Provisioned" : "Failed", `${cluster}: ${name} ${message}`);
    for (const winner of lost) assert.ok(message.includes(`ClusterProfile ${winner};`), `${cluster}: ${name} names ${winner}: ${message}`);
  }
}

function featureIn(summary: KubeObject | undefined, id: "Resources" | "Helm") {
  return listAt(summary, "status.featureSummaries").find((feature) => stringAt(feature, "featureID") === id);
}
