import type { ChartSource } from "../../../src/sveltos/deploy/index.ts";
import type { Cluster } from "../../../src/kube/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { EmbeddedFleet } from "../../support/embedded-fleet.ts";
import { scenarioCharts } from "./scenario-charts.ts";
import type { StateDifference } from "./state-difference.ts";
import { kubectl, submitManifests, type KubectlContext } from "./kubectl.ts";
import { comparableState } from "./comparable-state.ts";
import { kubectlErrorText } from "./kubectl-error-text.ts";
import type { ScenarioInput, RecordedScenario, FleetState, RecordedScenarioStep } from "./recorded-scenario.ts";
import type { ScenarioClusters } from "./scenario-clusters.ts";
import { listAllObjects, objectsInScope, type RecordScope } from "./snapshot.ts";

/** Starts the controllers and agents of a fleet. */
export type StartControllers = (
  fleet: EmbeddedFleet,
  about: { readonly charts: ChartSource; readonly clusters: readonly string[] },
) => Promise<void>;

/** The result of a step: the objects in all clusters, and where kubectl's answers differ from the record. */
export type ScenarioStepResult = {
  readonly step: RecordedScenarioStep;
  readonly state: FleetState;
  readonly answers: readonly StateDifference[];
};

type RunScenarioOptions = {
  readonly clusters: ScenarioClusters;
  readonly scope: RecordScope;
  readonly startControllers: StartControllers;
};

/** Runs a scenario on embedded clusters step by step, each until nothing is written any more. */
export async function* runRecordedScenario(
  scenario: RecordedScenario,
  { clusters, scope, startControllers }: RunScenarioOptions,
): AsyncGenerator<ScenarioStepResult> {
  const fleet = await EmbeddedFleet.open({ clusters, behaviour: [noCloud] });
  try {
    const run = new RecordedScenarioRun(fleet, scenario, { clusters: Object.keys(clusters), scope });
    await startControllers(fleet, { charts: scenarioCharts(scenario), clusters: Object.keys(clusters) });
    await run.recordInitialObjects();
    for (const step of scenario.steps) yield await run.runStep(step);
  } finally {
    await fleet.close();
  }
}

/** The recorded clusters had no provider of load balancers. */
const noCloud = { match: { kind: "Service" }, address: "never" };

/** A step has ended when nothing was written for `restMs`, or after `longestMs`. */
const restMs = 30_000;
const longestMs = 300_000;
const betweenInputsMs = 300;

class RecordedScenarioRun {
  readonly #fleet: EmbeddedFleet;
  readonly #scenario: RecordedScenario;
  readonly #clusters: ReadonlyMap<string, Cluster>;
  readonly #scope: RecordScope;
  readonly #before = new Map<string, ReadonlySet<string>>();

  constructor(
    fleet: EmbeddedFleet,
    scenario: RecordedScenario,
    about: { readonly clusters: readonly string[]; readonly scope: RecordScope },
  ) {
    this.#fleet = fleet;
    this.#scenario = scenario;
    this.#clusters = new Map([["management", fleet.hub], ...about.clusters.map((name): [string, Cluster] => [name, fleet.managed(name)])]);
    this.#scope = about.scope;
  }

  /** Notes the objects that exist before the scenario. */
  async recordInitialObjects(): Promise<void> {
    for (const [name, cluster] of this.#clusters) {
      const objects = await this.#fleet.until(listAllObjects(cluster, this.#scope));
      this.#before.set(name, new Set(objects.map(({ metadata }) => metadata.uid ?? "")));
    }
  }

  async runStep(step: RecordedScenarioStep): Promise<ScenarioStepResult> {
    const answers: StateDifference[] = [];
    for (const input of step.inputs) {
      answers.push(...(await this.#give(input)));
      await this.#fleet.advance(betweenInputsMs);
    }
    await this.#settle();
    return { step, state: comparableState(await this.#look(step)), answers };
  }

  /** An input that was refused in the record is a dry run here: later steps build on its not having happened. */
  async #give(input: ScenarioInput): Promise<readonly StateDifference[]> {
    const cluster = this.#clusters.get(input.cluster);
    const difference = { cluster: input.cluster, kind: "Input", name: input.file, path: "refusal", recorded: input.refusal };
    if (cluster === undefined) return [{ ...difference, got: `there is no cluster ${input.cluster}` }];
    const got = await this.#fleet.until(answerTo(input, { cluster, folder: this.#scenario.folder, dryRun: input.refusal !== undefined }));
    return sameRefusal(input.refusal, got) ? [] : [{ ...difference, got }];
  }

  async #settle(): Promise<void> {
    const { written } = this.#fleet;
    for (let passed = 0; passed < longestMs; passed += restMs) {
      const count = written.length;
      await this.#fleet.advance(restMs);
      // Leases are renewed all the time.
      if (written.slice(count).every((write) => write.includes("/leases"))) return;
    }
  }

  async #look(step: RecordedScenarioStep): Promise<FleetState> {
    const state: [string, FleetState[string]][] = [];
    for (const [name, cluster] of this.#clusters) {
      const objects = await this.#fleet.until(listAllObjects(cluster, this.#scope));
      const about = { cluster: name, scope: this.#scope, before: this.#before.get(name) ?? new Set(), recorded: step.after?.[name] ?? [] };
      state.push([name, objectsInScope(objects, about).map((object) => withUidsOf(object, state.length))]);
    }
    return Object.fromEntries(state);
  }
}

/** Embedded clusters generate uids alike, so several of them may have the same one. */
function withUidsOf(object: KubeObject, cluster: number): KubeObject {
  const text = JSON.stringify(object).replaceAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    (uid) => `${cluster.toString(16)}${uid.slice(1)}`,
  );
  return JSON.parse(text) as KubeObject;
}

async function answerTo({ action }: ScenarioInput, place: KubectlContext): Promise<string | undefined> {
  try {
    await (action.verb === "command" ? kubectl(action.line, place) : submitManifests(action.yaml, action.verb, place));
    return undefined;
  } catch (error) {
    return kubectlErrorText(error);
  }
}

/** kubectl puts context before the server's message, and advice after it. */
function sameRefusal(recorded: string | undefined, got: string | undefined): boolean {
  if (recorded === undefined || got === undefined) return recorded === got;
  const said = got.replace(/^(error|Error from server \(\w+\)): /, "");
  return recorded.includes(said);
}
