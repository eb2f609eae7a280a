/** Merges several streams in order of arrival. Values that are ready at the same time come in the order of their streams. */
export async function* mergeStreams<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const pending = new Map(sources.map((source) => source[Symbol.asyncIterator]()).map((iterator) => [iterator, nextOf(iterator)]));
  try {
    while (pending.size > 0) {
      const { iterator, result } = await Promise.race(pending.values());
      if (result.done === true) {
        pending.delete(iterator);
        continue;
      }
      pending.set(iterator, nextOf(iterator));
      yield result.value;
    }
  } finally {
    // A generator that is waiting returns only when its own wait ends, so nothing waits for it here.
    for (const [iterator, next] of pending) {
      next.catch(() => undefined);
      void iterator.return?.();
    }
  }
}

async function nextOf<T>(iterator: AsyncIterator<T>) {
  return { iterator, result: await iterator.next() };
}
