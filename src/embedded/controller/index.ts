/**
 * The controllers of the embedded cluster: what real ones do, as functions from keys to writes.
 *
 * Each sees the cluster through the API's verbs alone. None knows of requests, sockets or real time.
 */
import type { Catalog } from "../api/index.ts";
import { clusterControllers, type ClusterOptions } from "./cluster.ts";
import type { MakeController } from "./controller.ts";
import { definitionController } from "./definition/index.ts";
import { workloads } from "./workloads.ts";

export type { Controller, MakeController, World } from "./controller.ts";
export { nodeShapes, type NodeShape } from "./kubelet/index.ts";
export { Queue } from "./queue.ts";

export type ControllerOptions = ClusterOptions & { readonly catalog: Catalog };

/** Every controller there is. */
export function controllers(options: ControllerOptions): readonly MakeController[] {
  return [definitionController(options.catalog), ...workloads, ...clusterControllers(options)];
}
