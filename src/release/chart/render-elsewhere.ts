import type { RemoteSchema, SchemaLoader } from "../../chart/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { GoError } from "../../lang/template/index.ts";
import type { Release } from "../record/index.ts";
import { resolveLookups, resolveSchemas, type LookupQuery } from "../render/index.ts";
import type { ChartAttempt, ChartReply, LookupAnswer } from "./chart-renderer.ts";
import { lookUp } from "./lookup.ts";
import { readRenderFacts } from "./render-facts.ts";
import type { RenderedRelease } from "./rendered-release.ts";
import { receivedRelease, type SentRelease } from "./sent-release.ts";

type ElsewhereOptions = {
  readonly signal: AbortSignal;
  /** Loads the schemas that others refer to over HTTP. Undefined: such references are refused. */
  readonly loadSchema: SchemaLoader | undefined;
  /** Has a `ChartRenderer` in another process make an attempt. */
  readonly run: (attempt: Pick<ChartAttempt, "facts" | "lookups" | "schemas">) => Promise<ChartReply>;
};

/**
 * Renders a chart for a release of a cluster in another process, which has neither cluster nor network: it says what it lacks,
 * this process reads that, and the rendering is done again. Changes nothing.
 */
export async function renderElsewhere(
  release: Release,
  cluster: Cluster,
  { signal, loadSchema, run }: ElsewhereOptions,
): Promise<RenderedRelease> {
  const facts = await readRenderFacts(release, cluster, { signal });
  const lookups: (readonly [LookupQuery, LookupAnswer])[] = [];
  const schemas: (readonly [string, RemoteSchema])[] = [];
  const ask = async (query: LookupQuery) => {
    const found = await lookUp(query, cluster, { signal });
    lookups.push([query, found instanceof GoError ? { problem: found.message } : { found }]);
  };
  const load = async (url: string) => {
    const found = await loadSchema!(url);
    schemas.push([url, found]);
    return found;
  };
  const sent = await resolveSchemas(loadSchema === undefined ? undefined : load, ({ remoteSchemas }) =>
    resolveLookups(ask, async (lookup): Promise<SentRelease | undefined> => {
      const reply = await run({ facts, lookups, schemas: loadSchema === undefined ? undefined : schemas });
      if ("release" in reply) return reply.release;
      // To ask is to say that an answer is missing.
      for (const url of reply.open.schemas) remoteSchemas?.(url);
      for (const { apiVersion, kind, namespace, name } of reply.open.lookups) lookup(apiVersion, kind, namespace, name);
      return undefined;
    }),
  );
  if (sent === undefined) throw new TypeError("a chart was neither rendered nor was anything missing for it");
  return receivedRelease(sent);
}
