import assert from "node:assert/strict";
import { test } from "node:test";
import { inBatches } from "./in-batches.ts";

/** A source to which things are added from outside. */
class Pipe implements AsyncIterator<string>, AsyncIterable<string> {
  readonly #ready: string[] = [];
  #waiter: ((result: IteratorResult<string>) => void) | undefined;
  left = false;

  add(...items: readonly string[]): void {
    for (const item of items) {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      if (waiter === undefined) this.#ready.push(item);
      else waiter({ value: item, done: false });
    }
  }

  next(): Promise<IteratorResult<string>> {
    const item = this.#ready.shift();
    if (item === "end") return Promise.resolve({ value: undefined, done: true });
    if (item === "fail") return Promise.reject(new Error("broken"));
    return item === undefined ? new Promise((resolve) => (this.#waiter = resolve)) : Promise.resolve({ value: item, done: false });
  }

  return(): Promise<IteratorResult<string>> {
    this.left = true;
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

test("available items come as one batch, and the last batch comes before the end", async () => {
  const pipe = new Pipe();
  const batches = inBatches(pipe);
  pipe.add("a", "b", "c");
  assert.deepEqual((await batches.next()).value, ["a", "b", "c"]);
  const next = batches.next();
  pipe.add("d");
  assert.deepEqual((await next).value, ["d"]);
  pipe.add("e", "end");
  assert.deepEqual((await batches.next()).value, ["e"]);
  assert.equal((await batches.next()).done, true);
});

test("a reader that stops closes the source, and an error of the source is thrown", async () => {
  const pipe = new Pipe();
  pipe.add("a");
  for await (const _ of inBatches(pipe)) break;
  assert.ok(pipe.left);
  const broken = new Pipe();
  broken.add("fail");
  await assert.rejects(inBatches(broken).next(), { message: "broken" });
});
