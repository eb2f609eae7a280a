import { Fault } from "../../src/core/fault/index.ts";
import { isFields, stringAt, valueAt } from "../../src/core/object/index.ts";
import { readBody, readJsonLines, requestWithRetry, type ConformanceTarget } from "./conformance-target.ts";

export type RawWatchEvent = { readonly type: string; readonly object: unknown };

/** An open watch that buffers its events until they are taken. */
export class BufferedWatch {
  readonly #events: RawWatchEvent[] = [];
  #ended: unknown;
  #taken = 0;
  #wake: () => void = () => {};

  constructor(lines: AsyncIterable<unknown>) {
    void this.#collect(lines);
  }

  /** Takes the events up to and including the first that `isLast` holds for, or all of them when the stream ends first. */
  async take(isLast: (event: RawWatchEvent, index: number) => boolean): Promise<RawWatchEvent[]> {
    for (let index = this.#taken; ; index++) {
      while (index >= this.#events.length && this.#ended === undefined) await this.#more();
      const event = this.#events[index];
      if (event === undefined) return this.#upTo(index);
      if (isLast(event, index - this.#taken)) return this.#upTo(index + 1);
    }
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  #upTo(end: number): RawWatchEvent[] {
    const events = this.#events.slice(this.#taken, end);
    this.#taken = end;
    return events;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  async #collect(lines: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const line of lines) {
        if (isFields(line) && !isMereBookmark(line)) this.#events.push({ type: String(line["type"]), object: line["object"] });
        this.#wake();
      }
      this.#ended = true;
    } catch (error) {
      this.#ended = error; // the case has ended or the connection is broken: no event follows in either case
    }
    this.#wake();
  }
}

/** Bookmarks arrive at any time, except for the one that ends the initial events. */
function isMereBookmark(line: unknown): boolean {
  const annotations = valueAt(line, "object.metadata.annotations");
  return stringAt(line, "type") === "BOOKMARK" && !(isFields(annotations) && "k8s.io/initial-events-end" in annotations);
}

/** Lists a collection and watches it until `enough` holds. Returns its objects at that time by name. */
export async function listAndWatchUntil(
  target: ConformanceTarget,
  path: string,
  enough: (objects: ReadonlyMap<string, unknown>) => boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const separator = path.includes("?") ? "&" : "?";
  for (;;) {
    const list = await listCollection(target, path, signal);
    const objects = new Map(itemsOf(list).map((item) => [stringAt(item, "metadata.name", ""), item]));
    if (enough(objects)) return objects;
    const version = stringAt(list, "metadata.resourceVersion", "");
    const watch = new AbortController();
    const ended = AbortSignal.any([signal, watch.signal]);
    const { body } = await requestWithRetry(target, {
      method: "GET",
      path: `${path}${separator}watch=true&resourceVersion=${version}`,
      headers: { accept: "application/json" },
      signal: ended,
    });
    try {
      for await (const event of readJsonLines(body)) {
        if (stringAt(event, "type") === "ERROR") break;
        const object = valueAt(event, "object");
        const name = stringAt(object, "metadata.name", "");
        if (stringAt(event, "type") === "DELETED") objects.delete(name);
        else objects.set(name, withKind(list, object));
        if (enough(objects)) return objects;
      }
    } finally {
      watch.abort();
    }
    signal.throwIfAborted();
  }
}

async function listCollection(target: ConformanceTarget, path: string, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await requestWithRetry(target, { method: "GET", path, headers: { accept: "application/json" }, signal });
  const content = await readBody(body);
  if (status !== 200) throw new Fault(`list ${path}`, `${status} ${stringAt(content, "message", String(content))}`);
  return content;
}

/** Items of a list have no kind and version, and objects of events do. Both are compared as complete objects. */
function itemsOf(list: unknown): unknown[] {
  const items = valueAt(list, "items");
  return Array.isArray(items) ? items.map((item) => withKind(list, item)) : [];
}

function withKind(list: unknown, item: unknown): unknown {
  if (!isFields(item)) return item;
  return { apiVersion: stringAt(list, "apiVersion", ""), kind: stringAt(list, "kind", "").replace(/List$/, ""), ...item };
}
