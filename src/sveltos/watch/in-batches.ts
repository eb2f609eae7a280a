/** Hands on what a source tells, all that is there at one time together. The first of it waits for nothing but what is there already. */
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
    next.catch(() => undefined); // whoever reads on learns of it; who has left does not want to
    await items.return?.();
  }
}

/** Loses against every promise that has its value already. */
const nothingYet = Promise.resolve(undefined);
