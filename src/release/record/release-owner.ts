import type { KubeObject } from "../../core/object/index.ts";
import type { Release } from "./revision.ts";

const managedBy = "app.kubernetes.io/managed-by";
const releaseName = "meta.helm.sh/release-name";
const releaseNamespace = "meta.helm.sh/release-namespace";

/** The object with Helm's ownership metadata. Models helm pkg/action/validate.go setMetadataVisitor */
export function withReleaseOwner(object: KubeObject, { name, namespace }: Release): KubeObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, [managedBy]: "Helm" };
  const annotations = { ...metadata.annotations, [releaseName]: name, [releaseNamespace]: namespace };
  return { ...object, metadata: { ...metadata, labels, annotations } };
}

/** The release that owns an object, by its annotations. The label alone does not count: other tools overwrite it. */
export function releaseOwnerOf({ metadata }: KubeObject): Release | undefined {
  const { [releaseName]: name, [releaseNamespace]: namespace } = metadata.annotations ?? {};
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

/** The object without Helm's ownership annotations. */
export function withoutReleaseOwner(object: KubeObject): KubeObject {
  const { [releaseName]: _name, [releaseNamespace]: _namespace, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
