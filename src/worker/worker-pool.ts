import type { Cancel, Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { FairQueue } from "./fair-queue.ts";
import { OwnerCosts } from "./owner-costs.ts";
import { packed, unpacked } from "./parcel.ts";
import { Quarantine } from "./quarantine.ts";
import { TaskEnded, type IsolatedTask, type TaskReply, type TaskRequest, type TaskRunner } from "./task.ts";

/** What a worker has used so far. `isRunnable`: it runs, or would if the machine had a processor for it. */
export type WorkerUsage = { readonly memoryBytes: number; readonly cpuMs: number; readonly isRunnable: boolean };

/** A process that runs one task at a time. */
export type WorkerProcess = {
  /** Calls it when the process has started, which may be already. Only then it takes requests. */
  whenReady(listener: () => void): void;
  send(request: TaskRequest): void;
  /** Called with each answer. */
  onReply(listener: (reply: TaskReply) => void): void;
  /** Called once when it has ended, with how. `isReady`: it had started well. */
  onExit(listener: (how: string, isReady: boolean) => void): void;
  /** Undefined where the system does not tell. */
  usage(): WorkerUsage | undefined;
  /** Ends it at once, whatever it does. */
  kill(): void;
};

type WorkerLimits = {
  /** Of the whole process, with what is not on its heap. */
  readonly memoryBytes: number;
  /** Of the processor, for one task. */
  readonly cpuMs: number;
  /** For which a task may neither run nor wait for a processor; where the system does not tell, from its start to its end. */
  readonly idleMs: number;
};

type Job = {
  readonly task: IsolatedTask;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  isDone: boolean;
};

type Running = {
  readonly worker: WorkerProcess;
  readonly job: Job;
  cpuBefore: number;
  /** When the worker was last looked at, and what it had used then. */
  seenAt: number;
  cpuSeen: number;
  idleMs: number;
  isSlow: boolean;
  stopWatching: Cancel;
};

/** Each new text is tried at once. An owner who goes on sending such that end workers pauses with all of its texts. */
const ownerPauses = { tolerated: 3, firstPauseMs: 10_000, longestPauseMs: 300_000, forgottenAfterMs: 600_000 };

/** A task is cheap when it takes less than this part of its limit of the processor. */
const cheapShare = 10;

/** How often a worker with a task is looked at. An idle one is not. */
const watchEveryMs = 100;

/**
 * Runs tasks in at most `size` processes, which are started when they are needed. Owners take turns, and none has all workers
 * while there are several. A task that reaches a limit costs its worker, and is set aside. Then one worker is kept for owners whose
 * last task was cheap.
 */
export class WorkerPool implements TaskRunner {
  readonly #start: () => WorkerProcess;
  readonly #clock: Clock;
  readonly #limits: WorkerLimits;
  readonly #size: number;
  readonly #queue = new FairQueue<Job>();
  /** What has ended a worker, by subject and by owner. */
  readonly #quarantine: Quarantine;
  readonly #owners: Quarantine;
  readonly #costs: OwnerCosts;
  readonly #idle: WorkerProcess[] = [];
  readonly #running = new Map<WorkerProcess, Running>();
  /** For whom a worker has worked last: it still has what it has made of the owner's texts. */
  readonly #lastOwners = new WeakMap<WorkerProcess, string>();
  #nextId = 1;
  #isClosed = false;

  constructor(start: () => WorkerProcess, clock: Clock, limits: WorkerLimits, size: number) {
    this.#start = start;
    this.#clock = clock;
    this.#limits = limits;
    this.#size = size;
    this.#quarantine = new Quarantine(clock);
    this.#owners = new Quarantine(clock, ownerPauses);
    this.#costs = new OwnerCosts(clock);
  }

  run(task: IsolatedTask, signal: AbortSignal): Promise<unknown> {
    const objection = this.#objectionTo(task);
    if (objection !== undefined) return Promise.reject(objection);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      // What runs already ends by itself or by its limits; nobody waits for it any more.
      const abort = () => {
        this.#queue.remove(task.owner, job);
        settle(job, () => reject(signal.reason));
      };
      const job: Job = {
        task,
        resolve: (output) => {
          signal.removeEventListener("abort", abort);
          resolve(output);
        },
        reject: (error) => {
          signal.removeEventListener("abort", abort);
          reject(error);
        },
        isDone: false,
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#queue.push(task.owner, job);
      this.#dispatch();
    });
  }

  #objectionTo({ subject, title, owner, sparesOwner = false }: IsolatedTask): TaskEnded | undefined {
    const held = this.#quarantine.find(subject);
    if (held !== undefined) return new TaskEnded(title, held.reason, held.until, { isHeld: true });
    const paused = sparesOwner ? undefined : this.#owners.find(owner);
    if (paused === undefined) return undefined;
    const because = `${paused.times} texts have ended their worker processes, the last because ${paused.reason}`;
    return new TaskEnded(title, because, paused.until, { owner, isHeld: true });
  }

  /** Ends all workers. */
  close(): void {
    this.#isClosed = true;
    for (const worker of [...this.#idle, ...this.#running.keys()]) worker.kill();
  }

  #dispatch(): void {
    while (!this.#isClosed && this.#running.size < this.#size) {
      const job = this.#queue.take((owner) => this.#mayStart(owner));
      if (job === undefined) return;
      if (!job.isDone) this.#startJob(this.#idleFor(job.task.owner) ?? this.#added(), job);
    }
  }

  #idleFor(owner: string): WorkerProcess | undefined {
    const known = this.#idle.findIndex((worker) => this.#lastOwners.get(worker) === owner);
    return known < 0 ? this.#idle.pop() : this.#idle.splice(known, 1)[0];
  }

  /** One worker is left for others, and while tasks end workers, one for owners whose last task was cheap. */
  #mayStart(owner: string): boolean {
    const owners = [...this.#running.values()].map(({ job }) => job.task.owner);
    const most = Math.max(this.#size - 1, 1);
    if (owners.filter((each) => each === owner).length >= most) return false;
    return this.#costs.mayHaveLast(owner) || owners.filter((each) => !this.#costs.mayHaveLast(each)).length < most;
  }

  #added(): WorkerProcess {
    const worker = this.#start();
    worker.onReply((reply) => this.#finish(worker, reply));
    worker.onExit((how, isReady) => this.#lose(worker, how, isReady));
    return worker;
  }

  #startJob(worker: WorkerProcess, job: Job): void {
    const running: Running = { worker, job, cpuBefore: 0, seenAt: 0, cpuSeen: 0, idleMs: 0, isSlow: false, stopWatching: () => {} };
    this.#running.set(worker, running);
    this.#lastOwners.set(worker, job.task.owner);
    worker.whenReady(() => {
      if (this.#running.get(worker) !== running) return;
      // Its own start is not the task's to pay.
      running.seenAt = this.#clock.now();
      running.cpuBefore = running.cpuSeen = worker.usage()?.cpuMs ?? 0;
      this.#watch(running);
      this.#send(worker, job.task);
    });
  }

  #send(worker: WorkerProcess, { handler, input, title }: IsolatedTask): void {
    const id = this.#nextId++;
    try {
      worker.send({ id, handler, input: packed(input) });
    } catch (error) {
      // Input that cannot be cloned is a mistake of ours.
      const { message } = new Fault(`send ${title} to a worker process`, error);
      this.#finish(worker, { id, fault: { message, final: false } });
    }
  }

  #watch(running: Running): void {
    running.stopWatching = this.#clock.after(watchEveryMs, () => {
      const reason = this.#excessOf(running);
      if (reason !== undefined) return this.#end(running, reason);
      // Once: a worker that cannot be started is not tried ten times a second.
      if (!running.isSlow) this.#startSpare();
      running.isSlow = true;
      this.#watch(running);
    });
  }

  /** While a task takes long, or has ended its worker, the next one finds a worker that has started. */
  #startSpare(): void {
    if (!this.#isClosed && this.#idle.length === 0 && this.#running.size < this.#size) this.#idle.push(this.#added());
  }

  /** Which limit a task has reached. On a busy machine a task takes long through no fault of its own, and no limit counts that. */
  #excessOf(running: Running): string | undefined {
    const { memoryBytes, cpuMs, idleMs } = this.#limits;
    const { worker, cpuBefore, seenAt, cpuSeen } = running;
    const usage = worker.usage();
    running.seenAt = this.#clock.now();
    running.cpuSeen = usage?.cpuMs ?? 0;
    if (usage?.isRunnable !== true && running.cpuSeen === cpuSeen) running.idleMs += running.seenAt - seenAt;
    if (usage !== undefined && usage.memoryBytes > memoryBytes)
      return `it used more than ${Math.round(memoryBytes / 2 ** 20)} MiB of memory, and was ended`;
    if (usage !== undefined && usage.cpuMs - cpuBefore > cpuMs)
      return `it took more than ${cpuMs / 1000} s of the processor, and was ended`;
    if (running.idleMs <= idleMs) return undefined;
    return usage === undefined
      ? `it took more than ${idleMs / 1000} s, and was ended`
      : `it did nothing for more than ${idleMs / 1000} s, and was ended`;
  }

  #end(running: Running, reason: string): void {
    const { worker, job } = running;
    running.stopWatching();
    this.#running.delete(worker);
    worker.kill();
    this.#setAside(job, reason);
    this.#dispatch();
    this.#startSpare();
  }

  #setAside(job: Job, reason: string): void {
    const { until } = this.#quarantine.add(job.task.subject, reason);
    this.#costs.ended(job.task.owner);
    settle(job, () => job.reject(new TaskEnded(job.task.title, reason, until)));
    if (job.task.sparesOwner === true) return;
    this.#owners.add(job.task.owner, reason);
    if (this.#owners.find(job.task.owner) === undefined) return;
    for (const waiting of this.#queue.takeAll(job.task.owner)) {
      const objection = this.#objectionTo(waiting.task);
      if (objection === undefined) this.#queue.push(waiting.task.owner, waiting);
      else settle(waiting, () => waiting.reject(objection));
    }
  }

  #finish(worker: WorkerProcess, reply: TaskReply): void {
    const running = this.#running.get(worker);
    if (running === undefined) return;
    const { job, cpuBefore, isSlow } = running;
    running.stopWatching();
    this.#running.delete(worker);
    const usage = worker.usage();
    const isCheap = usage === undefined ? !isSlow : (usage.cpuMs - cpuBefore) * cheapShare <= this.#limits.cpuMs;
    this.#costs.finished(job.task.owner, isCheap);
    // What is left of earlier tasks must not be the next one's to pay.
    if ((usage?.memoryBytes ?? 0) > this.#limits.memoryBytes / 2) worker.kill();
    else this.#idle.push(worker);
    this.#quarantine.release(job.task.subject);
    settle(job, () => {
      if ("output" in reply) job.resolve(unpacked(reply.output));
      else job.reject(new Fault(reply.fault.message, undefined, { final: reply.fault.final }));
    });
    this.#dispatch();
  }

  #lose(worker: WorkerProcess, how: string, isReady: boolean): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    const running = this.#running.get(worker);
    if (running === undefined) return;
    running.stopWatching();
    this.#running.delete(worker);
    // A process that never began has not been ended by its task.
    if (isReady) this.#setAside(running.job, `it ended its worker process (${how}), as a full heap does`);
    else
      settle(running.job, () => running.job.reject(new Fault(`start a worker process for ${running.job.task.title}: it ended (${how})`)));
    this.#dispatch();
    if (isReady) this.#startSpare();
  }
}

function settle(job: Job, how: () => void): void {
  if (job.isDone) return;
  job.isDone = true;
  how();
}
