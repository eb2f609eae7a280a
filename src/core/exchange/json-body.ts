import type { Body, Chunk } from "./index.ts";

const jsonValue = Symbol("jsonValue");

/**
 * A complete body that is JSON, for callers in this process: they take the value, which nobody changes. Its text is written when
 * somebody reads the chunk.
 */
export function jsonBody(value: object, write: () => string): readonly Chunk[] {
  let text: string | undefined;
  const body: Chunk[] = [];
  Object.defineProperty(body, 0, { enumerable: true, get: () => (text ??= write()) });
  return Object.assign(body, { [jsonValue]: value });
}

/** The value of a body that was made of one. Undefined: it has to be parsed. */
export function jsonValueOf(body: Body): object | undefined {
  return jsonValue in body ? (body[jsonValue] as object) : undefined;
}

/** The key of the values of a body, see {@link JsonLines}. */
export const jsonItems = Symbol("jsonItems");

/** A body whose lines are JSON and come one after the other. A caller in this process takes their values, as they arrive. */
export type JsonLines = AsyncIterable<Chunk> & { [jsonItems](): AsyncIterable<readonly object[]> };

/** The values of the lines of a body. Undefined: they have to be parsed. */
export function jsonItemsOf(body: Body): AsyncIterable<readonly object[]> | undefined {
  return jsonItems in body ? (body as JsonLines)[jsonItems]() : undefined;
}
