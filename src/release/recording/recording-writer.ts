import { withTimeout, type Cancel } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { isAlreadyExists, isForbidden, isNotFound, type Cluster } from "../../kube/index.ts";
import { encodeRecording } from "./recording-codec.ts";
import { recordingIn, recordingRefOf, recordingSecretOf, type RecordingLocation, type RecordingOwner } from "./recording-secret.ts";
import { recordingVersion, type RecordedRun, type Recording, type RecordingSubject } from "./recording.ts";

/** The field manager of recordings. */
const manager = "sluice-recording";
/** A change is written after the first; the time between writes doubles up to the second, which a killed run loses at most. */
const [firstWriteMs, longestPauseMs] = [2_000, 10_000];
/** How long the end of a run waits for the last write. */
const lastWriteMs = 5_000;
/** Of an operation that took more runs the latest are kept. */
const maxRuns = 20;

type RecordingWriterOptions = {
  readonly subject: RecordingSubject;
  readonly location: RecordingLocation;
  /** What the recording dies with. Nothing is written while it is unknown or gone. */
  readonly owner: () => RecordingOwner | undefined;
  /** An earlier run of the same operation may have left a recording, which this one carries on. */
  readonly carriesOn: boolean;
  /** How large it may be, compressed. Default 256 KiB. */
  readonly maxBytes?: number;
  /** Is called once when the recording cannot be written. The run goes on. */
  readonly onWarning: (warning: string) => void;
};

/** Stores the recording of a run in the cluster while it goes on: seldom, one write at a time, and never waited for. */
export class RecordingWriter {
  readonly #cluster: Cluster;
  readonly #options: RecordingWriterOptions;
  readonly #run: () => RecordedRun;
  readonly #stop = new AbortController();
  readonly #previous: Promise<readonly RecordedRun[]>;
  #pauseMs = firstWriteMs;
  #cancel: Cancel | undefined;
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isStored = false;

  /** `run` gives the run as it is now. */
  constructor(cluster: Cluster, run: () => RecordedRun, options: RecordingWriterOptions) {
    this.#cluster = cluster;
    this.#run = run;
    this.#options = options;
    this.#previous = options.carriesOn ? this.#readPrevious() : Promise.resolve([]);
  }

  /** Something has happened that is to be written in due time. */
  changed(): void {
    if (this.#cancel !== undefined || this.#stop.signal.aborted || isForbidden(this.#failure)) return;
    this.#cancel = this.#cluster.clock.after(
      this.#pauseMs,
      () => {
        this.#cancel = undefined;
        this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
        // What is slow is not asked twice at a time: the next change comes to it.
        this.#writing ??= this.#write(this.#stop.signal).finally(() => (this.#writing = undefined));
      },
      { background: true },
    );
  }

  /** Writes the run as it ended, after `ready`, which completes it. Warns of a recording that is not there then. */
  async close(ready: Promise<void> = Promise.resolve()): Promise<void> {
    this.#cancel?.();
    const { clock } = this.#cluster;
    const late = new Fault("store the recording", `no answer in ${lastWriteMs / 1000} s`);
    try {
      await withTimeout(clock, lastWriteMs, late, (signal) => untilAborted(this.#writeLast(ready, signal), signal));
    } catch (error) {
      this.#failure ??= error;
    }
    this.#stop.abort(new Error("the run is over"));
    if (this.#failure !== undefined) this.#options.onWarning(warningOf(this.#failure));
  }

  async #writeLast(ready: Promise<void>, signal: AbortSignal): Promise<void> {
    await Promise.all([ready, this.#writing]);
    if (!isForbidden(this.#failure)) await this.#write(signal);
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { subject, location, owner } = this.#options;
    try {
      const previous = await this.#previous;
      const recording: Recording = { version: recordingVersion, subject, runs: [...previous, this.#run()].slice(-maxRuns) };
      const owned = owner();
      if (owned === undefined || signal.aborted) return;
      const content = encodeRecording(recording, this.#options.maxBytes);
      await this.#save(recordingSecretOf(location, owned, content), signal);
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
  }

  /** By the verbs that whoever writes Helm's records has. Nobody else writes it, so the version that is there does not matter. */
  async #save(secret: KubeObject, signal: AbortSignal): Promise<void> {
    const [first, second] = this.#isStored ? (["replace", "create"] as const) : (["create", "replace"] as const);
    try {
      await this.#cluster[first](secret, { manager, signal });
    } catch (error) {
      if (!isNotFound(error) && !isAlreadyExists(error)) throw error;
      await this.#cluster[second](secret, { manager, signal });
    }
    this.#isStored = true;
  }

  /** What cannot be read is begun anew: the story is shorter, and the deploy is what matters. */
  async #readPrevious(): Promise<readonly RecordedRun[]> {
    try {
      const found = await this.#cluster.find(recordingRefOf(this.#options.location), { signal: this.#stop.signal });
      this.#isStored = found !== undefined;
      return found === undefined ? [] : recordingIn(found).runs;
    } catch {
      return [];
    }
  }
}

function warningOf(error: unknown): string {
  const because = error instanceof Error ? error.message : String(error);
  return `the recording for sluice timeline could not be written; the rest is not concerned (--no-recording leaves it out): ${because}`;
}

/** Waits for work that may not heed the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}
