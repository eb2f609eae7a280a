import type { Clock } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { connect, isAlreadyExists, type Cluster } from "../../src/kube/index.ts";
import { refOf, type GroupVersionKind } from "../../src/core/object/index.ts";
import type { Progress } from "../../src/release/index.ts";
import { historyOf, type Release } from "../../src/release/record/index.ts";
import type { LocatedManifest } from "../../src/lang/yaml/index.ts";
import { thirdPartyClientOf, manifestsIn } from "./third-party-client.ts";
import type { ClusterUnderTest } from "./cluster-under-test.ts";
import { progressLine } from "./progress-line.ts";
import { KillableConnection, type KillPoint, type KillableConnectionOptions } from "./killable-connection.ts";
import { runOperation, type OperationAct } from "./run-operation.ts";
import { takeSnapshot, type ReleaseSnapshot } from "./release-snapshot.ts";
import type { Act, ThirdPartyClient, Meanwhile, ReleaseScenario } from "./scenario.ts";
import { ChangeObserver } from "./change-observer.ts";

/** The result of an act. */
export type ActResult = {
  readonly progress: readonly Progress[];
  /** The observed changes during the act, in order. */
  readonly seen: () => readonly string[];
  /** The numbers of finished steps and sent writes: the points at which it can be killed. */
  readonly steps: number;
  readonly writes: number;
  readonly tookMs: number;
  readonly killed: boolean;
  /** What was thrown instead of a result. */
  readonly refusal?: unknown;
};

type ActOptions = {
  /** Kills the operation; its Lease stays. Running the act again carries on. */
  readonly killAt?: KillPoint;
  /** Whether the holder of a Lease is dead, so that no operation waits until the Lease expires. */
  readonly hasDied?: (holder: string) => boolean;
};

let identities = 0;

/** Runs one scenario in one namespace of one cluster: each act any number of times, while observing the cluster. */
export class ScenarioRunner {
  readonly scenario: ReleaseScenario;
  readonly namespace: string;
  readonly thirdParty: ThirdPartyClient;
  readonly #underTest: ClusterUnderTest;
  readonly #cluster: Cluster;
  readonly #observer: ChangeObserver;
  readonly #kinds: readonly GroupVersionKind[];
  readonly #closed = new AbortController();
  /** The resourceVersion at which each act began. */
  readonly #startVersions = new Map<Act, number>();
  /** Third parties that wait for a progress line. */
  readonly #listeners = new Map<Act, Set<(line: string) => void>>();
  readonly #thirdPartyErrors: unknown[] = [];

