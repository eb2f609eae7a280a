import {
  applyMergePatch,
  isFields,
  labelSelectorOf,
  labelSelectorText,
  numberAt,
  valueAt,
  type KubeObject,
} from "../../core/object/index.ts";
import { fieldInvalid } from "../field-error.ts";
import { invalidError } from "../status-error.ts";
import type { AdmittedView } from "./admission.ts";
import type { ServedResource } from "./served-resource.ts";

/** What admission sees of a write to `scale`: the Scale, whose replicas a webhook may change. */
export function scaleView(resource: ServedResource): AdmittedView {
  return {
    subresource: "scale",
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    show: (object) => scaleOf(resource, object),
    take: (object, scale) => withReplicas(resource, object, numberAt(scale, "spec.replicas", 0)),
  };
}

type Paths = { readonly spec: string; readonly status: string; readonly selector: string };

function pathsOf({ custom, version: served }: ServedResource): Paths {
  const versions = valueAt(custom?.crd, "spec.versions");
  const version = Array.isArray(versions) ? versions.find((item: unknown) => valueAt(item, "name") === served) : undefined;
  const path = (name: string, otherwise: string) => String(valueAt(version, `subresources.scale.${name}`) ?? `.${otherwise}`).slice(1);
  return {
    spec: path("specReplicasPath", "spec.replicas"),
    status: path("statusReplicasPath", "status.replicas"),
    selector: path("labelSelectorPath", "spec.selector"),
  };
}

/** Where a workload has its replicas. */
export function replicasPathOf(resource: ServedResource): readonly string[] {
  return pathsOf(resource).spec.split(".");
}

/** The selector of a workload as text. That of a ReplicationController has labels alone. */
function selectorText({ key }: ServedResource, selector: unknown): string {
  if (typeof selector === "string") return selector;
  if (!isFields(selector)) return "";
  return labelSelectorText(labelSelectorOf(key === "replicationcontrollers" ? { matchLabels: selector } : selector));
}

/** The Scale of a workload. */
export function scaleOf(resource: ServedResource, live: KubeObject): KubeObject {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = live.metadata;
  const replicas = numberAt(live, paths.spec, 0);
  const text = selectorText(resource, valueAt(live, paths.selector));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: uid!,
      resourceVersion: resourceVersion!,
      creationTimestamp: creationTimestamp!,
    },
    // Go omits a zero here, and not in the status.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(live, paths.status, 0), ...(text === "" ? {} : { selector: text }) },
  };
}

/** The workload with so many replicas. */
export function withReplicas(resource: ServedResource, live: KubeObject, replicas: number): KubeObject {
  const path = pathsOf(resource).spec;
  if (!Number.isInteger(replicas) || replicas < 0)
    throw invalidError({ group: "autoscaling", kind: "Scale" }, live.metadata.name, [
      fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  return applyMergePatch(
    live,
    path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), replicas),
  ) as KubeObject;
}
