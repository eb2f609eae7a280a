import type { Problem } from "../../core/fault/index.ts";
import { helmFunctions, deterministicFunctions } from "../../release/render/index.ts";
import { sprigFunctions, startStopwatch, type Environment } from "../../lang/sprig/index.ts";
import { Engine, ExecError, GoError, LimitError, ParseError, type FunctionTable, type GoValue } from "../../lang/template/index.ts";
import { resourceFunctions } from "./resource-functions.ts";
import { templateDataOf, type TemplateInput } from "./template-data.ts";

/** A rendered text, or the problem of the template. `isNondeterministic`: it read the clock or randomness. */
export type Rendered =
  | { readonly state: "rendered"; readonly text: string; readonly isNondeterministic: boolean }
  | { readonly state: "failed"; readonly problem: Problem };

/** Renders the templates of triggers. `at` names the text in problems. `pending`: it is rendered elsewhere, and known later. */
export type TextRenderer = {
  render(at: string, text: string, input: TemplateInput, options?: EventRenderOptions): Rendered | { readonly state: "pending" };
};

export type EventRenderOptions = {
  /** A missing key is no error, as before 2024-07, unless it is printed. Default: false. */
  readonly lenient?: boolean;
  /** Use a fixed clock and fixed randomness, so that two renderings can be compared. Default: false. */
  readonly repeatable?: boolean;
};

const maxOutputBytes = 2 ** 22;
const timeLimitMs = 5_000;

/** Renders Go templates with Sprig and some functions of Helm, as Sveltos does. Caches compiled texts: use one for all events. */
export class EventTemplates implements TextRenderer {
  readonly #environment: Environment;
  readonly #engine: Engine;
  readonly #repeatableEngine: Engine;
  #nondeterministicCalls = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    const functions = { ...templateFunctions(this.#countingEnvironment()), ...resourceFunctions };
    this.#engine = new Engine(functions);
    this.#repeatableEngine = new Engine({ ...functions, ...deterministicFunctions });
  }

  render(at: string, text: string, input: TemplateInput, options: EventRenderOptions = {}): Rendered {
    if (isPlain(text)) return plainText(text);
    const before = this.#nondeterministicCalls;
    try {
      const output = this.#execute(text, () => templateDataOf(input), options);
      return { state: "rendered", text: output, isNondeterministic: this.#nondeterministicCalls > before };
    } catch (error) {
      return { state: "failed", problem: problemOf(at, error) };
    }
  }

  #execute(text: string, data: () => GoValue, options: EventRenderOptions): string {
    try {
      return this.#executeOnce(text, data(), "error", options);
    } catch (error) {
      if (options.lenient !== true || !(error instanceof ExecError)) throw error;
      const output = this.#executeOnce(text, data(), "default", options);
      if (output.includes("<no value>")) throw error;
      return output;
    }
  }

  #executeOnce(text: string, data: GoValue, missingKey: "error" | "default", { repeatable }: EventRenderOptions): string {
    const engine = repeatable === true ? this.#repeatableEngine : this.#engine;
    const set = engine.set({ missingKey, name: template });
    set.parse(template, text);
    const usedMs = startStopwatch(this.#environment);
    return set.execute(template, data, { limits: { output: maxOutputBytes, outOfTime: () => usedMs() > timeLimitMs } });
  }

  #countingEnvironment(): Environment {
    return {
      ...this.#environment,
      now: () => {
        this.#nondeterministicCalls++;
        return this.#environment.now();
      },
      randomBytes: (count) => {
        this.#nondeterministicCalls++;
        return this.#environment.randomBytes(count);
      },
    };
  }
}

/** Whether a text has nothing to render. */
export function isPlain(text: string): boolean {
  return !text.includes("{{");
}

export function plainText(text: string): Rendered {
  return { state: "rendered", text, isNondeterministic: false };
}

/** For texts that are only parsed. */
const noEnvironment: Environment = { now: () => 0, randomBytes: (count) => new Uint8Array(count) };
let parser: Engine | undefined;

/** Why a text is no template; undefined when it is, or has nothing to render. */
export function templateProblem(at: string, text: string): Problem | undefined {
  if (isPlain(text)) return undefined;
  parser ??= new Engine({ ...templateFunctions(noEnvironment), ...resourceFunctions });
  try {
    parser.set({ missingKey: "error", name: template }).parse(template, text);
    return undefined;
  } catch (error) {
    return problemOf(at, error);
  }
}

/** The functions of event and deploy templates: Sprig, and Helm's functions for YAML, JSON and TOML. */
export function templateFunctions(environment: Environment): FunctionTable {
  const { toToml, fromToml, toYaml, fromYaml, fromYamlArray, toJson, fromJson, fromJsonArray } = helmFunctions(environment);
  const helms = { toToml, fromToml, toYaml, fromYaml, fromYamlArray, toJson, fromJson, fromJsonArray };
  return { ...sprigFunctions(environment), ...present(helms) };
}

function present(functions: Readonly<Record<string, FunctionTable[string] | undefined>>): FunctionTable {
  return Object.fromEntries(Object.entries(functions).flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])));
}

/** The name under which all texts are parsed. Problems replace it with `at`. */
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
