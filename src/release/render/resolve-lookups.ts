import { Fault } from "../../core/fault/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { Lookup } from "./functions/lookup.ts";
import { resolveQueries } from "./resolve-queries.ts";

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
  return resolveQueries(
    ask,
    (answerTo) =>
      work((apiVersion, kind, namespace, name) => {
        const answer = answerTo({ apiVersion, kind, namespace, name });
        if (answer instanceof GoError) throw answer;
        return answer;
      }),
    { maxRounds, tooMany },
  );
}

function tooMany(): Fault {
  return new Fault("render the chart", `its templates look up new objects each time, more than ${maxRounds} times over`, { final: true });
}