  private constructor(scenario: ReleaseScenario, underTest: ClusterUnderTest, namespace: string) {
    this.scenario = scenario;
    this.namespace = namespace;
    this.#underTest = underTest;
    this.#cluster = connect(underTest.exchange, { clock: underTest.clock, namespace, manager: "somebody" });
    this.#observer = new ChangeObserver(namespace);
    this.#kinds = kindsOf(scenario, namespace);
    this.thirdParty = thirdPartyClientOf(this.#cluster, namespace);
  }

  /** Creates the namespace and starts watching. */
  static async start(scenario: ReleaseScenario, underTest: ClusterUnderTest, namespace = "scenario"): Promise<ScenarioRunner> {
    const runner = new ScenarioRunner(scenario, underTest, namespace);
    await underTest.until(runner.#begin());
    return runner;
  }

  async #begin(): Promise<void> {
    await this.#cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: this.namespace } }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    await this.#observer.watch(this.#cluster, this.#kinds, this.#closed.signal);
  }

  async run(act: Act, options: ActOptions = {}): Promise<ActResult> {
    const { clock } = this.#underTest;
    const startedAt = clock.now();
    if (!this.#startVersions.has(act)) await this.#beginAct(act);
    const connection = new KillableConnection(this.#underTest.exchange, connectionOptions(options.killAt, clock));
    const progress: Progress[] = [];
    const result = { progress, seen: () => this.seen(act), steps: 0, killed: false };
    const work =
      act.do === "others"
        ? act.work(this.thirdParty).then(() => undefined)
        : Promise.race([this.#operate(act, connection, options, progress), connection.killed.then(() => "killed" as const)]);
    const end = await this.#underTest.until(work.catch((error: unknown) => ({ refusal: error })));
    if (act.do === "others" && end !== undefined && end !== "killed") this.#thirdPartyErrors.push(end.refusal);
    if (this.#thirdPartyErrors.length > 0) throw new Fault(`a third party in ${this.scenario.name}`, this.#thirdPartyErrors[0]);
    const steps = progress.filter(({ type }) => type === "finished").length;
    const measured = { ...result, steps, writes: connection.writes, tookMs: clock.now() - startedAt };
    if (end === "killed") return { ...measured, killed: true };
    return end === undefined ? measured : { ...measured, refusal: end.refusal };
  }

  /** The observed changes since an act began. */
  seen(act: Act): readonly string[] {
    return this.#observer.since(this.#startVersions.get(act) ?? 0).map(({ text }) => text);
  }

  live(): ReadonlySet<string> {
    return this.#observer.live();
  }

  /** The number and state of each revision of a release. */
  async records({ release: name = "app", namespace = "$NS" }: Pick<Act, "release" | "namespace"> = {}): Promise<readonly string[]> {
    const release = { name, namespace: this.#filled(namespace) };
    const revisions = await this.#underTest.until(historyOf(this.#cluster).revisions(release));
    return revisions.map(({ revision, state }) => `${revision} ${state}`);
  }

  /** A snapshot that is comparable with another run of the same scenario. */
  snapshot(): Promise<ReleaseSnapshot> {
    const releases = this.scenario.acts.map(({ release: name = "app", namespace = "$NS" }): [string, Release] => [
      `${namespace}/${name}`,
      { name, namespace: this.#filled(namespace) },
    ]);
    return this.#underTest.until(takeSnapshot(this.#cluster, this.namespace, this.#kinds, [...new Map(releases).values()]));
  }

  /** Requests the deletion of everything that the scenario may have left, without waiting. */
  async cleanUp(): Promise<void> {
    const kinds = [...this.#kinds.filter(({ kind }) => kind !== "Namespace"), { group: "", version: "v1", kind: "Namespace" }];
    for (const kind of kinds) {
      const resource = await this.#cluster.discovery.find(kind);
      if (resource === undefined || resource.namespaced) continue;
      const { items } = await this.#cluster.list(kind);
      for (const item of items.filter(({ metadata }) => metadata.name.includes(this.namespace))) await this.#cluster.delete(refOf(item));
    }
  }

  close(): void {
    this.#closed.abort(new Error("the scenario runner is closed"));
  }

  /** Notes where the act begins and arms its third parties. They survive a kill. */
  async #beginAct(act: Act): Promise<void> {
    await this.#underTest.until(this.#observer.waitForSync(this.#cluster));
    const { resourceVersion } = await this.#underTest.until(this.#cluster.list(configMaps, { namespace: this.namespace }));
    this.#startVersions.set(act, Number(resourceVersion));
    for (const meanwhile of "meanwhile" in act ? (act.meanwhile ?? []) : []) this.#arm(act, meanwhile);
  }

  #arm(act: Act, { afterMs = 0, onChange, onProgress, work }: Meanwhile): void {
    const begin = () =>
      this.#underTest.clock.after(afterMs, () => work(this.thirdParty).catch((error: unknown) => this.#thirdPartyErrors.push(error)));
    if (onChange !== undefined) this.#onChange(act, this.#filled(onChange), begin);
    else if (onProgress !== undefined) this.#onLine(act, onProgress, begin);
    else begin();
  }

  #onChange(act: Act, sighting: string, begin: () => void): void {
    const stop = this.#observer.listen(() => {
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

  async #operate(
    act: OperationAct,
    connection: KillableConnection,
    { killAt, hasDied }: ActOptions,
    progress: Progress[],
  ): Promise<undefined> {
    const cluster = connect(connection.exchange, { clock: this.#underTest.clock, namespace: this.#filled(act.namespace ?? "$NS") });
    const identity = `operation-${++identities}`;
    const lastStep = killAt !== undefined && "steps" in killAt ? killAt.steps : Infinity;
    let steps = 0;
    const telling = runOperation(act, manifestsOf(act, this.namespace), cluster, {
      signal: connection.signal,
      identity,
      ...(hasDied === undefined ? {} : { hasDied }),
    });
    for await (const event of telling) {
      progress.push(event);
      for (const listener of this.#listeners.get(act) ?? []) listener(progressLine(event));
      if (event.type === "finished" && ++steps >= lastStep) connection.kill();
      // A killed process does not clean up, so the generator never returns.
      if (connection.signal.aborted) await new Promise(() => {});
    }
    return undefined;
  }

  #filled(text: string): string {
    return text.replaceAll("$NS", this.namespace);
  }
}

function manifestsOf(act: Act, namespace: string): readonly LocatedManifest[] {
  return "manifests" in act ? manifestsIn(act.manifests, namespace) : [];
}

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

function connectionOptions(killAt: KillPoint | undefined, clock: Clock): KillableConnectionOptions {
  if (killAt === undefined) return {};
  return "writes" in killAt ? { lastWrite: killAt.writes } : { slow: clock };
}

/** The kinds of a scenario. */
function kindsOf({ acts, also = [] }: ReleaseScenario, namespace: string): readonly GroupVersionKind[] {
  const objects = acts.flatMap((act) => manifestsOf(act, namespace).map(({ object }) => object));
  const kinds = [configMaps, ...also, ...objects.map(refOf)].map(({ group, version, kind }): [string, GroupVersionKind] => [
    `${group}/${kind}`,
    { group: group.replaceAll("$NS", namespace), version, kind },
  ]);
  return [...new Map(kinds).values()];
}
