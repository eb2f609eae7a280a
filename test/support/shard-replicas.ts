/** Replicas that share keys by sharding and that can stall, be cut off and die, on one embedded cluster in virtual time. */
import { sleep, VirtualClock, type Cancel, type Clock } from "../../src/core/clock/index.ts";
import type { Answer, Exchange, Request } from "../../src/core/exchange/index.ts";
import { connect, type Cluster } from "../../src/kube/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { ShardCoordinator } from "../../src/reconcile/index.ts";

type Disruption = {
  readonly comes: number;
  readonly what: "kill" | "pause" | "cut" | "mute" | "leave" | "none";
  readonly at: number;
  readonly lasts: number;
  readonly skew: number;
  readonly lag: number;
};
type ReplicaBehaviour = { readonly failing?: boolean; readonly stubborn?: boolean; readonly skewMs?: number; readonly lagMs?: number };
type ShardRun = { readonly who: string; readonly signal: AbortSignal; readonly isAwake: () => boolean };

export class ShardScenario {
  readonly clock = new VirtualClock();
  readonly cluster: Cluster;
  readonly exchange: Exchange;
  readonly keys: readonly string[];
  readonly conflicts: string[] = [];
  readonly #runs = new Map<string, ShardRun[]>();
  readonly #replicas: ShardReplica[] = [];
  #random: number;

  constructor(keys: readonly string[], seed = 1) {
    this.keys = keys;
    this.#random = seed;
    this.exchange = startEmbeddedCluster({ clock: this.clock }).exchange;
    this.cluster = connect(this.exchange, { clock: this.clock });
  }

  /** Between 0 and 1, the same in every run. */
  random(): number {
    this.#random = (this.#random * 48_271 + 11) % 2_147_483_647;
    return this.#random / 2_147_483_647;
  }

  start(name: string, behaviour: ReplicaBehaviour = {}): ShardReplica {
    const replica = new ShardReplica(this, name, behaviour);
    this.#replicas.push(replica);
    replica.run();
    return replica;
  }

  /** Starts a replica and disrupts it, at the given times. */
  plan(name: string, disruption: Disruption): ShardReplica {
    const replica = new ShardReplica(this, name, { skewMs: disruption.skew * 1000, lagMs: disruption.lag });
    this.#replicas.push(replica);
    replica.meet(disruption);
    return replica;
  }

  /** The keys of all replicas that are awake, once for each owner. */
  owned(): string[] {
    return this.#replicas.flatMap((replica) => (replica.isAwake() ? replica.owned() : [])).toSorted();
  }

  began(key: string, who: string, signal: AbortSignal, isAwake: () => boolean): void {
    const others = (this.#runs.get(key) ?? []).filter((work) => !work.signal.aborted);
    this.#runs.set(key, [...others, { who, signal, isAwake }]);
    this.checkOwners();
  }

  /** At most one replica that is awake may have a signal that is not aborted. */
  checkOwners(): void {
    for (const [key, works] of this.#runs) {
      const active = works.filter(({ signal, isAwake }) => !signal.aborted && isAwake());
      if (active.length > 1) this.conflicts.push(`${key}: ${active.map(({ who }) => who).join(" and ")}`);
    }
  }
}

class ShardReplica {
  readonly shards: ShardCoordinator;
  starts = 0;
  readonly #scenario: ShardScenario;
  readonly #name: string;
  readonly #stop = new AbortController();
  readonly #behaviour: ReplicaBehaviour;
  readonly #stalled = new Stall();
  #cutUntil = 0;
  #mutedUntil = 0;
  #state: "to come" | "running" | "left" | "dead" = "to come";
  #releases: (() => void)[] = [];
  /** The times of its disruptions. */
  #disturbances: number[] = [];

