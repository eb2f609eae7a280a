import { fieldsAt, listAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { isSemanticallySame, without, withField } from "../edit.ts";
import * as core from "./core.ts";
import { countedChanges, keepMetadata, keepStatus, onlyStatus, withGeneration, withStatus, type Moment } from "./general.ts";
import { updatedService } from "./service.ts";
import * as workload from "./workload.ts";

/** How a kind's objects are made ready to be stored; each part has a general answer where it is left out. */
export type Preparation = {
  readonly create?: (object: KubeObject, moment: Moment) => KubeObject;
  readonly update?: (object: KubeObject, live: KubeObject) => KubeObject;
  readonly status?: (object: KubeObject, live: KubeObject, moment: Moment) => KubeObject;
};

const same = (object: KubeObject): KubeObject => object;

/** Kinds whose generation counts the changes of these fields. */
function counting(...fields: readonly string[]): Preparation {
  return {
    create: (object) => withGeneration(withStatus(object, {}), 1),
    update: (object, live) => countedChanges(keepStatus(object, live), live, fields),
  };
}

const bySpec = counting("spec");
const onlyStatusAndNoMetadata = (object: KubeObject, live: KubeObject): KubeObject => keepMetadata(onlyStatus(object, live), live);

/** Models apiextensions pkg/registry/customresourcedefinition/strategy.go: a version that stores is remembered. */
function withStoredVersion(definition: KubeObject): KubeObject {
  const version = stringAt(
    listAt(definition, "spec.versions").find((item) => item["storage"] === true),
    "name",
  );
  const stored = stringsAt(definition, "status.storedVersions");
  if (version === undefined || stored.includes(version)) return definition;
  return withField(definition, "status", { ...fieldsAt(definition, "status"), storedVersions: [...stored, version] });
}

const contentOf = (object: KubeObject): unknown => without(object, "metadata");

/** Everything but metadata counts, and so do the labels. Models pkg/registry/discovery/endpointslice/strategy.go */
function updatedEndpointSlice(slice: KubeObject, live: KubeObject): KubeObject {
  const unchanged =
    isSemanticallySame(contentOf(slice), contentOf(live)) && isSemanticallySame(slice.metadata.labels, live.metadata.labels);
  return unchanged ? slice : withGeneration(slice, (live.metadata.generation ?? 0) + 1);
}

const registration = "admissionregistration.k8s.io";
const flowControl = "flowcontrol.apiserver.k8s.io";

export const preparations: Readonly<Record<string, Preparation>> = {
  "/Pod": { create: core.createdPod, update: core.updatedPod, status: core.podStatus },
  "/Namespace": { create: core.createdNamespace, update: core.updatedNamespace },
  "/PersistentVolume": { create: core.createdVolume, status: core.volumeStatus },
  "/PersistentVolumeClaim": { create: core.createdClaim, update: core.updatedClaim },
  "/ServiceAccount": { create: core.cleanServiceAccount, update: core.cleanServiceAccount },
  "/Node": { create: same },
  "/Service": { update: updatedService },
  "/PodTemplate": counting("template"),
  "/ReplicationController": bySpec,
  "apps/Deployment": { ...bySpec, update: workload.updatedDeployment, status: workload.deploymentStatus },
  "apps/ReplicaSet": bySpec,
  "apps/StatefulSet": bySpec,
  "apps/DaemonSet": { create: workload.createdDaemonSet, update: workload.updatedDaemonSet },
  "batch/Job": { create: workload.createdJob, update: workload.updatedByCount },
  "batch/CronJob": bySpec,
  "networking.k8s.io/Ingress": bySpec,
  "networking.k8s.io/NetworkPolicy": bySpec,
  "networking.k8s.io/IngressClass": bySpec,
  "networking.k8s.io/ServiceCIDR": { create: same, update: same, status: onlyStatusAndNoMetadata },
  "policy/PodDisruptionBudget": bySpec,
  "discovery.k8s.io/EndpointSlice": { create: (object) => withGeneration(object, 1), update: updatedEndpointSlice },
  "scheduling.k8s.io/PriorityClass": { create: (object) => withGeneration(object, 1) },
  "storage.k8s.io/CSIDriver": { update: (object, live) => countedChanges(object, live, ["spec"]) },
  "storage.k8s.io/VolumeAttachment": { status: onlyStatusAndNoMetadata },
  "resource.k8s.io/ResourceSlice": bySpec,
  "resource.k8s.io/DeviceClass": bySpec,
  "resource.k8s.io/ResourceClaim": { status: onlyStatusAndNoMetadata },
  [`${flowControl}/FlowSchema`]: bySpec,
  [`${flowControl}/PriorityLevelConfiguration`]: bySpec,
  [`${registration}/ValidatingWebhookConfiguration`]: counting("webhooks"),
  [`${registration}/MutatingWebhookConfiguration`]: counting("webhooks"),
  [`${registration}/ValidatingAdmissionPolicy`]: { ...bySpec, status: onlyStatusAndNoMetadata },
  [`${registration}/ValidatingAdmissionPolicyBinding`]: bySpec,
  "certificates.k8s.io/CertificateSigningRequest": {
    update: (object, live) => keepStatus(withField(object, "spec", live["spec"]), live),
  },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    create: (object) => withStoredVersion(withGeneration(withStatus(object, {}), 1)),
    update: (object, live) => withStoredVersion(countedChanges(keepStatus(object, live), live, ["spec"])),
  },
};
