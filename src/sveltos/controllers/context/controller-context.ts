import type { ChartSource } from "../../deploy/index.ts";
import type { Fleet } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { Surroundings } from "../../../lang/sprig/index.ts";
import type { Chronicle } from "../../telemetry/index.ts";
import type { Copies } from "./shared-cache.ts";

/** What every controller of the management side works with. */
export type Desk = {
  /** The management cluster. */
  readonly hub: Cluster;
  /** Its objects, shared by all controllers of this process. */
  readonly copies: Copies;
  readonly fleet: Fleet;
  /** Time and chance, for templates. */
  readonly surroundings: Surroundings;
  /** Fetches charts. Without it profiles with charts fail, and say so. */
  readonly charts?: ChartSource;
  /** Who works here: different for every process. */
  readonly identity: string;
  readonly chronicle: Chronicle;
};
