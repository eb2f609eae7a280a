import { deserialize, serialize } from "node:v8";
import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Environment } from "../../../src/lang/sprig/index.ts";
import { openTaskHandlers } from "../../../src/sveltos/deploy/index.ts";
import { serveTasks, WorkerPool, type WorkerProcess } from "../../../src/worker/index.ts";

const noLimits = { memoryBytes: Infinity, cpuMs: Infinity, idleMs: Infinity };

/** A pool whose workers are in this process, and whose messages are what a channel between processes makes of them. */
export function channelTasks(environment: Environment): WorkerPool {
  return new WorkerPool(() => workerHere(environment), new VirtualClock(), noLimits, 2);
}

function workerHere(environment: Environment): WorkerProcess {
  let take: Parameters<Parameters<typeof serveTasks>[1]["onRequest"]>[0] | undefined;
  let answer: Parameters<WorkerProcess["onReply"]>[0] | undefined;
  const handlers = openTaskHandlers(environment);
  serveTasks(handlers, { onRequest: (listener) => void (take = listener), reply: (reply) => answer?.(deserialize(serialize(reply))) });
  return {
    whenReady: (listener) => listener(),
    send: (request) => take?.(deserialize(serialize(request))),
    onReply: (listener) => void (answer = listener),
    onExit: () => undefined,
    usage: () => undefined,
    kill: () => undefined,
  };
}
