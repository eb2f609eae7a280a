import { Fault } from "../../core/fault/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { Lookup } from "./functions/lookup.ts";

/** What a template wants to see of a cluster. Without a name it wants all there are. */
export type LookupQuery = { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string };

/** Most questions lead to no further ones; those of a chart that never stops asking are not answered for ever. */
const mostRounds = 20;

/**
 * Does work that looks things up while it cannot wait: what is not known yet counts as not there, is asked for afterwards,
 * and then all is done again. What comes out is what came out once nothing was missing. An answer that is a GoError is
 * thrown where the question was asked.
 */
export async function resolveLookups<Result>(
  ask: (question: LookupQuery) => Promise<unknown>,
  work: (lookup: Lookup) => Result,
): Promise<Result> {
  const answers = new Map<string, unknown>();
  for (let round = 0; round < mostRounds; round++) {
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
  throw new Fault("render the chart", `its templates look up new objects each time, more than ${mostRounds} times over`, { final: true });
}

/** An error may come from what was not known yet: it counts only if nothing was. */
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
