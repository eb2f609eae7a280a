import { isDeleting, keyOf, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { textConcealer, type Sensitivity } from "../../release/conceal/index.ts";
import type { Progress } from "../../release/index.ts";
import type { Plan } from "../../release/plan/index.ts";
import { profileLocation, RecordingWriter, RunRecording, type Recording } from "../../release/recording/index.ts";
import { Semaphore } from "../../release/track/index.ts";
import { owningProfile } from "./cluster-summary-scope.ts";

/** What is recorded of a run, and when it is over. */
export type FeatureRecording = { readonly onProgress: (event: Progress, atMs?: number) => void; readonly end: () => void };

export type RunToRecord = {
  readonly plan: Plan;
  /** An earlier run has begun the same deployment. */
  readonly carriesOn: boolean;
  /** How sensitive each object is, by `keyOf`. */
  readonly sensitivities: ReadonlyMap<string, Sensitivity>;
};

/** Is called with the story of a run that has ended, and the profile that it was about. */
type OnRecorded = (recording: Recording, profile: { readonly kind: string; readonly name: string; readonly uid: string }) => void;

/** Smaller than that of a release: the management cluster has one for each profile in each cluster. */
const maxBytes = 32 * 1024;
/** Thousands of events must not write more than this: two at a time, each with a pause after it. */
const [maxConcurrent, pauseMs] = [2, 400];
/** Of more that wait to be written the newest are dropped. */
const maxPending = 500;

/** Records how the resources of profiles are deployed, beside their ClusterSummaries. Nobody waits for it. */
export class ProfileRecordings {
  readonly #hub: Cluster;
  readonly #onWarning: (warning: string) => void;
  readonly #onRecorded: OnRecorded | undefined;
  readonly #turns = new Semaphore(maxConcurrent);
  #pending = 0;
  /** How many were dropped since the last that was written. */
  #dropped = 0;

  constructor(hub: Cluster, onWarning: (warning: string) => void, onRecorded?: OnRecorded) {
    this.#hub = hub;
    this.#onWarning = onWarning;
    this.#onRecorded = onRecorded;
  }

  /** Is called when a recording of a chart's release cannot be written. */
  get onWarning(): (warning: string) => void {
    return this.#onWarning;
  }

  /** Begins to record a run; undefined when the ClusterSummary is going, and its recordings with it. */
  begin(summary: KubeObject, { plan, carriesOn, sensitivities }: RunToRecord): FeatureRecording | undefined {
    const { name, namespace = "", uid } = summary.metadata;
    const profile = owningProfile(summary);
    if (isDeleting(summary) || uid === undefined || profile === undefined) return undefined;
    const { clock } = this.#hub;
    const run = new RunRecording(plan, clock.now(), { conceal: textConcealer(() => sensitiveObjectsIn(plan, sensitivities)) });
    const cluster = `${stringAt(summary, "spec.clusterNamespace", namespace)}/${stringAt(summary, "spec.clusterName", "")}`;
    const subject = { type: "profile", profile: `${profile.kind}/${profile.name}`, cluster, feature: "Resources" } as const;
    const writer = new RecordingWriter(this.#hub, () => run.run, {
      subject,
      location: profileLocation(namespace, name, "Resources"),
      owner: () => ({ apiVersion: summary.apiVersion, kind: summary.kind, name, uid }),
      carriesOn,
      maxBytes,
      onWarning: this.#onWarning,
    });
    return {
      onProgress: (event, atMs = clock.now()) => {
        run.onProgress(event, atMs);
        writer.changed();
      },
      end: () => {
        this.#onRecorded?.({ version: 1, subject, runs: [run.run] }, profile);
        void this.#close(writer);
      },
    };
  }

  async #close(writer: RecordingWriter): Promise<void> {
    if (this.#pending >= maxPending) return this.#drop();
    this.#pending++;
    await this.#turns.run(async () => {
      await writer.close();
      if (--this.#pending === 0) this.#reportDropped();
      await new Promise<void>((resolve) => void this.#hub.clock.after(pauseMs, resolve, { background: true }));
    });
  }

  /** Thousands may be dropped in a minute, and two lines say so. */
  #drop(): void {
    if (this.#dropped++ === 0) this.#onWarning(`more than ${maxPending} recordings wait to be written: others are left out`);
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.#onWarning(`${this.#dropped} recordings were left out; all others are written`);
    this.#dropped = 0;
  }
}

function sensitiveObjectsIn({ steps }: Plan, sensitivities: ReadonlyMap<string, Sensitivity>) {
  const manifests = steps.flatMap(({ action }) => (action.verb === "apply" ? [action.manifest] : []));
  return manifests.map((object) => ({ object, sensitive: sensitivities.get(keyOf(refOf(object))) ?? none }));
}

const none: Sensitivity = { whole: false, paths: [] };
