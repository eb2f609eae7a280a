import { Fault } from "../../core/fault/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { Lookup } from "./functions/lookup.ts";

/** A `lookup` of a template. An empty name asks for a list. */
export type LookupQuery = { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string };

/** Most lookups lead to no further ones; a chart that never stops is refused. */
const maxRounds = 20;

/**
 * Runs synchronous work that needs asynchronous lookups: unknown objects count as missing, are fetched afterwards, and
 * the work runs again until nothing was missing. A GoError answer is thrown where the lookup was made.
 */
export async function resolveLookups<Result>(
  ask: (question: LookupQuery) => Promise<unknown>,
  work: (lookup: Lookup) => Result,
): Promise<Result> {
  const answers = new Map<string, unknown>();
  for (let round = 0; round < maxRounds; round++) {
    const open = new Map<string, LookupQuery>();
    const lookup: Lookup = (apiVersion, kind, namespace, name) => {
      const question = { apiVersion, kind, namespace, name };
      const key = JSON.stringify(question);
      if (!answers.has(key)) open.set(key, question);
      const answer = answers.get(key);
      if (answer instanceof GoError) throw answer;
      return answer;
    };
    const attempt = tried(() => work(lookup));
    if (open.size === 0) return attempt();
    await Promise.all([...open].map(async ([key, question]) => answers.set(key, await ask(question))));
  }
  throw new Fault("render the chart", `its templates look up new objects each time, more than ${maxRounds} times over`, { final: true });
}

/** An error counts only when no lookup was unanswered. */
function tried<Result>(work: () => Result): () => Result {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
