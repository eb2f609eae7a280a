import { groupVersionOf, listAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { builtInGroups } from "../../data/index.ts";

/** The workloads of the server itself that can be scaled, by group and kind. */
export const scalable: Readonly<Record<string, string>> = {
  "/ReplicationController": "replicationcontrollers",
  "apps/Deployment": "deployments.apps",
  "apps/ReplicaSet": "replicasets.apps",
  "apps/StatefulSet": "statefulsets.apps",
};

type ScaleTarget = { readonly key: string; readonly live: KubeObject; readonly replicasPath: string };

const notScalable = "the server could not find the requested resource";

/** What an autoscaler scales, or why that cannot be found. */
export function scaleTargetOf(api: ApiClient, autoscaler: KubeObject): ScaleTarget | string {
  const { group } = groupVersionOf(stringAt(autoscaler, "spec.scaleTargetRef.apiVersion", ""));
  const kind = stringAt(autoscaler, "spec.scaleTargetRef.kind", "");
  const name = stringAt(autoscaler, "spec.scaleTargetRef.name", "");
  const found = resourceOf(api, group, kind);
  if (typeof found === "string") return found;
  const live = api.read(found.key, autoscaler.metadata.namespace ?? "", name);
  return live === undefined ? `${found.key} ${JSON.stringify(name)} not found` : { ...found, live };
}

function resourceOf(api: ApiClient, group: string, kind: string): { key: string; replicasPath: string } | string {
  const key = scalable[`${group}/${kind}`];
  if (key !== undefined) return { key, replicasPath: "spec.replicas" };
  if (
    builtInGroups().some(
      ({ name, versions }) => name === group && versions.some(({ resources }) => resources.some((each) => each.kind === kind)),
    )
  )
    return notScalable;
  const crd = api
    .list("customresourcedefinitions.apiextensions.k8s.io")
    .find((each) => stringAt(each, "spec.group") === group && stringAt(each, "spec.names.kind") === kind);
  if (crd === undefined) return `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
  const path = listAt(crd, "spec.versions").map((version) => valueAt(version, "subresources.scale.specReplicasPath"))[0];
  return typeof path === "string" ? { key: crd.metadata.name, replicasPath: path.slice(1) } : notScalable;
}
