import { createHash } from "node:crypto";
import { loadArchive, type Chart, type RemoteSchema, type Reuse } from "../../chart/index.ts";
import { LruCache } from "../../core/cache/index.ts";
import { Fault, lineFor } from "../../core/fault/index.ts";
import { startStopwatch, type Environment } from "../../lang/sprig/index.ts";
import { Engine, GoError, type GoMap } from "../../lang/template/index.ts";
import {
  applyPostRender,
  helmFunctions,
  renderFiles,
  sortRendering,
  type Lookup,
  type LookupQuery,
  type PostRender,
} from "../render/index.ts";
import type { RenderFacts } from "./render-facts.ts";
import { throwObjection, valuesFor } from "./render-release.ts";
import { renderedReleaseOf } from "./rendered-release.ts";
import { sentReleaseOf, type SentRelease } from "./sent-release.ts";

/** A packed chart. `title` says what its errors begin with. */
export type ChartArchive = { readonly archive: Uint8Array; readonly title: string };

/** The answer to a `lookup`. */
export type LookupAnswer = { readonly found: unknown } | { readonly problem: string };

/** One rendering of a chart with the answers that are known. Data that can be cloned. */
export type ChartAttempt = {
  readonly chart: ChartArchive;
  readonly reuse: Reuse;
  readonly subchartNotes: boolean;
  readonly skipSchema: boolean;
  readonly facts: RenderFacts;
  readonly lookups: readonly (readonly [LookupQuery, LookupAnswer])[];
  /** The schemas that others refer to, by URL. Undefined: such references are refused. */
  readonly schemas: readonly (readonly [string, RemoteSchema])[] | undefined;
};

/** What an attempt has asked and has no answer for. */
type ChartQuestions = { readonly lookups: readonly LookupQuery[]; readonly schemas: readonly string[] };

export type ChartReply =
  | { readonly release: SentRelease; readonly warnings: readonly string[] }
  | { readonly open: ChartQuestions; readonly warnings: readonly string[] };

type Loaded = { readonly chart: Chart; readonly warnings: readonly string[]; readonly bytes: number };

/** How much of charts is kept, and of their compiled templates: together with what one rendering needs they stay in the worker. */
const maxCachedBytes = 2 ** 25;
/** The longest output of one template. */
const maxOutput = 64 * 2 ** 20;

type AttemptOptions = {
  readonly values: () => GoMap;
  readonly postRender: PostRender | undefined;
  /** How long the templates may run, in milliseconds. */
  readonly maxMs: number;
};

/** Renders charts in a process of its own, with the answers that it is given. Keeps loaded charts and compiled templates. */
export class ChartRenderer {
  readonly #environment: Environment;
  readonly #engine: Engine;
  readonly #charts = new LruCache<string, Loaded>({ maxWeight: maxCachedBytes, weightOf: (_, { bytes }) => bytes });
  #lookup: Lookup = () => undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    const functions = helmFunctions(environment, { lookup: (...question) => this.#lookup(...question) });
    this.#engine = new Engine(functions, { maxCachedBytes });
  }

  /** Renders once. What fails while a question is open counts only when that has its answer. */
  async attempt(attempt: ChartAttempt, { values, postRender, maxMs }: AttemptOptions): Promise<ChartReply> {
    const { chart: loaded, warnings } = this.#load(attempt.chart);
    throwObjection(loaded);
    const { chart, values: merged } = valuesFor({ chart: loaded, values: values(), reuse: attempt.reuse, warn: ignore }, attempt.facts);
    const lookups = new Answers(attempt.lookups);
    const schemas = new Answers(attempt.schemas ?? []);
    const open = () => ({ lookups: lookups.open(), schemas: schemas.open() });
    const usedMs = startStopwatch(this.#environment);
    this.#lookup = (apiVersion, kind, namespace, name) => foundBy(lookups.to({ apiVersion, kind, namespace, name }));
    try {
      const rendered = renderFiles(chart, merged, {
        ...attempt.facts,
        subchartNotes: attempt.subchartNotes,
        skipSchema: attempt.skipSchema,
        engine: this.#engine,
        limits: { outOfTime: () => usedMs() > maxMs, output: maxOutput },
        ...(attempt.schemas === undefined ? {} : { remoteSchemas: (url) => schemas.to(url) }),
      });
      if (lookups.areOpen() || schemas.areOpen()) return { open: open(), warnings };
      const files = postRender === undefined ? rendered.files : await applyPostRender(rendered.files, postRender);
      const rendering = sortRendering({ ...rendered, files });
      const release = sentReleaseOf(renderedReleaseOf(rendering, merged));
      return { release, warnings: [...warnings, ...rendering.leftOut.map(lineFor)] };
    } catch (error) {
      if (lookups.areOpen() || schemas.areOpen()) return { open: open(), warnings };
      throw error;
    }
  }

  #load({ archive, title }: ChartArchive): Loaded {
    try {
      return this.#charts.getOrCreate(createHash("sha256").update(archive).digest("base64"), () => loaded(archive));
    } catch (error) {
      // A chart of the same version may be pushed again.
      throw new Fault(title, error, { final: false });
    }
  }
}

function loaded(archive: Uint8Array): Loaded {
  const warnings: string[] = [];
  const chart = loadArchive(archive, (warning) => void warnings.push(warning));
  return { chart, warnings, bytes: bytesOf(chart) };
}

/** About what a chart takes in memory: its values are parsed. */
function bytesOf({ raw, dependencies }: Chart): number {
  const own = raw.reduce((sum, { data, name }) => sum + data.length * (name === "values.yaml" ? 20 : 1), 1024);
  return dependencies.reduce((sum, each) => sum + bytesOf(each), own);
}

function ignore(): void {}

function foundBy(answer: LookupAnswer | undefined): unknown {
  if (answer !== undefined && "problem" in answer) throw new GoError(answer.problem);
  return answer?.found;
}

/** Answers by question, and the questions that have none. */
class Answers<Question, Answer> {
  readonly #known: ReadonlyMap<string, Answer>;
  readonly #open = new Map<string, Question>();

  constructor(answers: readonly (readonly [Question, Answer])[]) {
    this.#known = new Map(answers.map(([question, answer]) => [JSON.stringify(question), answer]));
  }

  to(question: Question): Answer | undefined {
    const key = JSON.stringify(question);
    if (!this.#known.has(key)) this.#open.set(key, question);
    return this.#known.get(key);
  }

  areOpen(): boolean {
    return this.#open.size > 0;
  }

  open(): readonly Question[] {
    return [...this.#open.values()];
  }
}
