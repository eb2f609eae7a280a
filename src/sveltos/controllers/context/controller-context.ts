import type { ChartSource, ProfileRecordings } from "../../deploy/index.ts";
import type { Fleet } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { Recording } from "../../../release/recording/index.ts";
import type { TaskRunner } from "../../../worker/index.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { SharedCache } from "./shared-cache.ts";

/** Takes traces of what is done, and of what brought it about. */
export type TraceSink = {
  /** An event was taken up, and this profile was written for it. */
  addEvent(profile: { readonly uid: string; readonly name: string }, span: EventTimes, attributes: Readonly<Record<string, string>>): void;
  /** Something was deployed. `eventProfile` is the uid of the profile that an event has brought about. */
  addRecording(recording: Recording, eventProfile?: string): void;
};

type EventTimes = { readonly fromMs: number; readonly toMs: number };

/** What every controller works with. */
export type ControllerContext = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** The informers of its objects, shared by all controllers of this process. */
  readonly cache: SharedCache;
  readonly fleet: Fleet;
  /** The clock and randomness that templates see. */
  readonly environment: Environment;
  /** Runs the templates and scripts of profiles elsewhere. Default: they run here. */
  readonly tasks?: TaskRunner;
  /** The same for the scripts and rules of events. They are short, and do not wait for the others. */
  readonly eventTasks?: TaskRunner;
  /** Fetches charts. Without it profiles with charts fail. */
  readonly charts?: ChartSource;
  /** Records what is deployed. Default: nothing is recorded. */
  readonly recordings?: ProfileRecordings;
  /** Is told of events that were taken up. Default: nobody is. */
  readonly traces?: TraceSink;
  /** Identifies this process in Leases and Events. */
  readonly identity: string;
  readonly telemetry: Telemetry;
};
