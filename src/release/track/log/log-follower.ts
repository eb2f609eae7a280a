import type { Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { Semaphore } from "../semaphore.ts";
import { ContainerLog, type LogTarget } from "./container-log.ts";
import { LogBuffer, type LogEntry } from "./log-buffer.ts";

/** How many logs of containers that have ended are read at once. They do not wait for a log that is followed. */
const maxReads = 10;

type LogFollowerOptions = {
  readonly signal: AbortSignal;
  /** Hides what is sensitive in a line. Default: nothing. */
  readonly conceal?: (line: string) => string;
};

/** Follows the logs of any number of containers by a bounded number of streams. */
export class LogFollower {
  /** How many logs are followed at once. */
  readonly maxStreams = 20;
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
  readonly conceal: (line: string) => string;
  /** When the following began. */
  readonly startedAt: number;
  readonly #containers = new Map<string, ContainerLog>();
  readonly #waiting = new Set<ContainerLog>();
  readonly #reads = new Semaphore(maxReads);
  readonly #known = new Set<string>();
  #streams = 0;

  constructor(cluster: Cluster, { signal, conceal = (line) => line }: LogFollowerOptions) {
    this.cluster = cluster;
    this.signal = signal;
    this.conceal = conceal;
    this.startedAt = cluster.clock.now();
  }

  /** The log of a container. Whoever waits for the same object again goes on where its log was left. */
  logOf({ metadata: { uid = "" } }: KubeObject, target: LogTarget, onFilled: (take: () => readonly LogEntry[]) => void): ContainerLog {
    const key = `${uid}/${target.container}`;
    const known = this.#containers.get(key);
    if (known !== undefined) return known;
    const { pod, container } = target;
    const log = new ContainerLog(this, target, new LogBuffer({ pod, container }, onFilled));
    this.#containers.set(key, log);
    return log;
  }

  get hasRoom(): boolean {
    return this.#streams < this.maxStreams;
  }

  /** Follows a log. Returns undefined when no stream is free; the log is then told to read on when one is. */
  async follow(log: ContainerLog, work: () => Promise<number>): Promise<number | undefined> {
    if (!this.hasRoom) {
      this.#waiting.add(log);
      return undefined;
    }
    this.#streams++;
    try {
      return await work();
    } finally {
      this.#streams--;
      const [next] = this.#waiting;
      if (next !== undefined) this.forget(next);
      next?.read();
    }
  }

  /** Reads the log of a container that has ended. */
  read(work: () => Promise<number>): Promise<number> {
    return this.#reads.run(work);
  }

  /** The log no longer waits for a stream. */
  forget(log: ContainerLog): void {
    this.#waiting.delete(log);
  }

  /** Tells whether something is said for the first time. */
  isNews(what: string): boolean {
    const isNews = !this.#known.has(what);
    this.#known.add(what);
    return isNews;
  }

  isKnown(what: string): boolean {
    return this.#known.has(what);
  }
}
