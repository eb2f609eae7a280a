import type { Problem } from "../../core/fault/index.ts";
import { helmFunctions, repeatableFunctions } from "../../release/render/index.ts";
import { sprigFunctions, type Environment } from "../../lang/sprig/index.ts";
import { Engine, ExecError, GoError, LimitError, ParseError, type FunctionTable, type GoValue } from "../../lang/template/index.ts";
import { resourceFunctions } from "./resource-functions.ts";

/** A rendered text, or what is wrong with the template. `drawn`: it asked for the time or for chance. */
export type Rendered =
  | { readonly state: "rendered"; readonly text: string; readonly drawn: boolean }
  | { readonly state: "failed"; readonly problem: Problem };

export type EventRenderOptions = {
  /** Missing keys are nothing, as before 2024-07, instead of an error; one that is printed is an error all the same. Default: false. */
  readonly lenient?: boolean;
  /** Time and chance have the same answers every time, so that two renderings can be compared. Default: false. */
  readonly repeatable?: boolean;
};

const maxOutputBytes = 2 ** 22;
const timeLimitMs = 5_000;

/** Sveltos' templates: Go's, with Sprig's functions and some of Helm's. Each text is compiled once: keep one for all events. */
export class EventTemplates {
  private readonly environment: Environment;
  private readonly engine: Engine;
  private readonly repeatableEngine: Engine;
  private nondeterministicCalls = 0;

  constructor(environment: Environment) {
    this.environment = environment;
    const functions = { ...templateFunctions(this.countingEnvironment()), ...resourceFunctions };
    this.engine = new Engine(functions);
    this.repeatableEngine = new Engine({ ...functions, ...repeatableFunctions });
  }

  /** Renders a text on data that is made anew for each rendering: templates can write to it. `at` is for what goes wrong. */
  render(at: string, text: string, data: () => GoValue, options: EventRenderOptions = {}): Rendered {
    if (!text.includes("{{")) return { state: "rendered", text, drawn: false };
    const before = this.nondeterministicCalls;
    try {
      const output = this.execute(text, data, options);
      return { state: "rendered", text: output, drawn: this.nondeterministicCalls > before };
    } catch (error) {
      return { state: "failed", problem: problemOf(at, error) };
    }
  }

  private execute(text: string, data: () => GoValue, options: EventRenderOptions): string {
    try {
      return this.executeOnce(text, data(), "error", options);
    } catch (error) {
      if (options.lenient !== true || !(error instanceof ExecError)) throw error;
      const output = this.executeOnce(text, data(), "default", options);
      if (output.includes("<no value>")) throw error;
      return output;
    }
  }

  private executeOnce(text: string, data: GoValue, missingKey: "error" | "default", { repeatable }: EventRenderOptions): string {
    const engine = repeatable === true ? this.repeatableEngine : this.engine;
    const set = engine.set({ missingKey, name: template });
    set.parse(template, text);
    const deadline = this.environment.now() + timeLimitMs;
    return set.execute(template, data, { limits: { output: maxOutputBytes, outOfTime: () => this.environment.now() > deadline } });
  }

  private countingEnvironment(): Environment {
    return {
      ...this.environment,
      now: () => {
        this.nondeterministicCalls++;
        return this.environment.now();
      },
      randomBytes: (count) => {
        this.nondeterministicCalls++;
        return this.environment.randomBytes(count);
      },
    };
  }
}

/** What templates of events and of deployments can both call: Sprig's functions, with Helm's for YAML, JSON and TOML. */
export function templateFunctions(environment: Environment): FunctionTable {
  const { toToml, fromToml, toYaml, fromYaml, fromYamlArray, toJson, fromJson, fromJsonArray } = helmFunctions(environment);
  const helms = { toToml, fromToml, toYaml, fromYaml, fromYamlArray, toJson, fromJson, fromJsonArray };
  return { ...sprigFunctions(environment), ...present(helms) };
}

function present(functions: Readonly<Record<string, FunctionTable[string] | undefined>>): FunctionTable {
  return Object.fromEntries(Object.entries(functions).flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])));
}

/** The one name that all texts are parsed under; messages have the place instead. */
const template = "text";

function problemOf(at: string, error: unknown): Problem {
  if (error instanceof ExecError) {
    const { line, column } = error.location;
    return { at: `${at}:${line}:${column}`, message: `at <${error.node}>: ${error.complaint}` };
  }
  if (error instanceof LimitError) return { at, message: error.message };
  if (!(error instanceof ParseError) && !(error instanceof GoError)) throw error;
  const [, line, complaint] = /^template: text:(\d+(?::\d+)?): (.*)$/s.exec(error.message) ?? [];
  return line === undefined || complaint === undefined ? { at, message: error.message } : { at: `${at}:${line}`, message: complaint };
}
