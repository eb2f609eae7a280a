import type { ChartSource } from "../../../src/sveltos/deploy/index.ts";
import type { Cluster } from "../../../src/kube/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { EmbeddedFleet } from "../../support/embedded-fleet.ts";
import { chartsOf } from "./charts.ts";
import type { Difference } from "./difference.ts";
import { kubectl, submit, type Place } from "./kubectl.ts";
import { plainState } from "./plain.ts";
import { kubectlText } from "./refusal.ts";
import type { Input, Scenario, State, Step } from "./scenario.ts";
import type { Clusters } from "./setup.ts";
import { everythingIn, inScope, type Scope } from "./snapshot.ts";

/** Starts everything that works in a fleet and in its clusters. */
export type Crew = (lab: EmbeddedFleet, about: { readonly charts: ChartSource; readonly clusters: readonly string[] }) => Promise<void>;

/** What a step led to: the objects in all clusters, and what kubectl would have answered otherwise than it did. */
export type Played = { readonly step: Step; readonly state: State; readonly answers: readonly Difference[] };

export type PlayOptions = { readonly clusters: Clusters; readonly scope: Scope; readonly crew: Crew };

/** Plays a scenario on embedded clusters, step by step, each until all has come to rest. */
export async function* play(scenario: Scenario, { clusters, scope, crew }: PlayOptions): AsyncGenerator<Played> {
  const lab = await EmbeddedFleet.open({ clusters, behaviour: [noCloud] });
  try {
    const stage = new Stage(lab, scenario, { clusters: Object.keys(clusters), scope });
    await crew(lab, { charts: chartsOf(scenario), clusters: Object.keys(clusters) });
    await stage.remember();
    for (const step of scenario.steps) yield await stage.perform(step);
  } finally {
    await lab.close();
  }
}

/** The clusters of the record had nobody who gives addresses to Services of type LoadBalancer. */
const noCloud = { match: { kind: "Service" }, address: "never" };

/** Nothing may be written for so long until a step counts as done, and none may take longer than the other. */
const restMs = 30_000;
const longestMs = 300_000;
const betweenInputsMs = 300;

class Stage {
  readonly #lab: EmbeddedFleet;
  readonly #scenario: Scenario;
  readonly #clusters: ReadonlyMap<string, Cluster>;
  readonly #scope: Scope;
  readonly #before = new Map<string, ReadonlySet<string>>();

  constructor(lab: EmbeddedFleet, scenario: Scenario, about: { readonly clusters: readonly string[]; readonly scope: Scope }) {
    this.#lab = lab;
    this.#scenario = scenario;
    this.#clusters = new Map([["management", lab.hub], ...about.clusters.map((name): [string, Cluster] => [name, lab.managed(name)])]);
    this.#scope = about.scope;
  }

  /** What is there now was there before the scenario. */
  async remember(): Promise<void> {
    for (const [name, cluster] of this.#clusters) {
      const objects = await this.#lab.until(everythingIn(cluster, this.#scope));
      this.#before.set(name, new Set(objects.map(({ metadata }) => metadata.uid ?? "")));
    }
  }

  async perform(step: Step): Promise<Played> {
    const answers: Difference[] = [];
    for (const input of step.inputs) {
      answers.push(...(await this.#give(input)));
      await this.#lab.advance(betweenInputsMs);
    }
    await this.#settle();
    return { step, state: plainState(await this.#look(step)), answers };
  }

  /** What was refused in the record is only tried here: the steps after it build on its not having happened. */
  async #give(input: Input): Promise<readonly Difference[]> {
    const cluster = this.#clusters.get(input.cluster);
    const difference = { cluster: input.cluster, kind: "Input", name: input.file, path: "refusal", recorded: input.refusal };
    if (cluster === undefined) return [{ ...difference, got: `there is no cluster ${input.cluster}` }];
    const got = await this.#lab.until(answerTo(input, { cluster, folder: this.#scenario.folder, dryRun: input.refusal !== undefined }));
    return sameRefusal(input.refusal, got) ? [] : [{ ...difference, got }];
  }

  async #settle(): Promise<void> {
    const { written } = this.#lab;
    for (let passed = 0; passed < longestMs; passed += restMs) {
      const count = written.length;
      await this.#lab.advance(restMs);
      // Leases are renewed for ever.
      if (written.slice(count).every((write) => write.includes("/leases"))) return;
    }
  }

  async #look(step: Step): Promise<State> {
    const state: [string, State[string]][] = [];
    for (const [name, cluster] of this.#clusters) {
      const objects = await this.#lab.until(everythingIn(cluster, this.#scope));
      const about = { cluster: name, scope: this.#scope, before: this.#before.get(name) ?? new Set(), recorded: step.after?.[name] ?? [] };
      state.push([name, inScope(objects, about).map((object) => withUidsOf(object, state.length))]);
    }
    return Object.fromEntries(state);
  }
}

/** Embedded clusters count alike, so the same uid may be given in several of them. */
function withUidsOf(object: KubeObject, cluster: number): KubeObject {
  const text = JSON.stringify(object).replaceAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    (uid) => `${cluster.toString(16)}${uid.slice(1)}`,
  );
  return JSON.parse(text) as KubeObject;
}

async function answerTo({ doing }: Input, place: Place): Promise<string | undefined> {
  try {
    await (doing.verb === "command" ? kubectl(doing.line, place) : submit(doing.yaml, doing.verb, place));
    return undefined;
  } catch (error) {
    return kubectlText(error);
  }
}

/** kubectl puts what it was doing around what the server said, and advice behind it. */
function sameRefusal(recorded: string | undefined, got: string | undefined): boolean {
  if (recorded === undefined || got === undefined) return recorded === got;
  const said = got.replace(/^(error|Error from server \(\w+\)): /, "");
  return recorded.includes(said);
}
