import type { MakeController } from "./controller.ts";
import { deploymentController } from "./deployment/index.ts";
import { jobController, jobOrphanPodController, ttlAfterFinishedController } from "./job/index.ts";
import { replicaSetController, replicationController } from "./replicaset/index.ts";

/** The controllers that turn workloads into Pods. */
export const workloadControllers: readonly MakeController[] = [
  replicaSetController,
  replicationController,
  deploymentController,
  jobController,
  jobOrphanPodController,
  ttlAfterFinishedController,
];
