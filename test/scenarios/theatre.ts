import type { Clock } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { connect, isAlreadyExists, type Cluster } from "../../src/kube/index.ts";
import { refOf, type GroupVersionKind } from "../../src/core/object/index.ts";
import type { Story } from "../../src/release/index.ts";
import { historyOf, type Release } from "../../src/release/record/index.ts";
import type { Manifest } from "../../src/lang/yaml/index.ts";
import { handsOf, manifestsIn } from "./hands.ts";
import type { Ground } from "./ground.ts";
import { lineOf } from "./line.ts";
import { Mortal, type Death, type MortalOptions } from "./mortal.ts";
import { operationOf, type Operating } from "./operation.ts";
import { photograph, type Photograph } from "./photograph.ts";
import type { Act, Hands, Meanwhile, Scenario } from "./scenario.ts";
import { Sightings } from "./sightings.ts";

/** What playing an act came to. */
export type Played = {
  readonly story: readonly Story[];
  /** What was seen in the cluster during the act, in order. */
  readonly seen: () => readonly string[];
  /** How many steps were finished and how many writes sent, for those who want to know where it can be killed. */
  readonly steps: number;
  readonly writes: number;
  readonly tookMs: number;
  readonly died: boolean;
  /** What was thrown in place of a story's end. */
  readonly refusal?: unknown;
};

export type PlayOptions = {
  /** Kills the operation; its Lease stays behind. Playing the act again carries on. */
  readonly death?: Death;
  /** Knows that the holder of a Lease is dead, so that nobody has to wait for the Lease to expire. */
  readonly hasDied?: (holder: string) => boolean;
};

let identities = 0;

/** One scenario in one namespace of one cluster: plays its acts, each any number of times, and looks on as the cluster changes. */
export class Theatre {
  readonly scenario: Scenario;
  readonly namespace: string;
  readonly hands: Hands;
  readonly #ground: Ground;
  readonly #cluster: Cluster;
  readonly #sightings: Sightings;
  readonly #kinds: readonly GroupVersionKind[];
  readonly #closed = new AbortController();
  /** Where in the cluster's history each act began. */
  readonly #beginnings = new Map<Act, number>();
  /** Those who wait for a line of the story. */
  readonly #listeners = new Map<Act, Set<(line: string) => void>>();
  readonly #troubles: unknown[] = [];

