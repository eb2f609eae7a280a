import type { Body, Chunk, Handler } from "../core/exchange/index.ts";

/** Answers when everything that the answer may tell of is synced. `sync` returns undefined when it is already. */
export function syncedExchange(exchange: Handler, sync: () => Promise<void> | undefined): Handler {
  return async (request) => {
    const answer = await exchange(request);
    await sync();
    return { ...answer, body: syncedBody(answer.body, sync) };
  };
}

function syncedBody(body: Body, sync: () => Promise<void> | undefined): Body {
  return Symbol.asyncIterator in body ? syncedChunks(body, sync) : body;
}

async function* syncedChunks(chunks: AsyncIterable<Chunk>, sync: () => Promise<void> | undefined): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    await sync();
    yield chunk;
  }
}
