import type { Behaviour } from "../behaviour/index.ts";
import { signingRequestCleaner, signingRequestController, type CertificateSigner } from "./certificate/index.ts";
import type { ControllerConstructor } from "./controller.ts";
import { endpointController, endpointSliceMirroring } from "./endpoint/index.ts";
import { eventExpiry } from "./event/index.ts";
import { garbageCollector } from "./garbagecollector/index.ts";
import { customConditionController, kubelet, nodeTaintController, type NodeTemplate } from "./kubelet/index.ts";
import { namespaceController } from "./namespace/index.ts";
import { quotaController } from "./quota/index.ts";
import { clusterRoleAggregation } from "./rbac/index.ts";
import { scheduler } from "./scheduler/index.ts";
import { loadBalancerController } from "./service/index.ts";
import { serviceAccountController, tokenController, type TokenControllerOptions } from "./serviceaccount/index.ts";
import { ephemeralVolumeController, volumeController } from "./volume/index.ts";

export type ClusterControllerOptions = {
  readonly behaviour: Behaviour;
  readonly seed: number;
  readonly nodes: readonly NodeTemplate[];
  /** The certificate that every namespace's kube-root-ca.crt holds, in PEM. */
  readonly certificate: string;
  /** The cluster has not run before. */
  readonly isNew: boolean;
  /** Who signs certificates. Default: nobody. */
  readonly signer?: CertificateSigner;
  /** Issues the token of a service account that a Secret holds. */
  readonly issueToken: TokenControllerOptions["issueToken"];
};

/**
 * The controllers of the control plane beside the workload controllers: nodes and their pods, namespaces, owners,
 * volumes and addresses. Constructing them creates missing nodes and, in a new cluster, the default StorageClass; the
 * namespaces must exist.
 */
export function clusterControllers(options: ClusterControllerOptions): readonly ControllerConstructor[] {
  return [
    namespaceController,
    serviceAccountController(options),
    tokenController(options),
    garbageCollector,
    clusterRoleAggregation,
    volumeController(options),
    ephemeralVolumeController,
    scheduler(options),
    kubelet(options),
    nodeTaintController,
    customConditionController(options),
    endpointController,
    endpointSliceMirroring,
    loadBalancerController(options),
    quotaController,
    eventExpiry,
    signingRequestCleaner,
    ...(options.signer === undefined ? [] : [signingRequestController(options.signer)]),
  ];
}
