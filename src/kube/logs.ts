import { piecesOf } from "./body.ts";
import { named, type Caller } from "./call.ts";
import { Lines } from "./lines.ts";
import { withQuery } from "./resource.ts";
import type { Abortable } from "./selection.ts";

export type LogOptions = Abortable & {
  /** Default: the only one. */
  readonly container?: string;
  /** Go on as more is written. Default false. */
  readonly follow?: boolean;
  /** Of the container that ran before this one. Default false. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
  readonly timestamps?: boolean;
};

/** The log of a pod, line by line. */
export async function* readLogs(caller: Caller, namespace: string, pod: string, options: LogOptions): AsyncGenerator<string> {
  const { signal, ...query } = options;
  const doing = `read the log of pod ${namespace}/${pod}${query.container === undefined ? "" : `, container ${query.container}`}`;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  const answer = await caller.open({ doing, method: "GET", path: withQuery(path, query), headers: { accept: "*/*" }, signal });
  const lines = new Lines();
  try {
    for await (const piece of piecesOf(answer.body)) yield* lines.push(piece);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw named(doing, error);
  }
  const last = lines.end();
  if (last !== "") yield last;
}
