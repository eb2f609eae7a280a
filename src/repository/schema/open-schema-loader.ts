import type { RemoteSchema, SchemaLoader } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { redactedUrl } from "../../http/index.ts";
import { sha256 } from "../digest.ts";
import { SchemaRefusal, SchemaStatusFault } from "./schema-fault.ts";
import type { FetchSchemaOptions, SchemaFetcher } from "./schema-fetcher.ts";

/** How much one rendering may fetch: more than any known chart needs. */
const limits = { schemas: 500, characters: 2 ** 25, ms: 60_000 };

type SchemaLoaderOptions = FetchSchemaOptions & {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How the validation is skipped, for the message of a schema that cannot be had. */
  readonly skipAdvice: string;
};

/** Loads the schemas of one rendering. All limits are for it as a whole. */
export function openSchemaLoader(fetcher: SchemaFetcher, { now, skipAdvice, ...options }: SchemaLoaderOptions): SchemaLoader {
  const startedAt = now();
  let schemas = 0;
  let characters = 0;
  const load = async (url: string): Promise<RemoteSchema> => {
    if (++schemas > limits.schemas) throw new SchemaRefusal(`the chart refers to more than ${limits.schemas} schemas`);
    if (now() - startedAt > limits.ms) throw new Fault(`the schemas of the chart have not all come within ${limits.ms / 1000} s`);
    const { text } = await fetcher.fetch(url, options);
    characters += text.length;
    if (characters > limits.characters)
      throw new SchemaRefusal(`the schemas of the chart are longer than ${limits.characters / 2 ** 20} MiB together`);
    return { text, digest: sha256(text) };
  };
  return (url) => load(url).catch((error: unknown) => problemOf(url, error, options.signal, skipAdvice));
}

function problemOf(url: string, error: unknown, signal: AbortSignal, skipAdvice: string): RemoteSchema {
  if (signal.aborted || !(error instanceof Fault)) throw error;
  const problem =
    error instanceof SchemaStatusFault
      ? error.message
      : `HTTP request failed for ${redactedUrl(url)}: ${error.message}; to do without it, ${skipAdvice}`;
  // Whatever a server does may be mended there, whether or not its fault is final.
  return { problem, isTransient: !(error instanceof SchemaRefusal) };
}
