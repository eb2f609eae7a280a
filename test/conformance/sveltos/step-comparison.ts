import { differencesBetween, type StateDifference } from "./state-difference.ts";
import { comparableState } from "./comparable-state.ts";
import type { ScenarioStepResult } from "./run-recorded-scenario.ts";
import { NameMapping } from "./name-mapping.ts";
import type { DifferenceRule, StepStates } from "./difference-rule.ts";
import type { FleetState } from "./recorded-scenario.ts";

export type StepComparison = {
  readonly scenario: string;
  readonly step: number;
  /** Differences without a rule. */
  readonly unexplained: readonly StateDifference[];
  /** The other differences, each with its rule. */
  readonly explained: readonly { readonly difference: StateDifference; readonly rule: DifferenceRule }[];
};

/** Compares the steps of one scenario with the record, in their order. */
export class StepComparer {
  readonly #rules: readonly DifferenceRule[];
  readonly #renaming = new NameMapping();
  #before: FleetState = {};

  constructor(rules: readonly DifferenceRule[]) {
    this.#rules = rules;
  }

  compare(scenario: string, { step, state, answers }: ScenarioStepResult): StepComparison {
    const recorded = comparableState(step.after ?? {});
    const got = this.#renaming.rename(recorded, state);
    const states: StepStates = { recorded, got, before: this.#before };
    this.#before = got;
    const explained: { difference: StateDifference; rule: DifferenceRule }[] = [];
    const unexplained: StateDifference[] = [];
    for (const difference of [...answers, ...differencesBetween(recorded, got)]) {
      const rule = this.#rules.find((each) => each.covers(difference, states));
      if (rule === undefined) unexplained.push(difference);
      else explained.push({ difference, rule });
    }
    return { scenario, step: step.number, unexplained, explained };
  }
}
