import { jsonItemsOf } from "../core/exchange/index.ts";
import { Fault } from "../core/fault/index.ts";
import { isFields, type KubeObject } from "../core/object/index.ts";
import { AnswerTooLargeFault, maxEventBytes, sizeText } from "./answer-limit.ts";
import { apiFaultInStream } from "./api-fault.ts";
import { bodyChunks } from "./body.ts";
import { prefixFault, type RestClient } from "./rest-client.ts";
import { readJson } from "./json.ts";
import { LineSplitter } from "./line-splitter.ts";
import { groupResourceOf, pathOf, withQuery, type Resource } from "./resource.ts";
import { namespaceSuffix, type Abortable, type Selection } from "./selection.ts";

/** `BOOKMARK` carries only a newer resourceVersion. */
export type WatchEvent = { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: KubeObject };

export type WatchOptions = Selection &
  Abortable & {
    /** Start after this resourceVersion. Without it, all existing objects come first, as ADDED. */
    readonly resourceVersion?: string;
    /** How long the server keeps the stream open. Default: the server decides. */
    readonly timeoutSeconds?: number;
  };

/** An accepted watch. Events come in batches, as they arrive. */
export type WatchStream = AsyncIterable<readonly WatchEvent[]>;

/** Opens one stream of events, until the server ends it. An error in the stream is thrown as an ApiFault. */
export async function openWatch(client: RestClient, resource: Resource, options: WatchOptions): Promise<WatchStream> {
  const { namespace = "", labelSelector, fieldSelector, resourceVersion, timeoutSeconds, signal } = options;
  const query = { watch: true, allowWatchBookmarks: true, labelSelector, fieldSelector, resourceVersion, timeoutSeconds };
  const doing = `watch ${groupResourceOf(resource)}${namespaceSuffix(namespace)}`;
  const answer = await client.open({ doing, method: "GET", path: withQuery(pathOf(resource, namespace), query), signal });
  const values = jsonItemsOf(answer.body);
  return values === undefined ? eventsIn(doing, bodyChunks(answer.body), signal) : eventsOfValues(doing, values, signal);
}

/** The events of a server in this process, which are parsed already. */
async function* eventsOfValues(doing: string, batches: AsyncIterable<readonly object[]>, signal: AbortSignal | undefined) {
  try {
    for await (const batch of batches) yield* eventsOf(doing, batch, checkedEvent);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw prefixFault(doing, error);
  }
}

async function* eventsIn(doing: string, chunks: AsyncIterable<string | Uint8Array>, signal: AbortSignal | undefined) {
  const lines = new LineSplitter(maxEventBytes);
  try {
    for await (const chunk of chunks) {
      const complete = lines.push(chunk);
      if (lines.unfinishedLength > maxEventBytes)
        throw new AnswerTooLargeFault(`an event is longer than ${sizeText(maxEventBytes)}, which is the most that is read`);
      if (complete.length > 0) yield* eventsOf(doing, complete, eventInLine);
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw prefixFault(doing, error);
  }
  const last = lines.end();
  if (last.trim() !== "") yield* eventsOf(doing, [last], eventInLine);
}

/** Events before a broken or an ERROR line are yielded before the fault is thrown. */
function* eventsOf<Line>(
  doing: string,
  lines: readonly Line[],
  eventOf: (doing: string, line: Line) => WatchEvent | undefined,
): Generator<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  let broken: unknown;
  for (const line of lines) {
    try {
      const event = eventOf(doing, line);
      if (event !== undefined) events.push(event);
    } catch (error) {
      broken = error;
      break;
    }
  }
  if (events.length > 0) yield events;
  if (broken !== undefined) throw broken;
}

function eventInLine(doing: string, line: string): WatchEvent | undefined {
  if (line === "") return undefined;
  let event: unknown;
  try {
    event = readJson(line);
  } catch (cause) {
    throw new Fault(`${doing}: the stream broke off inside an event`, cause);
  }
  return checkedEvent(doing, event);
}

function checkedEvent(doing: string, event: unknown): WatchEvent {
  if (isWatchEvent(event)) return event;
  if (isFields(event) && event["type"] === "ERROR") throw apiFaultInStream(doing, event["object"]);
  throw new Fault(`${doing}: the stream brought something that is no event: ${JSON.stringify(event).slice(0, 80)}`);
}

function isWatchEvent(event: unknown): event is WatchEvent {
  if (!isFields(event) || !isFields(event["object"]) || !isFields(event["object"]["metadata"])) return false;
  const { type } = event;
  return type === "MODIFIED" || type === "ADDED" || type === "DELETED" || type === "BOOKMARK";
}
