import { randomInt } from "node:crypto";
import { Worker } from "node:worker_threads";
import { openTaskHandlers } from "../../sveltos/deploy/index.ts";
import { EvaluationTasks } from "../../sveltos/evaluate/index.ts";
import { EventTemplates, renderTextsTask } from "../../sveltos/instantiate/index.ts";
import { serveTasks, type TaskHandlers, type TaskRequest } from "../../worker/index.ts";
import { templateEnvironment } from "../chart/chart-request.ts";
import { exitCodes } from "../failure.ts";

/** Waits for the end of the input, in a thread of its own: the main one may be busy for ever. */
const watchParent = `
  const { readSync } = require("node:fs");
  try {
    while (readSync(0, Buffer.alloc(1)) > 0);
  } catch {}
  process.kill(process.pid, "SIGKILL");
`;

/** A busy machine lets a worker wait, which is not to be held against its task. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs tasks for the process that has started this one, until that ends. */
export async function worker(): Promise<number> {
  const environment = { ...templateEnvironment(), cpuMs };
  const evaluation = new EvaluationTasks({ now: () => Math.floor(environment.now() / 1000), random: () => randomInt(2 ** 32) / 2 ** 32 });
  const templates = new EventTemplates(environment);
  const handlers: TaskHandlers = {
    ...openTaskHandlers(environment),
    match: (input) => evaluation.match(input),
    texts: (input) => renderTextsTask(input, templates),
    aggregate: (input) => evaluation.aggregate(input),
  };
  new Worker(watchParent, { eval: true, env: {}, stdin: false }).unref();
  serveTasks(handlers, {
    onRequest: (listener) => void process.on("message", (request: TaskRequest) => listener(request)),
    reply: (reply) => void process.send?.(reply),
  });
  const ended = new Promise<void>((resolve) => void process.once("disconnect", resolve));
  process.send?.("ready");
  await ended;
  process.kill(process.pid, "SIGKILL");
  return exitCodes.ok;
}
