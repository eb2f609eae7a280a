/** Groups the items of a source into batches: all that are available at one time. Does not wait for a batch to fill. */
export async function* inBatches<T>(source: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  const items = source[Symbol.asyncIterator]();
  let batch: T[] = [];
  let next = items.next();
  try {
    for (;;) {
      const found = await Promise.race([next, nothingYet]);
      if (found !== undefined) {
        if (found.done === true) break;
        batch.push(found.value);
        next = items.next();
      } else if (batch.length > 0) {
        const all = batch;
        batch = [];
        yield all;
      } else await next;
    }
    if (batch.length > 0) yield batch;
  } finally {
    next.catch(() => undefined); // the reader has either got this error or has stopped
    await items.return?.();
  }
}

/** Loses a race against every promise that is resolved already. */
const nothingYet = Promise.resolve(undefined);
