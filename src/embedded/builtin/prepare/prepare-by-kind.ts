import { fieldsAt, listAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { isSemanticDeepEqual, withoutFields, withField } from "../field-edits.ts";
import { prepareSigningRequest, prepareSigningRequestStatus } from "./certificate-signing-request.ts";
import * as core from "./core.ts";
import {
  bumpGenerationOnChange,
  keepMetadata,
  keepStatus,
  takeStatusOnly,
  withGeneration,
  withStatus,
  type WriteTime,
} from "./generation-and-status.ts";
import { prepareServiceForUpdate } from "./service.ts";
import * as workload from "./workload.ts";

/** How a kind's objects are prepared for storage; what is left out has a general default. */
type PrepareStrategy = {
  readonly create?: (object: KubeObject, moment: WriteTime) => KubeObject;
  readonly update?: (object: KubeObject, live: KubeObject) => KubeObject;
  readonly status?: (object: KubeObject, live: KubeObject, moment: WriteTime) => KubeObject;
};

const same = (object: KubeObject): KubeObject => object;

/** Kinds whose generation increases when these fields change. */
function countingGeneration(...fields: readonly string[]): PrepareStrategy {
  return {
    create: (object) => withGeneration(withStatus(object, {}), 1),
    update: (object, live) => bumpGenerationOnChange(keepStatus(object, live), live, fields),
  };
}

const bySpec = countingGeneration("spec");
const onlyStatusAndNoMetadata = (object: KubeObject, live: KubeObject): KubeObject => keepMetadata(takeStatusOnly(object, live), live);

/** Models apiextensions pkg/registry/customresourcedefinition/strategy.go: the storage version is added to status.storedVersions. */
function withStoredVersion(crd: KubeObject): KubeObject {
  const version = stringAt(
    listAt(crd, "spec.versions").find((item) => item["storage"] === true),
    "name",
  );
  const stored = stringsAt(crd, "status.storedVersions");
  if (version === undefined || stored.includes(version)) return crd;
  return withField(crd, "status", { ...fieldsAt(crd, "status"), storedVersions: [...stored, version] });
}

const contentOf = (object: KubeObject): unknown => withoutFields(object, "metadata");

/** Changes of labels and of everything but metadata increase the generation. Models pkg/registry/discovery/endpointslice/strategy.go */
function prepareEndpointSliceForUpdate(slice: KubeObject, live: KubeObject): KubeObject {
  const unchanged =
    isSemanticDeepEqual(contentOf(slice), contentOf(live)) && isSemanticDeepEqual(slice.metadata.labels, live.metadata.labels);
  return unchanged ? slice : withGeneration(slice, (live.metadata.generation ?? 0) + 1);
}

const registration = "admissionregistration.k8s.io";
const flowControl = "flowcontrol.apiserver.k8s.io";

export const prepareByKind: Readonly<Record<string, PrepareStrategy>> = {
  "/Pod": { create: core.preparePodForCreate, update: core.preparePodForUpdate, status: core.preparePodStatus },
  "/Namespace": { create: core.prepareNamespaceForCreate, update: core.prepareNamespaceForUpdate },
  "/PersistentVolume": { create: core.preparePersistentVolumeForCreate, status: core.preparePersistentVolumeStatus },
  "/PersistentVolumeClaim": { create: core.preparePersistentVolumeClaimForCreate, update: core.preparePersistentVolumeClaimForUpdate },
  "/ServiceAccount": { create: core.prepareServiceAccount, update: core.prepareServiceAccount },
  "/LimitRange": { create: core.prepareLimitRangeForCreate },
  "/Node": { create: same },
  "/Service": { update: prepareServiceForUpdate },
  "/PodTemplate": countingGeneration("template"),
  "/ReplicationController": bySpec,
  "apps/Deployment": { ...bySpec, update: workload.prepareDeploymentForUpdate, status: workload.prepareDeploymentStatus },
  "apps/ReplicaSet": bySpec,
  "apps/StatefulSet": bySpec,
  "apps/DaemonSet": { create: workload.prepareDaemonSetForCreate, update: workload.prepareDaemonSetForUpdate },
  "batch/Job": { create: workload.prepareJobForCreate, update: workload.prepareJobForUpdate },
  "batch/CronJob": bySpec,
  "networking.k8s.io/Ingress": bySpec,
  "networking.k8s.io/NetworkPolicy": bySpec,
  "networking.k8s.io/IngressClass": bySpec,
  "networking.k8s.io/ServiceCIDR": { create: same, update: same, status: onlyStatusAndNoMetadata },
  "policy/PodDisruptionBudget": bySpec,
  "discovery.k8s.io/EndpointSlice": { create: (object) => withGeneration(object, 1), update: prepareEndpointSliceForUpdate },
  "scheduling.k8s.io/PriorityClass": { create: (object) => withGeneration(object, 1) },
  "storage.k8s.io/CSIDriver": { update: (object, live) => bumpGenerationOnChange(object, live, ["spec"]) },
  "storage.k8s.io/VolumeAttachment": { status: onlyStatusAndNoMetadata },
  "resource.k8s.io/ResourceSlice": bySpec,
  "resource.k8s.io/DeviceClass": bySpec,
  "resource.k8s.io/ResourceClaim": { status: onlyStatusAndNoMetadata },
  [`${flowControl}/FlowSchema`]: bySpec,
  [`${flowControl}/PriorityLevelConfiguration`]: bySpec,
  [`${registration}/ValidatingWebhookConfiguration`]: countingGeneration("webhooks"),
  [`${registration}/MutatingWebhookConfiguration`]: countingGeneration("webhooks"),
  [`${registration}/ValidatingAdmissionPolicy`]: { ...bySpec, status: onlyStatusAndNoMetadata },
  [`${registration}/ValidatingAdmissionPolicyBinding`]: bySpec,
  "certificates.k8s.io/CertificateSigningRequest": {
    create: prepareSigningRequest,
    status: prepareSigningRequestStatus,
    update: (object, live) => keepStatus(withField(object, "spec", live["spec"]), live),
  },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    create: (object) => withStoredVersion(withGeneration(withStatus(object, {}), 1)),
    update: (object, live) => withStoredVersion(bumpGenerationOnChange(keepStatus(object, live), live, ["spec"])),
  },
};
