import { fieldsAt, listAt, mapAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";
import { cidrWarnings, ipWarnings } from "./address.ts";
import { secretWarnings } from "./key-pair.ts";
import * as network from "./network.ts";
import { nodeLabelsWarnings, nodeSelectorWarnings } from "./node-label.ts";
import { podTemplateWarnings } from "./pod.ts";
import * as storage from "./storage.ts";
import * as workload from "./workload.ts";

type Warnings = (object: KubeObject) => readonly string[];

/** What the strategy of a kind warns of, when the object is valid. Left out: nothing. */
export type WarningStrategy = {
  readonly create?: (object: KubeObject) => readonly string[];
  readonly update?: (object: KubeObject, live: KubeObject) => readonly string[];
  readonly status?: (object: KubeObject, live: KubeObject) => readonly string[];
};

const always = (warnings: Warnings): WarningStrategy => ({ create: warnings, update: (object) => warnings(object) });

function nodeWarnings(node: KubeObject): readonly string[] {
  const spec = fieldsAt(node, "spec");
  return [
    ...(isUnset(spec["configSource"]) ? [] : ["spec.configSource: the feature is removed"]),
    ...(stringAt(spec, "externalID", "") === "" ? [] : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...stringsAt(spec, "podCIDRs").flatMap((block, index) => cidrWarnings(`spec.podCIDRs[${index}]`, block)),
  ];
}

function podStatusWarnings(pod: KubeObject): readonly string[] {
  return ["podIPs", "hostIPs"].flatMap((list) =>
    listAt(pod, `status.${list}`).flatMap((address, index) => ipWarnings(`status.${list}[${index}].ip`, stringAt(address, "ip", ""))),
  );
}

const mountableSecrets = "kubernetes.io/enforce-mountable-secrets";

function accountWarnings({ metadata }: KubeObject, live?: KubeObject): readonly string[] {
  if (mountableSecrets in (live?.metadata.annotations ?? {}) || !(mountableSecrets in (metadata.annotations ?? {}))) return [];
  return [
    `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}

function sliceDriverWarnings(slice: KubeObject): readonly string[] {
  const driver = stringAt(slice, "spec.driver", "");
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
}

const podTemplate: Warnings = (object) => podTemplateWarnings(fieldsAt(object, "template"), "template");
const byTemplate: WarningStrategy = { create: workload.newWorkloadWarnings, update: workload.changedTemplateWarnings };

/** Models WarningsOnCreate and WarningsOnUpdate in pkg/registry/.../strategy.go */
export const warningsByKind: Readonly<Record<string, WarningStrategy>> = {
  "/Pod": { create: workload.newPodWarnings, status: podStatusWarnings },
  "/PodTemplate": { create: podTemplate, update: (object, live) => (workload.isChanged(object, live) ? podTemplate(object) : []) },
  "/ReplicationController": { create: workload.newWorkloadWarnings, update: workload.formerTemplateWarnings },
  "/Node": always(nodeWarnings),
  "/Endpoints": always(network.endpointsWarnings),
  "/PersistentVolume": always(storage.volumeWarnings),
  "/PersistentVolumeClaim": always(storage.claimWarnings),
  "/ResourceQuota": { create: workload.quotaWarnings },
  "/Secret": always(secretWarnings),
  "/Service": { ...always(network.serviceWarnings), status: network.loadBalancerWarnings },
  "/ServiceAccount": { create: accountWarnings, update: accountWarnings },
  "apps/DaemonSet": { create: workload.templateWarnings, update: workload.daemonSetWarnings },
  "apps/Deployment": byTemplate,
  "apps/ReplicaSet": byTemplate,
  "apps/StatefulSet": { create: workload.statefulSetWarnings, update: workload.statefulSetWarnings },
  "batch/CronJob": { create: workload.cronJobWarnings, update: workload.cronJobWarnings },
  "batch/Job": { create: workload.jobWarnings, update: workload.jobWarnings },
  "discovery.k8s.io/EndpointSlice": {
    create: (slice) => [...network.addressTypeWarnings(slice), ...network.endpointSliceWarnings(slice)],
    update: network.endpointSliceWarnings,
  },
  "networking.k8s.io/Ingress": { create: network.ingressWarnings, status: network.loadBalancerWarnings },
  "networking.k8s.io/NetworkPolicy": always(network.networkPolicyWarnings),
  "node.k8s.io/RuntimeClass": always((runtime) =>
    nodeLabelsWarnings(mapAt(runtime, "scheduling.nodeSelector"), () => "scheduling.nodeSelector"),
  ),
  "resource.k8s.io/ResourceSlice": always(sliceDriverWarnings),
  "storage.k8s.io/CSIDriver": { create: storage.driverWarnings, update: storage.driverWarnings },
  "storage.k8s.io/CSIStorageCapacity": always((capacity) => nodeSelectorWarnings(fieldsAt(capacity, "nodeTopology"), "nodeTopology")),
  "storage.k8s.io/StorageClass": always(storage.storageClassWarnings),
};
