import type { KubeObject } from "../../core/object/index.ts";
import type { DeploymentItem } from "../api/index.ts";
import { deploymentItemOf } from "./deployment-item.ts";

/** Reduces a ClusterSummary to what is shown of it: it has a copy of its profile and the content that it has deployed. */
export function reduceDeployment(summary: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = summary;
  const { name, namespace = "", uid = "", resourceVersion = "" } = metadata;
  const item = deploymentItemOf(summary);
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, ...(item === undefined ? {} : { item }) };
}

/** The item of a reduced ClusterSummary; undefined when it belongs to no profile. */
export function deploymentIn(reduced: KubeObject): DeploymentItem | undefined {
  return reduced["item"] as DeploymentItem | undefined;
}
