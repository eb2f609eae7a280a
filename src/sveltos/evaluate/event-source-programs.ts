import type { EventSource } from "../api/index.ts";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { compileAggregation, type Aggregation, type AggregationResult } from "./aggregation.ts";
import type { MatchResult } from "./evaluation-result.ts";
import { compileSelector, hasPrograms, type SelectorMatcher } from "./selector-matcher.ts";

/** What programs are compiled from. */
export type ProgramSource = Pick<EventSource, "selectors" | "aggregatedSelection"> & {
  readonly metadata: Pick<EventSource["metadata"], "name">;
};

/** The compiled programs of an EventSource: the scripts and CEL rules of its selectors, and the aggregating script. */
export class EventSourcePrograms {
  /** Why selectors do not compile. */
  readonly broken: readonly string[];
  readonly #matchers: ReadonlyMap<string, readonly SelectorMatcher[]>;
  readonly #aggregation: Aggregation;

  constructor({ metadata: { name }, selectors, aggregatedSelection }: ProgramSource, environment: ScriptEnvironment = {}) {
    const compiled = selectors.map((selector, index) => ({
      kind: kindKey(selector),
      matcher: compileSelector(selector, selectors.length === 1 ? name : `${name}[${index}]`, environment),
    }));
    this.broken = compiled.flatMap(({ matcher }) => matcher.broken ?? []);
    this.#matchers = new Map(
      [...Map.groupBy(compiled, ({ kind }) => kind)].map(([kind, some]) => [kind, some.map(({ matcher }) => matcher)]),
    );
    this.#aggregation = compileAggregation(aggregatedSelection, `${name}.aggregatedSelection`, environment);
  }

  /** The results of the selectors of the object's kind, in the order of the EventSource. */
  match(object: KubeObject): readonly MatchResult[] {
    return (this.#matchers.get(`${object.apiVersion}/${object.kind}`) ?? []).map(({ match }) => match(object));
  }

  aggregate(objects: readonly KubeObject[]): AggregationResult {
    return this.#aggregation(objects);
  }
}

/** Whether an EventSource has programs at all. Without any, labels and names decide. */
export function needsPrograms({ selectors, aggregatedSelection }: ProgramSource): boolean {
  return selectors.some(hasPrograms) || aggregatedSelection.trim() !== "";
}

/** A kind as a key: `v1/Service`. */
export function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}
