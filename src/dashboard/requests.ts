import type { Cluster } from "../kube/index.ts";
import type { OpenKubeconfig } from "../sveltos/fleet/index.ts";
import { readCell } from "./cluster/read-cell.ts";
import { readIdentity } from "./cluster/read-identity.ts";
import type { TaskRunner } from "../worker/index.ts";
import { readCandidates } from "./events/read-candidates.ts";
import { readObjectDetail } from "./release/read-object-detail.ts";
import { readReplay, readRevisionComparison } from "./release/read-recording.ts";

/** What a request is answered from. All of it is done as the visitor. */
type RequestContext = {
  readonly cluster: Cluster;
  /** Opens managed clusters by the kubeconfigs that the visitor may read. */
  readonly openManaged: OpenKubeconfig;
  readonly signal: AbortSignal;
  /** Runs scripts of others in processes with limits; absent where there are none. */
  readonly tasks?: TaskRunner | undefined;
};

/** Reads something once, as the visitor. What it returns is sent as JSON. */
type RequestHandler = (query: URLSearchParams, context: RequestContext) => Promise<unknown>;

/** What can be read with GET `/api/c/{context}/{name}?…`, by name. */
export const requests: Readonly<Record<string, RequestHandler>> = {
  object: readObjectDetail,
  recording: readReplay,
  comparison: readRevisionComparison,
  cell: readCell,
  identity: readIdentity,
  candidates: readCandidates,
};
