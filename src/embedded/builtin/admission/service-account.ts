import { fieldsAt, listAt, mapAt, stringAt, valueAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changedItems } from "../field-edits.ts";
import { mountableSecretsAnnotation, objectionToSecrets, referencesSecrets } from "./mountable-secrets.ts";
import {
  admissionForbidden,
  type AdmissionAttributes,
  type ValidatingPlugin,
  type MutatingPlugin,
  type AdmissionContext,
} from "./plugin.ts";

// Models plugin/pkg/admission/serviceaccount/admission.go

const volumePrefix = "kube-api-access-";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const lifetimeSeconds = 3607;

/** Sets the service account of a new Pod, its token volume and its pull secrets. */
export const admitServiceAccount: MutatingPlugin = (pod, attributes, context) => {
  if (attributes.operation !== "CREATE" || isMirrorPod(pod)) return pod;
  const spec = fieldsAt(pod, "spec");
  const name = accountNameOf(spec) || "default";
  const account = accountOf(attributes, name, context);
  const named = { ...spec, serviceAccountName: name, serviceAccount: name };
  const mounted = mountsToken(spec, account) ? withToken(named, context) : named;
  return { ...pod, spec: withPullSecrets(mounted, account) };
};

/** Rejects secrets that the service account may not mount. */
export const validateServiceAccount: ValidatingPlugin = (attributes, context) => {
  if (attributes.resource.key === "serviceaccounts") return warnOfMountableSecrets(attributes);
  if (attributes.operation !== "CREATE") return;
  const spec = fieldsAt(attributes.object, "spec");
  if (isMirrorPod(attributes.object)) return validateMirrorPod(attributes, spec);
  const account = accountOf(attributes, accountNameOf(spec), context);
  const objection = objectionToSecrets(spec, account);
  if (objection !== undefined) throw admissionForbidden(attributes, objection);
};

/** A kubelet shows a pod of its own files in this way: it has no service account. */
function isMirrorPod(pod: KubeObject): boolean {
  return Object.hasOwn(mapAt(pod, "metadata.annotations"), "kubernetes.io/config.mirror");
}

function validateMirrorPod(attributes: AdmissionAttributes, spec: Fields): void {
  const objection =
    accountNameOf(spec) !== ""
      ? "a mirror pod may not reference service accounts"
      : referencesSecrets(spec)
        ? "a mirror pod may not reference secrets"
        : usesTokens(spec)
          ? "a mirror pod may not use ServiceAccountToken volume projections"
          : undefined;
  if (objection !== undefined) throw admissionForbidden(attributes, objection);
}

function usesTokens(spec: Fields): boolean {
  const sources = listAt(spec, "volumes").flatMap((volume) => listAt(volume, "projected.sources"));
  return sources.some((source) => (source["serviceAccountToken"] ?? null) !== null);
}

/** The strategy of service accounts warns of the annotation when it is new. */
function warnOfMountableSecrets({ operation, object, live, warn }: AdmissionAttributes): void {
  const has = [object, live].map((account) => Object.hasOwn(mapAt(account, "metadata.annotations"), mountableSecretsAnnotation));
  if (operation === "DELETE" || !has[0] || has[1]) return;
  warn?.(
    `metadata.annotations[${mountableSecretsAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  );
}

function accountNameOf(spec: Fields): string {
  return stringAt(spec, "serviceAccountName") || stringAt(spec, "serviceAccount", "");
}

function accountOf(attributes: AdmissionAttributes, name: string, context: AdmissionContext): KubeObject {
  const { namespace = "" } = attributes.object.metadata;
  const account = context.read("serviceaccounts", namespace, name);
  if (account !== undefined) return account;
  // A real server waits a second or two for the controller that creates this account. Here the account is assumed.
  if (name === "default") return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
  throw admissionForbidden(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

function mountsToken(spec: Fields, account: KubeObject): boolean {
  const automount = valueAt(spec, "automountServiceAccountToken") ?? account["automountServiceAccountToken"];
  return automount !== false;
}

function withToken(spec: Fields, context: AdmissionContext): Fields {
  const present = listAt(spec, "volumes").find((volume) => stringAt(volume, "name", "").startsWith(volumePrefix));
  const name = stringAt(present, "name") ?? context.generateName(volumePrefix);
  const mounted = ["initContainers", "containers"].reduce((fields, list) => changedItems(fields, list, withMount(name)), spec);
  if (mounted === spec || present !== undefined) return mounted;
  return { ...mounted, volumes: [...listAt(spec, "volumes"), { name, projected: tokenSources }] };
}

function withMount(name: string): (container: Fields) => Fields {
  return (container) => {
    const mounts = listAt(container, "volumeMounts");
    // A container opts out of the token by mounting something else at this path.
    if (mounts.some((mount) => mount["mountPath"] === mountPath)) return container;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath }] };
  };
}

const tokenSources = {
  sources: [
    { serviceAccountToken: { expirationSeconds: lifetimeSeconds, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ],
  defaultMode: 0o644,
};

function withPullSecrets(spec: Fields, account: KubeObject): Fields {
  const secrets = listAt(account, "imagePullSecrets");
  if (secrets.length === 0 || listAt(spec, "imagePullSecrets").length > 0) return spec;
  return { ...spec, imagePullSecrets: secrets.map(({ name }) => ({ name })) };
}
