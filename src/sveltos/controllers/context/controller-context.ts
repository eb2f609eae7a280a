import type { ChartSource } from "../../deploy/index.ts";
import type { Fleet } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { SharedCache } from "./shared-cache.ts";

/** What every controller of the management side works with. */
export type ControllerContext = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** Its objects, shared by all controllers of this process. */
  readonly cache: SharedCache;
  readonly fleet: Fleet;
  /** Time and chance, for templates. */
  readonly environment: Environment;
  /** Fetches charts. Without it profiles with charts fail, and say so. */
  readonly charts?: ChartSource;
  /** Who works here: different for every process. */
  readonly identity: string;
  readonly telemetry: Telemetry;
};
