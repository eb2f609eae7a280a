import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFields, isKubeObject, type KubeObject } from "../../../src/core/object/index.ts";

/** One change to a cluster: a file of manifests, or a command. */
export type ScenarioInput = {
  readonly file: string;
  /** `management`, or the name of a managed cluster. */
  readonly cluster: string;
  readonly action:
    | { readonly verb: "apply" | "create" | "replace"; readonly yaml: string }
    | { readonly verb: "command"; readonly line: string };
  /** kubectl's error message, when the input was refused. */
  readonly refusal?: string;
};

/** The objects of all clusters at one time, by `management` and the names of the managed clusters. */
export type FleetState = Readonly<Record<string, readonly KubeObject[]>>;

export type RecordedScenarioStep = {
  readonly number: number;
  readonly inputs: readonly ScenarioInput[];
  /** The recorded state after the step. Without it the step runs and is not compared. */
  readonly after?: FleetState;
};

export type RecordedScenario = { readonly name: string; readonly folder: string; readonly steps: readonly RecordedScenarioStep[] };

const recordedState = /^(\d+)-after\.json$/;
const inputFile = /^(\d+)[a-z]*-.*\.(yaml|yml|cmd)$/;

/** Reads the scenarios of a folder: every subfolder with inputs, by name. */
export function scenariosIn(folder: string): readonly RecordedScenario[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const scenarios = folders.map(({ name }) => scenarioAt(join(folder, name), name)).filter(({ steps }) => steps.length > 0);
  return scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function scenarioAt(folder: string, name: string): RecordedScenario {
  const files = readdirSync(folder).toSorted();
  const numbers = new Set(files.map(numberOf).filter((number) => number !== undefined));
  return { name, folder, steps: [...numbers].toSorted((a, b) => a - b).map((number) => stepOf(folder, number, files)) };
}

function numberOf(file: string): number | undefined {
  const [, number] = recordedState.exec(file) ?? inputFile.exec(file) ?? [];
  return number === undefined ? undefined : Number(number);
}

function stepOf(folder: string, number: number, files: readonly string[]): RecordedScenarioStep {
  const inputs = files.filter((file) => !recordedState.test(file) && numberOf(file) === number);
  const record = files.find((file) => recordedState.test(file) && numberOf(file) === number);
  return {
    number,
    inputs: inputs.map((file) => inputAt(folder, file)),
    ...(record !== undefined && { after: stateAt(join(folder, record)) }),
  };
}

/** The first line names the cluster and the kubectl command: `# cluster: c1   (kubectl apply -f)`. */
const heading = /^# cluster: (\S+)(?:\s+\(kubectl (apply|create|replace)\b.*\))?/;

function inputAt(folder: string, file: string): ScenarioInput {
  const text = readFileSync(join(folder, file), "utf8");
  const [, said, verb = "apply"] = heading.exec(text) ?? [];
  const cluster = said ?? /^\d+[a-z]*-([^-.]+)/.exec(file)?.[1] ?? "management";
  const refused = join(folder, file.replace(/\.\w+$/, ".error.txt"));
  const way = verb === "create" || verb === "replace" ? verb : "apply";
  return {
    file,
    cluster: cluster === "mgmt" ? "management" : cluster,
    action: file.endsWith(".cmd") ? { verb: "command", line: withoutComments(text) } : { verb: way, yaml: text },
    ...(existsSync(refused) && { refusal: readFileSync(refused, "utf8").trim() }),
  };
}

/** A quoted argument may span several lines, so only the comments before the command are removed. */
function withoutComments(text: string): string {
  return text.replace(/^(#[^\n]*\n)+/, "");
}

function stateAt(path: string): FleetState {
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  const { management, managed } = isFields(read) ? read : {};
  return { management: objectsIn(management), ...(isFields(managed) ? mapValues(managed, objectsIn) : {}) };
}

function objectsIn(value: unknown): readonly KubeObject[] {
  return Array.isArray(value) ? value.filter(isKubeObject) : [];
}

function mapValues<T>(fields: Readonly<Record<string, unknown>>, change: (value: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]));
}
