import type { ControllerConstructor } from "./controller.ts";
import { autoscalerController } from "./autoscaler/index.ts";
import { cronJobController } from "./cronjob/index.ts";
import { daemonSetController } from "./daemonset/index.ts";
import { deploymentController } from "./deployment/index.ts";
import { disruptionController } from "./disruption/index.ts";
import { jobController, jobOrphanPodController, ttlAfterFinishedController } from "./job/index.ts";
import { replicaSetController, replicationController } from "./replicaset/index.ts";
import { statefulSetController } from "./statefulset/index.ts";

/** The controllers of workloads, which create Pods. */
export const workloadControllers: readonly ControllerConstructor[] = [
  replicaSetController,
  replicationController,
  deploymentController,
  statefulSetController,
  daemonSetController,
  jobController,
  cronJobController,
  jobOrphanPodController,
  ttlAfterFinishedController,
  disruptionController,
  autoscalerController,
];
