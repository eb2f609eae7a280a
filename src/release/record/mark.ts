import { refOf, titleOf, type KubeObject } from "../../object/index.ts";
import type { Release } from "./revision.ts";

const managedBy = "app.kubernetes.io/managed-by";
const releaseName = "meta.helm.sh/release-name";
const releaseNamespace = "meta.helm.sh/release-namespace";

/** The object with the marks by which Helm knows whose it is. Models helm pkg/action/validate.go setMetadataVisitor */
export function marked(object: KubeObject, { name, namespace }: Release): KubeObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, [managedBy]: "Helm" };
  const annotations = { ...metadata.annotations, [releaseName]: name, [releaseNamespace]: namespace };
  return { ...object, metadata: { ...metadata, labels, annotations } };
}

/** The release that an object says it is of. The label alone says nothing: other tools overwrite it. */
export function ownerOf({ metadata }: KubeObject): Release | undefined {
  const { [releaseName]: name, [releaseNamespace]: namespace } = metadata.annotations ?? {};
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

/** Tells whether an object is of this release, by its annotations. */
export function isOwnedBy(object: KubeObject, { name, namespace }: Release): boolean {
  const owner = ownerOf(object);
  return owner?.name === name && owner.namespace === namespace;
}

/**
 * Why an object that is there already cannot become part of the release without being told to; nothing when it is part
 * of it. Models helm pkg/action/validate.go checkOwnership
 */
export function objectionToAdopt(live: KubeObject, release: Release): string | undefined {
  const { labels = {}, annotations = {} } = live.metadata;
  const differences = [
    differenceOf(`metadata.labels["${managedBy}"]`, labels[managedBy], "Helm"),
    differenceOf(`metadata.annotations["${releaseName}"]`, annotations[releaseName], release.name),
    differenceOf(`metadata.annotations["${releaseNamespace}"]`, annotations[releaseNamespace], release.namespace),
  ].filter((difference) => difference !== undefined);
  if (differences.length === 0) return undefined;
  const { namespace } = refOf(live);
  const place = namespace === "" ? "" : ` in ${namespace}`;
  return (
    `${titleOf(refOf(live))}${place} is there already and ${whose(live, release)}: ${differences.join("; ")}: ` +
    "delete it or give it another name, or take it over with --take-ownership"
  );
}

function whose(live: KubeObject, release: Release): string {
  const owner = ownerOf(live);
  if (owner === undefined || isOwnedBy(live, release)) return "is not marked as this release's";
  return `belongs to release ${owner.name} in ${owner.namespace}`;
}

function differenceOf(field: string, found: string | undefined, expected: string): string | undefined {
  if (found === expected) return undefined;
  return `${field} is ${found === undefined ? "missing" : JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
}
