import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { isSea } from "node:sea";
import type { Clock } from "../../core/clock/index.ts";
import { WorkerPool, type WorkerProcess, type WorkerUsage } from "../../worker/index.ts";

/** The heap of a worker. What is beside it, such as bytes of a key, is bounded by the memory of the process. */
const heapMiB = 256;
const pageBytes = 4096;
const tickMs = 10;

/** What a template, a script, a chart or the patches of a profile may take: far more than any needs that was written in good faith. */
const profileLimits = { memoryBytes: 448 * 2 ** 20, cpuMs: 10_000, idleMs: 60_000 };

/** The pool for profiles. Together with that for events and this process it stays below the limit of a pod. */
export function profileWorkerPool(clock: Clock, main?: string): WorkerPool {
  return new WorkerPool(() => startWorkerProcess(main), clock, profileLimits, 2);
}

/** What the scripts and rules of an event may take, for a batch of objects: a thousand times what they need. */
const eventLimits = { memoryBytes: 384 * 2 ** 20, cpuMs: 5_000, idleMs: 30_000 };

/**
 * The pool for events, which never wait for a chart. One of its two workers is always left for others. They are on the way of every
 * event, so they have the priority of this process, which is left a third of a busy processor at least.
 */
export function eventWorkerPool(clock: Clock): WorkerPool {
  return new WorkerPool(() => startWorkerProcess(undefined, { yields: false }), clock, eventLimits, 2);
}

/** Starts this program once more, as a worker. It gets no other environment than it needs to start. `yields`: all others come first. */
export function startWorkerProcess(main = process.argv[1] ?? "", { yields = true }: { readonly yields?: boolean } = {}): WorkerProcess {
  const args = isSea() ? ["__worker"] : [...sourceOptions(), main, "__worker"];
  const child = spawn(process.execPath, args, {
    // The worker reads its input to learn that this process has ended.
    stdio: ["pipe", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    env: { ...kept(["HOME", "PATH", "XDG_CACHE_HOME", "TZ"]), NODE_OPTIONS: `--max-old-space-size=${heapMiB}` },
  });
  child.stdin?.on("error", () => {});
  if (yields) yieldToOthers(child);
  return workerOver(child);
}

/** The options of Node by which it runs the source. What is imported before it is meant for this process, and may read its input. */
function sourceOptions(): readonly string[] {
  return process.execArgv.filter(
    (option, at, all) => !/^--(max-|inspect|import$|import=)/.test(option) && (at === 0 || all[at - 1] !== "--import"),
  );
}

function kept(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

/** The process that keeps the Leases comes first. */
function yieldToOthers({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system has no priorities.
  }
}

function workerOver(child: ChildProcess): WorkerProcess {
  let isReady = false;
  let failure = "";
  const waiting: (() => void)[] = [];
  child.on("message", (message) => {
    if (message !== "ready") return;
    isReady = true;
    for (const listener of waiting.splice(0)) listener();
  });
  const exits: ((how: string, isReady: boolean) => void)[] = [];
  child.on("error", (error) => (failure = error.message));
  child.on("close", (code, signal) => {
    for (const listener of exits) listener(failure || (signal ?? `exit code ${code}`), isReady);
  });
  return {
    whenReady: (listener) => {
      if (isReady) listener();
      else waiting.push(listener);
    },
    send: (request) => void child.send(request, () => {}),
    onReply: (listener) =>
      child.on("message", (message: "ready" | Parameters<typeof listener>[0]) => {
        if (message !== "ready") listener(message);
      }),
    onExit: (listener) => void exits.push(listener),
    usage: () => (child.pid === undefined ? undefined : usageOf(child.pid)),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** What Linux tells of a process: its pages in memory, its state, and the ticks that it has had. */
function usageOf(pid: number): WorkerUsage | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { memoryBytes: pages * pageBytes, cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs, isRunnable: fields[0] === "R" };
  } catch {
    // There is no /proc here, or the process has ended.
    return undefined;
  }
}