  private constructor(scenario: Scenario, ground: Ground, namespace: string) {
    this.scenario = scenario;
    this.namespace = namespace;
    this.#ground = ground;
    this.#cluster = connect(ground.exchange, { clock: ground.clock, namespace, manager: "somebody" });
    this.#sightings = new Sightings(namespace);
    this.#kinds = kindsOf(scenario, namespace);
    this.hands = handsOf(this.#cluster, namespace);
  }

  /** Makes the namespace and begins to watch. */
  static async open(scenario: Scenario, ground: Ground, namespace = "scene"): Promise<Theatre> {
    const theatre = new Theatre(scenario, ground, namespace);
    await ground.until(theatre.#begin());
    return theatre;
  }

  async #begin(): Promise<void> {
    await this.#cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: this.namespace } }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    await this.#sightings.watch(this.#cluster, this.#kinds, this.#closed.signal);
  }

  async play(act: Act, options: PlayOptions = {}): Promise<Played> {
    const { clock } = this.#ground;
    const startedAt = clock.now();
    if (!this.#beginnings.has(act)) await this.#open(act);
    const mortal = new Mortal(this.#ground.exchange, mortality(options.death, clock));
    const story: Story[] = [];
    const played = { story, seen: () => this.seen(act), steps: 0, died: false };
    const work =
      act.do === "others"
        ? act.work(this.hands).then(() => undefined)
        : Promise.race([this.#perform(act, mortal, options, story), mortal.died.then(() => "died" as const)]);
    const end = await this.#ground.until(work.catch((error: unknown) => ({ refusal: error })));
    if (act.do === "others" && end !== undefined && end !== "died") this.#troubles.push(end.refusal);
    if (this.#troubles.length > 0) throw new Fault(`somebody else in ${this.scenario.name}`, this.#troubles[0]);
    const steps = story.filter(({ type }) => type === "finished").length;
    const measured = { ...played, steps, writes: mortal.writes, tookMs: clock.now() - startedAt };
    if (end === "died") return { ...measured, died: true };
    return end === undefined ? measured : { ...measured, refusal: end.refusal };
  }

  /** What was seen in the cluster since an act began. */
  seen(act: Act): readonly string[] {
    return this.#sightings.since(this.#beginnings.get(act) ?? 0).map(({ text }) => text);
  }

  live(): ReadonlySet<string> {
    return this.#sightings.live();
  }

  /** Number and state of each revision of a release. */
  async records({ release: name = "app", namespace = "$NS" }: Pick<Act, "release" | "namespace"> = {}): Promise<readonly string[]> {
    const release = { name, namespace: this.#filled(namespace) };
    const revisions = await this.#ground.until(historyOf(this.#cluster).revisions(release));
    return revisions.map(({ revision, state }) => `${revision} ${state}`);
  }

  /** All that is there and can be compared with another performance of the same scenario. */
  photograph(): Promise<Photograph> {
    const releases = this.scenario.acts.map(({ release: name = "app", namespace = "$NS" }): [string, Release] => [
      `${namespace}/${name}`,
      { name, namespace: this.#filled(namespace) },
    ]);
    return this.#ground.until(photograph(this.#cluster, this.namespace, this.#kinds, [...new Map(releases).values()]));
  }

  /** Asks for the deletion of all that the scenario may have left, and waits for nothing. */
  async strike(): Promise<void> {
    const kinds = [...this.#kinds.filter(({ kind }) => kind !== "Namespace"), { group: "", version: "v1", kind: "Namespace" }];
    for (const kind of kinds) {
      const resource = await this.#cluster.discovery.find(kind);
      if (resource === undefined || resource.namespaced) continue;
      const { items } = await this.#cluster.list(kind);
      for (const item of items.filter(({ metadata }) => metadata.name.includes(this.namespace))) await this.#cluster.delete(refOf(item));
    }
  }

  close(): void {
    this.#closed.abort(new Error("the theatre is closed"));
  }

  /** Remembers where the act begins, and lets others get ready for it. They live on when Sluice dies. */
  async #open(act: Act): Promise<void> {
    await this.#ground.until(this.#sightings.abreast(this.#cluster));
    const { resourceVersion } = await this.#ground.until(this.#cluster.list(configMaps, { namespace: this.namespace }));
    this.#beginnings.set(act, Number(resourceVersion));
    for (const meanwhile of "meanwhile" in act ? (act.meanwhile ?? []) : []) this.#arm(act, meanwhile);
  }

  #arm(act: Act, { afterMs = 0, on, told, work }: Meanwhile): void {
    const begin = () => this.#ground.clock.after(afterMs, () => work(this.hands).catch((error: unknown) => this.#troubles.push(error)));
    if (on !== undefined) this.#onSighting(act, this.#filled(on), begin);
    else if (told !== undefined) this.#onLine(act, told, begin);
    else begin();
  }

  #onSighting(act: Act, sighting: string, begin: () => void): void {
    const stop = this.#sightings.listen(() => {
      if (!this.seen(act).includes(sighting)) return;
      stop();
      begin();
    });
  }

  #onLine(act: Act, pattern: RegExp, begin: () => void): void {
    const listeners = this.#listeners.get(act) ?? new Set();
    const listener = (line: string) => {
      if (!pattern.test(line)) return;
      listeners.delete(listener);
      begin();
    };
    this.#listeners.set(act, listeners.add(listener));
  }

  async #perform(act: Operating, mortal: Mortal, { death, hasDied }: PlayOptions, story: Story[]): Promise<undefined> {
    const cluster = connect(mortal.exchange, { clock: this.#ground.clock, namespace: this.#filled(act.namespace ?? "$NS") });
    const identity = `player-${++identities}`;
    const lastStep = death !== undefined && "steps" in death ? death.steps : Infinity;
    let steps = 0;
    const telling = operationOf(act, manifestsOf(act, this.namespace), cluster, {
      signal: mortal.signal,
      identity,
      ...(hasDied === undefined ? {} : { hasDied }),
    });
    for await (const event of telling) {
      story.push(event);
      for (const listener of this.#listeners.get(act) ?? []) listener(lineOf(event));
      if (event.type === "finished" && ++steps >= lastStep) mortal.die();
      // The dead do not clean up: whatever would happen at the end of the story does not.
      if (mortal.signal.aborted) await new Promise(() => {});
    }
    return undefined;
  }

  #filled(text: string): string {
    return text.replaceAll("$NS", this.namespace);
  }
}

function manifestsOf(act: Act, namespace: string): readonly Manifest[] {
  return "manifests" in act ? manifestsIn(act.manifests, namespace) : [];
}

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

function mortality(death: Death | undefined, clock: Clock): MortalOptions {
  if (death === undefined) return {};
  return "writes" in death ? { lastWrite: death.writes } : { slow: clock };
}

/** The kinds that a scenario is about. */
function kindsOf({ acts, also = [] }: Scenario, namespace: string): readonly GroupVersionKind[] {
  const objects = acts.flatMap((act) => manifestsOf(act, namespace).map(({ object }) => object));
  const kinds = [configMaps, ...also, ...objects.map(refOf)].map(({ group, version, kind }): [string, GroupVersionKind] => [
    `${group}/${kind}`,
    { group: group.replaceAll("$NS", namespace), version, kind },
  ]);
  return [...new Map(kinds).values()];
}
