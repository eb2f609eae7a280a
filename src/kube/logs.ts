import { bodyChunks } from "./body.ts";
import { prefixFault, type RestClient } from "./rest-client.ts";
import { LineSplitter } from "./line-splitter.ts";
import { withQuery } from "./resource.ts";
import type { Abortable } from "./selection.ts";

export type LogOptions = Abortable & {
  /** Default: the only container. */
  readonly container?: string;
  /** Keep reading as the log grows. Default false. */
  readonly follow?: boolean;
  /** Read the log of the previous container. Default false. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
  readonly timestamps?: boolean;
  /** Longer lines are cut, and end in how much they had beyond. Default: 16 MiB. */
  readonly maxLineBytes?: number;
  /** Leave out a last line that does not end: a stream may have broken inside it. Default: false. */
  readonly wholeLines?: boolean;
};

/** Reads the log of a pod, line by line. */
export async function* readLogs(client: RestClient, namespace: string, pod: string, options: LogOptions): AsyncGenerator<string> {
  const { signal, maxLineBytes = 2 ** 24, wholeLines = false, ...query } = options;
  const doing = `read the log of pod ${namespace}/${pod}${query.container === undefined ? "" : `, container ${query.container}`}`;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  const answer = await client.open({ doing, method: "GET", path: withQuery(path, query), headers: { accept: "*/*" }, signal });
  const lines = new LineSplitter(maxLineBytes);
  try {
    for await (const chunk of bodyChunks(answer.body)) yield* lines.push(chunk);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw prefixFault(doing, error);
  }
  const last = lines.end();
  if (last !== "" && !wholeLines) yield last;
}
