import type { RemoteSchemas, SchemaLoader } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { resolveQueries } from "./resolve-queries.ts";

/** How long a chain of references may be. */
const maxRounds = 100;
const atOnce = 8;

/**
 * Runs work that validates values by schemas that refer to others over HTTP: those are fetched, and the work runs again
 * until all are there. Templates are not executed before. Without a loader every such reference is refused.
 */
export async function resolveSchemas<Result>(
  load: SchemaLoader | undefined,
  work: (options: { readonly remoteSchemas?: RemoteSchemas }) => Result | Promise<Result>,
): Promise<Result> {
  if (load === undefined) return work({});
  let isTransient = false;
  const ask = async (url: string) => {
    const found = await load(url);
    isTransient ||= "problem" in found && found.isTransient;
    return found;
  };
  try {
    return await resolveQueries(ask, (remoteSchemas) => work({ remoteSchemas }), { maxRounds, atOnce, tooMany });
  } catch (error) {
    // Bad values stay bad, but a schema that could not be fetched may be there the next time.
    throw isTransient && error instanceof Fault ? new Fault(error.message, undefined, { final: false }) : error;
  }
}

function tooMany(): Fault {
  return new Fault("validate the values", `the chart's schemas refer to one another more than ${maxRounds} deep`, { final: true });
}
