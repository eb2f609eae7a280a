import type { ChartSource } from "../../deploy/index.ts";
import type { Fleet } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { SharedCache } from "./shared-cache.ts";

/** What every controller works with. */
export type ControllerContext = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** The informers of its objects, shared by all controllers of this process. */
  readonly cache: SharedCache;
  readonly fleet: Fleet;
  /** The clock and randomness that templates see. */
  readonly environment: Environment;
  /** Fetches charts. Without it profiles with charts fail. */
  readonly charts?: ChartSource;
  /** Identifies this process in Leases and Events. */
  readonly identity: string;
  readonly telemetry: Telemetry;
};
