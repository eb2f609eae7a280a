import { differencesBetween, type Difference } from "./difference.ts";
import { plainState } from "./plain.ts";
import type { Played } from "./play.ts";
import { Renaming } from "./renaming.ts";
import type { Rule, Situation } from "./rule.ts";
import type { State } from "./scenario.ts";

export type Judgement = {
  readonly scenario: string;
  readonly step: number;
  /** What differs and falls under no rule. */
  readonly unexplained: readonly Difference[];
  /** The rule that each of the other differences falls under. */
  readonly explained: readonly { readonly difference: Difference; readonly rule: Rule }[];
};

/** Compares the steps of one scenario, in their order, with what was recorded. */
export class Judge {
  readonly #rules: readonly Rule[];
  readonly #renaming = new Renaming();
  #before: State = {};

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  judge(scenario: string, { step, state, answers }: Played): Judgement {
    const recorded = plainState(step.after ?? {});
    const got = this.#renaming.rename(recorded, state);
    const situation: Situation = { recorded, got, before: this.#before };
    this.#before = got;
    const explained: { difference: Difference; rule: Rule }[] = [];
    const unexplained: Difference[] = [];
    for (const difference of [...answers, ...differencesBetween(recorded, got)]) {
      const rule = this.#rules.find((each) => each.covers(difference, situation));
      if (rule === undefined) unexplained.push(difference);
      else explained.push({ difference, rule });
    }
    return { scenario, step: step.number, unexplained, explained };
  }
}
