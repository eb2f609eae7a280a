import type { Cluster } from "../../kube/index.ts";
import type { Progress } from "../index.ts";
import type { Step } from "../plan/index.ts";
import { storageName } from "../record/index.ts";
import {
  namespacesWithPods,
  readPodEvidence,
  RecordingWriter,
  releaseLocation,
  RunRecording,
  type Recording,
  type RecordingOwner,
} from "../recording/index.ts";
import type { Proposal } from "./proposal.ts";
import type { RevisionRecorder } from "./revision-recorder.ts";
import { textConcealerFor } from "./sensitive-objects.ts";

export type RecordingOptions = {
  /** Is called when a recording cannot be written. The operation goes on. */
  readonly onWarning: (warning: string) => void;
  /** Writes the recording beside the record. Default true. */
  readonly keep?: boolean;
  /** Is called with the story of each run when it is over. Default: nobody is. */
  readonly onRecorded?: (recording: Recording) => void;
};

/** Takes in the progress of a run as it happens. */
type RecordProgress = (event: Progress) => void;

type OpenRecording = { readonly close: () => Promise<void> };

/** The recordings of an operation: that of its run, and that of the run that undoes it when it has failed. */
export class OperationRecordings {
  readonly #cluster: Cluster;
  readonly #options: RecordingOptions;
  readonly #open: OpenRecording[] = [];

  /** `cluster` writes whether the Lease is held or not: the last write goes beside its release. */
  constructor(cluster: Cluster, options: RecordingOptions) {
    this.#cluster = cluster;
    this.#options = options;
  }

  /** Begins to record a run. Tests are not recorded: they change nothing. */
  begin(proposal: Proposal, recorder: RevisionRecorder): RecordProgress {
    const { plan, operation, revision } = proposal;
    if (operation === "test") return () => undefined;
    const { clock } = this.#cluster;
    const startedAtMs = clock.now();
    const stop = new AbortController();
    const { onWarning, keep = true, onRecorded } = this.#options;
    const run = new RunRecording(plan, startedAtMs, { conceal: textConcealerFor(proposal) });
    const { name, namespace } = revision;
    const subject = { type: "release", name, namespace, revision: revision.revision } as const;
    const isDeletion = operation === "delete";
    const location = releaseLocation(subject, isDeletion ? "delete" : "deploy");
    const carriesOn = isDeletion ? revision.state === "uninstalling" : revision.stored !== undefined;
    const writer = !keep
      ? undefined
      : new RecordingWriter(this.#cluster, () => run.run, { subject, location, owner: () => ownerOf(recorder), carriesOn, onWarning });
    let pods = Promise.resolve();
    // The pods are read while the last record is written, so that nobody waits for them.
    const readPods = async () => run.setPods(await readPodEvidence(namespacesWithPods(plan), startedAtMs, this.#cluster, stop.signal));
    const lastRecords = new Set(plan.steps.filter(isLastRecord).map(({ id }) => id));
    const close = async () => {
      await writer?.close(pods).finally(() => stop.abort());
      onRecorded?.({ version: 1, subject, runs: [run.run] });
    };
    this.#open.push({ close });
    let isBroken = false;
    return (event) => {
      if (isBroken) return;
      try {
        run.onProgress(event, clock.now());
      } catch (error) {
        // A mistake in what only tells of a deploy must not end it.
        isBroken = true;
        return onWarning(`the run is not recorded from here on: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (writer === undefined) return;
      if (event.type === "started" && lastRecords.has(event.id ?? "")) pods = readPods();
      writer.changed();
    };
  }

  /** Writes what is not written yet. Takes a few seconds at most, and never throws. */
  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((recording) => recording.close()));
  }
}

/** The record that a deploy ends with, well or not. */
function isLastRecord({ action }: Step): boolean {
  return action.verb === "record" && action.hook === undefined && (action.state === "deployed" || action.state === "failed");
}

/** The record that the recording is beside; undefined before it is written, and when it is deleted. */
function ownerOf({ revision: { name, revision, storage, stored }, isPurged }: RevisionRecorder): RecordingOwner | undefined {
  if (stored?.uid === undefined || isPurged) return undefined;
  return { apiVersion: "v1", kind: storage, name: storageName(name, revision), uid: stored.uid };
}
