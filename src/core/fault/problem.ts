import { Fault } from "./fault.ts";

/** One problem of an input: where it is (`web.yaml:12`), and what was found, expected and to be done. */
export type Problem = { readonly at: string; readonly message: string };

/** `web.yaml:12: what is wrong`. */
export function lineFor(problem: Problem): string {
  return problem.at === "" ? problem.message : `${problem.at}: ${problem.message}`;
}

/** Input that is refused before anything is changed, with all its problems. */
export class BadInput extends Fault {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(lineFor).join("\n"), undefined, { final: true });
    this.name = "BadInput";
    this.problems = problems;
  }
}
