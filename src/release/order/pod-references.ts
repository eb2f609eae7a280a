import { isFields, listAt, mapAt, stringAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";

/** The paths of pod templates in built-in kinds and in custom kinds that follow them. */
const templates = ["spec.template", "spec.jobTemplate.spec.template", "template"];

/** The spec and labels of a Pod or of a workload's pod template. */
export function podTemplateOf(
  object: KubeObject,
): { readonly spec: Fields; readonly labels: Readonly<Record<string, string>> } | undefined {
  if (object.kind === "Pod" && object.apiVersion === "v1") return podIn(object);
  for (const path of templates) {
    const found = podIn(valueAt(object, path));
    if (found !== undefined) return found;
  }
  return undefined;
}

function podIn(template: unknown): { readonly spec: Fields; readonly labels: Readonly<Record<string, string>> } | undefined {
  const spec = valueAt(template, "spec");
  if (!isFields(spec) || !Array.isArray(spec["containers"])) return undefined;
  return { spec, labels: mapAt(template, "metadata.labels") };
}

/** A reference of a pod to another object. */
type PodReference = {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly because: string;
  readonly optional: boolean;
  readonly clusterWide?: true;
};

/** All references of a pod: service accounts, Secrets, ConfigMaps, volume claims, classes. */
export function podReferences(spec: Fields): readonly PodReference[] {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => listAt(spec, list));
  return [
    ...named("", "ServiceAccount", stringAt(spec, "serviceAccountName") ?? stringAt(spec, "serviceAccount"), "its service account"),
    ...listAt(spec, "imagePullSecrets").flatMap(({ name }) => named("", "Secret", name, "its pull secret", true)),
    ...containers.flatMap(containerReferences),
    ...listAt(spec, "volumes").flatMap(volumeReferences),
    ...listAt(spec, "resourceClaims").flatMap((claim) => [
      ...named("resource.k8s.io", "ResourceClaim", claim["resourceClaimName"], "a resource claim of it"),
      ...named("resource.k8s.io", "ResourceClaimTemplate", claim["resourceClaimTemplateName"], "a resource claim of it"),
    ]),
    ...named("scheduling.k8s.io", "PriorityClass", spec["priorityClassName"], "its priority class").map(clusterWide),
    ...named("node.k8s.io", "RuntimeClass", spec["runtimeClassName"], "its runtime class").map(clusterWide),
  ];
}

function named(group: string, kind: string, name: unknown, because: string, optional: unknown = false): readonly PodReference[] {
  return typeof name === "string" && name !== "" ? [{ group, kind, name, because, optional: optional === true }] : [];
}

function clusterWide(need: PodReference): PodReference {
  return { ...need, clusterWide: true };
}

function containerReferences(container: Fields): readonly PodReference[] {
  return [
    ...listAt(container, "env").flatMap((item) => [
      ...variable("ConfigMap", valueAt(item, "valueFrom.configMapKeyRef")),
      ...variable("Secret", valueAt(item, "valueFrom.secretKeyRef")),
    ]),
    ...listAt(container, "envFrom").flatMap((item) => [
      ...variable("ConfigMap", item["configMapRef"]),
      ...variable("Secret", item["secretRef"]),
    ]),
  ];
}

function variable(kind: string, holder: unknown): readonly PodReference[] {
  return named("", kind, valueAt(holder, "name"), "an environment variable of it", valueAt(holder, "optional"));
}

function volumeReferences(volume: Fields): readonly PodReference[] {
  const because = "a volume of it";
  const configMap = (holder: unknown) => named("", "ConfigMap", valueAt(holder, "name"), because, valueAt(holder, "optional"));
  const secret = volume["secret"];
  return [
    ...configMap(volume["configMap"]),
    ...named("", "Secret", valueAt(secret, "secretName"), because, valueAt(secret, "optional")),
    ...named("", "Secret", valueAt(volume, "csi.nodePublishSecretRef.name"), because),
    ...named("", "PersistentVolumeClaim", valueAt(volume, "persistentVolumeClaim.claimName"), because),
    ...named("storage.k8s.io", "StorageClass", valueAt(volume, "ephemeral.volumeClaimTemplate.spec.storageClassName"), because).map(
      clusterWide,
    ),
    ...listAt(volume, "projected.sources").flatMap((source) => [
      ...configMap(source["configMap"]),
      ...named("", "Secret", valueAt(source, "secret.name"), because, valueAt(source, "secret.optional")),
    ]),
  ];
}
