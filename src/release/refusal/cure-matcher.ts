import { keyOf, listAt, refOf, stringAt, valueAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { unreachable } from "../../core/fault/index.ts";
import type { Cure, ChangedObject } from "./cure.ts";

/** Whether a change may cure. */
type CureMatcher = (cure: Cure, change: ChangedObject) => boolean;

const rbac = "rbac.authorization.k8s.io";

/**
 * Matches cures with changes. `known` are the manifests that are around, of now and of before: they say which webhooks
 * a configuration has or had, and which role is bound to whom. Where nothing is known, a change may cure.
 */
export function cureMatcher(known: readonly KubeObject[]): CureMatcher {
  const versions = Map.groupBy(known, (manifest) => keyOf(refOf(manifest)));
  const versionsOf = ({ ref, manifest }: ChangedObject) => [
    ...(versions.get(keyOf(ref)) ?? []),
    ...(manifest === undefined ? [] : [manifest]),
  ];
  const configurations = known.filter((manifest) => isWebhookConfiguration(refOf(manifest)));
  const bindings = known.filter((manifest) => isBinding(refOf(manifest)));

  return function mayCure(cure, change) {
    const { ref, verb } = change;
    switch (cure.by) {
      case "object":
        return (cure.deleted === true || verb !== "delete") && isNamed(cure, ref);
      case "definition":
        return verb !== "delete" && isCrd(ref) && anyVersion(versionsOf(change), (crd) => definesKind(crd, cure));
      case "deletion":
        return verb !== "apply" && ref.namespace === cure.namespace;
      case "webhook":
        if (isWebhookConfiguration(ref)) return anyVersion(versionsOf(change), (each) => webhooksIn(each, cure.name).length > 0);
        return configurations.flatMap((each) => webhooksIn(each, cure.name)).some((webhook) => isBackend(change, serviceOf(webhook)));
      case "backend":
        return isBackend(change, cure);
      case "grant":
        if (verb === "delete" || ref.group !== rbac) return false;
        if (isBinding(ref)) return anyVersion(versionsOf(change), (binding) => isSubject(binding, cure));
        return bindings.some((binding) => isSubject(binding, cure) && bindsRole(binding, ref));
      default:
        return unreachable(cure);
    }
  };
}

/** Whether any version passes, or there is none to look at. */
function anyVersion(versions: readonly KubeObject[], passes: (version: KubeObject) => boolean): boolean {
  return versions.length === 0 || versions.some(passes);
}

function isNamed(cure: Cure & { by: "object" }, { group, kind, namespace, name }: ObjectRef): boolean {
  return group === cure.group && kind === cure.kind && namespace === cure.namespace && (cure.name === undefined || name === cure.name);
}

function isCrd({ group, kind }: ObjectRef): boolean {
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}

function definesKind(crd: KubeObject, { group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return stringAt(crd, "spec.group") === group && stringAt(crd, "spec.names.kind") === kind;
}

function isWebhookConfiguration({ group, kind }: ObjectRef): boolean {
  return group === "admissionregistration.k8s.io" && kind.endsWith("WebhookConfiguration");
}

function webhooksIn(configuration: KubeObject, name: string) {
  return listAt(configuration, "webhooks").filter((webhook) => webhook["name"] === name);
}

function serviceOf(webhook: unknown): { readonly namespace: string; readonly name: string } {
  const service = valueAt(webhook, "clientConfig.service");
  return { namespace: stringAt(service, "namespace", ""), name: stringAt(service, "name", "") };
}

/** The kinds that make pods or their certificates, besides the Service. */
const backendKinds = new Set([
  "apps/Deployment",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "apps/ReplicaSet",
  "/Pod",
  "/ReplicationController",
  "/Secret",
  "cert-manager.io/Certificate",
  "networking.k8s.io/NetworkPolicy",
]);

function isBackend({ ref }: ChangedObject, { namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
  if (namespace === "" || ref.namespace !== namespace) return false;
  return ref.group === "" && ref.kind === "Service" ? ref.name === name : backendKinds.has(`${ref.group}/${ref.kind}`);
}

function isBinding({ group, kind }: ObjectRef): boolean {
  return group === rbac && kind.endsWith("RoleBinding");
}

function isSubject(binding: KubeObject, { user, groups }: Cure & { by: "grant" }): boolean {
  return listAt(binding, "subjects").some((subject) => {
    const name = stringAt(subject, "name", "");
    if (subject["kind"] === "Group") return groups.includes(name);
    if (subject["kind"] !== "ServiceAccount") return name === user;
    const namespace = stringAt(subject, "namespace", binding.metadata.namespace ?? "");
    return user === `system:serviceaccount:${namespace}:${name}`;
  });
}

function bindsRole(binding: KubeObject, { kind, name, namespace }: ObjectRef): boolean {
  if (stringAt(binding, "roleRef.kind") !== kind || stringAt(binding, "roleRef.name") !== name) return false;
  return kind === "ClusterRole" || binding.metadata.namespace === namespace;
}
