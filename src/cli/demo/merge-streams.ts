/** What several sources tell, as it comes; of those that have something at the same time, in their order. */
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
    // One that is waiting ends when whatever it waits for does.
    for (const [iterator, next] of pending) {
      next.catch(() => undefined);
      void iterator.return?.();
    }
  }
}

async function nextOf<T>(iterator: AsyncIterator<T>) {
  return { iterator, result: await iterator.next() };
}
