import assert from "node:assert/strict";
import { test } from "node:test";
import { serialize } from "node:v8";
import { packed } from "./parcel.ts";
import { serveTasks } from "./serve-tasks.ts";
import type { TaskReply, TaskRequest } from "./task.ts";

test("a result that cannot be sent fails its task, and the next one is answered", async () => {
  let take: ((request: TaskRequest) => void) | undefined;
  const replies: TaskReply[] = [];
  const handlers = {
    deep: () => Array.from({ length: 100_000 }).reduce<object>((inner) => ({ a: inner }), {}),
    large: () => "x".repeat(65 * 2 ** 20),
    fine: () => Promise.resolve("fine"),
  };
  serveTasks(handlers, {
    onRequest: (listener) => void (take = listener),
    reply: (reply) => {
      serialize(reply);
      replies.push(reply);
    },
  });
  for (const [id, handler] of Object.keys(handlers).entries()) take?.({ id, handler, input: packed(undefined) });
  await new Promise<void>((resolve) => void setImmediate(resolve));
  assert.deepEqual(
    replies.toSorted((one, other) => one.id - other.id),
    [
      { id: 0, fault: { message: "return the result: Maximum call stack size exceeded", final: true } },
      { id: 1, fault: { message: "return the result: it is larger than 64 MiB", final: true } },
      { id: 2, output: packed("fine") },
    ],
  );
});
