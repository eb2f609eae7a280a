import { Fault } from "./fault.ts";

/** One problem of an input: where it is (`web.yaml:12`), and what was found, expected and to be done. */
export type Problem = { readonly at: string; readonly message: string };

/** `web.yaml:12: what is wrong`. */
export function lineFor(problem: Problem): string {
  return problem.at === "" ? problem.message : `${problem.at}: ${problem.message}`;
}

const withLine = /^(.*):(\d+)$/s;

/** Sorts problems by file in order of first mention, then by line. */
export function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  const byFile = Map.groupBy(problems, ({ at }) => withLine.exec(at)?.[1] ?? at);
  return [...byFile.values()].flatMap((list) => list.toSorted((a, b) => lineOf(a) - lineOf(b)));
}

function lineOf({ at }: Problem): number {
  return Number(withLine.exec(at)?.[2] ?? 0);
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
