import type { Fault } from "../../core/fault/index.ts";

type QueryLimits = {
  /** How often the work runs at most. */
  readonly maxRounds: number;
  /** The fault of work that asks something new in each round. */
  readonly tooMany: () => Fault;
  /** How many queries are asked at once. Default: all. */
  readonly atOnce?: number;
};

/**
 * Runs work whose queries are answered asynchronously: an unanswered one counts as undefined, is asked afterwards, and
 * the work runs again until every query was answered. An error of the work counts only then.
 */
export async function resolveQueries<Query, Answer, Result>(
  ask: (query: Query) => Promise<Answer>,
  work: (answerTo: (query: Query) => Answer | undefined) => Result | Promise<Result>,
  { maxRounds, tooMany, atOnce = Infinity }: QueryLimits,
): Promise<Result> {
  const answers = new Map<string, Answer>();
  for (let round = 0; round < maxRounds; round++) {
    const open = new Map<string, Query>();
    const answerTo = (query: Query) => {
      const key = JSON.stringify(query);
      if (!answers.has(key)) open.set(key, query);
      return answers.get(key);
    };
    const attempt = await tried(() => work(answerTo));
    if (open.size === 0) return attempt();
    const queries = [...open];
    while (queries.length > 0) await Promise.all(queries.splice(0, atOnce).map(async ([key, query]) => answers.set(key, await ask(query))));
  }
  throw tooMany();
}

async function tried<Result>(work: () => Result | Promise<Result>): Promise<() => Result> {
  try {
    const result = await work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
