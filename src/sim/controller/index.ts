/**
 * The controllers of the embedded cluster: what real ones do, as functions from keys to writes.
 *
 * Each sees the cluster through the API's verbs alone. None knows of requests, sockets or real time.
 */
import type { Catalog } from "../api/index.ts";
import type { Behaviour } from "../behaviour/index.ts";
import type { MakeController } from "./controller.ts";
import { customConditionController, kubelet, nodeShapes } from "./kubelet/index.ts";
import { scheduler } from "./scheduler/index.ts";
import { workloads } from "./workloads.ts";

export type { Controller, MakeController, World } from "./controller.ts";
export { Queue } from "./queue.ts";

export type ControllerOptions = { readonly behaviour: Behaviour; readonly nodes: number; readonly seed: number; readonly catalog: Catalog };

/** Every controller there is. */
export function controllers({ behaviour, nodes, seed }: ControllerOptions): readonly MakeController[] {
  return [
    ...workloads,
    scheduler({ behaviour, seed }),
    kubelet({ behaviour, seed, nodes: nodeShapes(nodes) }),
    customConditionController({ behaviour, seed }),
  ];
}
