import type { Clock } from "../core/clock/index.ts";
import type { Cluster } from "../kube/index.ts";

/** Who asks for an action, and where it is done. */
type ActionContext = {
  /** A client whose every request is made as the visitor. */
  readonly cluster: Cluster;
  /** The name of the cluster in addresses. */
  readonly context: string;
  /** The name that the cluster knows the visitor by; empty when it has not been asked. */
  readonly user: string;
  readonly clock: Clock;
  /** Aborts when the dashboard ends, and not when the visitor leaves: what was begun is carried on. */
  readonly signal: AbortSignal;
};

/** Does something as the visitor. */
export type ActionHandler = {
  /** How long the JSON of the request may be. Default 64 KiB. */
  readonly maxBytes?: number;
  /**
   * `body` is the JSON of the request, not checked yet. What is returned is sent as JSON with status 200. A `Fault` that is thrown
   * is sent as `{ message }` with status 422, an `ApiFault` with the status of the API server.
   */
  readonly run: (body: unknown, context: ActionContext) => Promise<unknown>;
};
