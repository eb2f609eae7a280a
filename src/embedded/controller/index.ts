/**
 * The controllers of the embedded cluster, as functions from keys to writes.
 *
 * Each uses the API's verbs only. None knows of requests, sockets or real time.
 */
import type { ResourceCatalog } from "../apiserver/index.ts";
import { clusterControllers, type ClusterControllerOptions } from "./cluster-controllers.ts";
import type { ControllerConstructor } from "./controller.ts";
import { policyStatusController } from "./admissionpolicy/index.ts";
import { apiServiceController, crdController } from "./crd/index.ts";
import { workloadControllers } from "./workload-controllers.ts";

export type { EmbeddedControllerContext } from "./controller.ts";
export { nodeTemplates } from "./kubelet/index.ts";
export type { CertificateSigner } from "./certificate/index.ts";
export { ControllerWorkQueue } from "./controller-work-queue.ts";

type EmbeddedControllerOptions = ClusterControllerOptions & { readonly catalog: ResourceCatalog };

/** All controllers of the embedded cluster. */
export function embeddedControllers(options: EmbeddedControllerOptions): readonly ControllerConstructor[] {
  return [
    crdController(options.catalog),
    apiServiceController,
    ...workloadControllers,
    ...clusterControllers(options),
    policyStatusController(options),
  ];
}