  constructor(scenario: ShardScenario, name: string, behaviour: ReplicaBehaviour) {
    this.#scenario = scenario;
    this.#name = name;
    this.#behaviour = behaviour;
    const clock = this.#stalled.clock(scenario.clock, behaviour.skewMs ?? 0);
    const cluster = connect((request) => this.#reach(request), { clock, random: () => scenario.random() });
    const group = { namespace: "default", name: "sluice" };
    this.shards = new ShardCoordinator(cluster, { group, identity: name, work: (key, signal) => this.#work(key, signal) });
    for (const key of scenario.keys) this.shards.add(key);
  }

  run(): void {
    this.#state = "running";
    void this.shards.run(this.#stop.signal);
  }

  isAwake(): boolean {
    return (this.#state === "running" || this.#state === "left") && !this.#stalled.isStalled;
  }

  owned(): string[] {
    return this.#state === "running" ? [...this.shards.owned()].toSorted() : [];
  }

  leave(): void {
    this.#state = "left";
    this.#stop.abort(new Error("the replica leaves"));
  }

  kill(): void {
    this.#state = "dead";
    this.#stalled.begin();
  }

  /** Its requests arrive, and no answer comes back, for this long. */
  mute(ms: number): void {
    this.#mutedUntil = this.#scenario.clock.now() + ms;
  }

  release(): void {
    for (const release of this.#releases) release();
  }

  /** Whether a disruption is under way or within this time. */
  isDisturbedWithin(ms: number): boolean {
    const now = this.#scenario.clock.now();
    const going = this.#stalled.isStalled && this.#state !== "dead";
    return going || now < Math.max(this.#cutUntil, this.#mutedUntil) || this.#disturbances.some((at) => at >= now - ms && at <= now + ms);
  }

  meet({ comes, what, at, lasts }: Disruption): void {
    const { clock } = this.#scenario;
    const now = clock.now();
    clock.after(comes * 1000, () => this.run());
    this.#disturbances = [comes, comes + at, comes + at + lasts].map((second) => now + second * 1000);
    clock.after((comes + at) * 1000, () => {
      if (what === "kill") this.kill();
      if (what === "leave") this.leave();
      if (what === "cut") this.#cutUntil = clock.now() + lasts * 1000;
      if (what === "mute") this.mute(lasts * 1000);
      if (what === "pause") this.#stalled.begin();
    });
    if (what === "pause") clock.after((comes + at + lasts) * 1000, () => this.#stalled.end());
  }

  async #work(key: string, signal: AbortSignal): Promise<void> {
    this.starts++;
    this.#scenario.began(key, this.#name, signal, () => this.isAwake());
    if (this.#behaviour.failing === true) throw new Error("no");
    await new Promise<void>((resolve) => {
      if (this.#behaviour.stubborn === true) this.#releases.push(resolve);
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Delays requests and responses. While the replica is cut off they hang, and early requests may arrive late. */
  async #reach(request: Request): Promise<Answer> {
    await this.#travel(request.signal, () => this.#cutUntil);
    const answer = await this.#scenario.exchange(request);
    await this.#return(request.signal);
    if (Array.isArray(answer.body)) return answer;
    return { ...answer, body: this.#pieces(answer.body, request.signal) };
  }

  async *#pieces(body: Answer["body"], signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
    for await (const piece of body) {
      await this.#return(signal);
      yield piece;
    }
  }

  async #return(signal: AbortSignal): Promise<void> {
    await this.#travel(signal, () => Math.max(this.#cutUntil, this.#mutedUntil));
    await this.#stalled.over();
  }

  async #travel(signal: AbortSignal, heldUntil: () => number): Promise<void> {
    const { clock } = this.#scenario;
    await sleep(clock, this.#scenario.random() * (this.#behaviour.lagMs ?? 200), signal);
    if (clock.now() < heldUntil()) await sleep(clock, heldUntil() - clock.now(), signal);
  }
}

/** A stalled process: its timers and responses are held back until it continues, and are delivered at once then. */
class Stall {
  isStalled = false;
  #held: (() => void)[] = [];

  begin(): void {
    this.isStalled = true;
  }

  end(): void {
    this.isStalled = false;
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }

  over(): Promise<void> {
    return this.isStalled ? new Promise((resolve) => this.#held.push(resolve)) : Promise.resolve();
  }

  /** A clock whose timers wait while the process is stalled. */
  clock(real: Clock, skewMs: number): Clock {
    return {
      now: () => real.now() + skewMs,
      after: (ms, fire, options): Cancel => {
        let cancelled = false;
        const go = () => {
          if (!cancelled) fire();
        };
        const cancel = real.after(ms, () => (this.isStalled ? this.#held.push(go) : go()), options);
        return () => {
          cancelled = true;
          cancel();
        };
      },
    };
  }
}
