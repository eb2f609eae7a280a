import { booleanAt, fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { Container, Pod } from "./pod.ts";

/** Finds a ConfigMap or Secret of the pod's namespace. */
export type FindConfig = (kind: "ConfigMap" | "Secret", name: string) => KubeObject | undefined;

/** Why a pod's volumes cannot be mounted, as the kubelet words it. Models pkg/volume/{configmap,secret,projected} */
export function mountProblem(pod: Pod, find: FindConfig): string | undefined {
  for (const volume of listAt(pod.spec, "volumes")) {
    const sources = [volume, ...listAt(volume, "projected.sources")];
    const problem = sources.map((source) => sourceProblem(source, find)).find((found) => found !== undefined);
    if (problem !== undefined) return `MountVolume.SetUp failed for volume "${stringAt(volume, "name", "")}" : ${problem}`;
  }
  return undefined;
}

function sourceProblem(source: Fields, find: FindConfig): string | undefined {
  const map = fieldsAt(source, "configMap");
  const secret = fieldsAt(source, "secret");
  return (
    referenceProblem("ConfigMap", map, stringAt(map, "name"), find) ??
    referenceProblem("Secret", secret, stringAt(secret, "secretName") ?? stringAt(secret, "name"), find)
  );
}

function referenceProblem(kind: "ConfigMap" | "Secret", reference: Fields, name: string | undefined, find: FindConfig): string | undefined {
  if (name === undefined || booleanAt(reference, "optional")) return undefined;
  const found = find(kind, name);
  if (found === undefined) return `${kind.toLowerCase()} "${name}" not found`;
  const missing = listAt(reference, "items").find((item) => !hasKey(found, stringAt(item, "key", "")));
  if (missing === undefined) return undefined;
  return kind === "ConfigMap"
    ? `configmap references non-existent config key: ${stringAt(missing, "key", "")}`
    : `references non-existent secret key: ${stringAt(missing, "key", "")}`;
}

function hasKey(object: KubeObject, key: string): boolean {
  return (
    Object.hasOwn(fieldsAt(object, "data"), key) ||
    Object.hasOwn(fieldsAt(object, "binaryData"), key) ||
    Object.hasOwn(fieldsAt(object, "stringData"), key)
  );
}

/** Why a container's environment cannot be built. Models pkg/kubelet/kubelet_pods.go makeEnvironmentVariables */
export function environmentProblem(container: Container, namespace: string, find: FindConfig): string | undefined {
  for (const source of listAt(container, "envFrom")) {
    const problem =
      wholeProblem("ConfigMap", fieldsAt(source, "configMapRef"), find) ?? wholeProblem("Secret", fieldsAt(source, "secretRef"), find);
    if (problem !== undefined) return problem;
  }
  for (const variable of listAt(container, "env")) {
    const problem =
      keyProblem("ConfigMap", fieldsAt(variable, "valueFrom.configMapKeyRef"), namespace, find) ??
      keyProblem("Secret", fieldsAt(variable, "valueFrom.secretKeyRef"), namespace, find);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function wholeProblem(kind: "ConfigMap" | "Secret", reference: Fields, find: FindConfig): string | undefined {
  return referenceProblem(kind, reference, stringAt(reference, "name"), find);
}

function keyProblem(kind: "ConfigMap" | "Secret", reference: Fields, namespace: string, find: FindConfig): string | undefined {
  const name = stringAt(reference, "name");
  if (name === undefined || booleanAt(reference, "optional")) return undefined;
  const found = find(kind, name);
  if (found === undefined) return `${kind.toLowerCase()} "${name}" not found`;
  const key = stringAt(reference, "key", "");
  return hasKey(found, key) ? undefined : `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}
