import type { ManagedCluster, TemplateResourceRef } from "../api/index.ts";
import { isUnknownKind } from "../../kube/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, groupVersionOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { ForbiddenReference } from "./reference-gate.ts";
import { MissingReference } from "./missing-reference.ts";
import type { ReadReference } from "./addon-request.ts";
import type { ContentRenderer } from "./content-task.ts";
import type { ProfileTemplateData } from "./profile-template.ts";

type Options = { readonly signal: AbortSignal };

/** Reads the objects of the management cluster that the templates of a profile can use. */
export async function readProfileTemplateData(
  cluster: ManagedCluster,
  refs: readonly TemplateResourceRef[],
  read: ReadReference,
  rendererOf: (data: ProfileTemplateData) => ContentRenderer,
  options: Options,
): Promise<ProfileTemplateData> {
  const [infrastructureProvider, controlPlane] = await Promise.all([
    partOf(cluster, "infrastructureRef", read, options),
    partOf(cluster, "controlPlaneRef", read, options),
  ]);
  const data = { cluster: cluster.object, infrastructureProvider, controlPlane };
  // Names in templateResourceRefs are templates themselves, which see the cluster only.
  const names = rendererOf({ ...data, resources: new Map() });
  const resources = new Map<string, KubeObject>();
  for (const ref of refs) {
    const found = await readResource(ref, cluster, names, read, options);
    if (found !== undefined) resources.set(ref.identifier, found);
  }
  return { ...data, resources };
}

async function readResource(
  { identifier, resource, optional }: TemplateResourceRef,
  cluster: ManagedCluster,
  names: ContentRenderer,
  read: ReadReference,
  options: Options,
): Promise<KubeObject | undefined> {
  const at = `templateResourceRefs[${identifier}]`;
  const { apiVersion = "v1", kind = "", namespace = "", name = "" } = resource;
  const ref = {
    ...groupVersionOf(apiVersion),
    kind,
    namespace: (await names.render(`${at}.namespace`, namespace)) || cluster.namespace,
    name: await names.render(`${at}.name`, name),
  };
  const found = await read(ref, options).catch((error: unknown) => {
    if (isUnknownKind(error)) return undefined;
    throw error;
  });
  if (found === undefined && !optional) throw new MissingReference(kind, ref.namespace, ref.name);
  return found;
}

/**
 * The infrastructure or control plane object of a Cluster API cluster, if it exists. Whoever writes the Cluster chooses it, and
 * may not be shown by it what is elsewhere, or a Secret: it is an object of a provider, in the Cluster's namespace.
 */
async function partOf(cluster: ManagedCluster, field: string, read: ReadReference, options: Options): Promise<KubeObject | undefined> {
  if (cluster.type !== "Capi") return undefined;
  const ref = fieldsAt(cluster.object, `spec.${field}`);
  const apiVersion = stringAt(ref, "apiVersion", "");
  const [kind, name] = [stringAt(ref, "kind", ""), stringAt(ref, "name", "")];
  if (apiVersion === "" || name === "") return undefined;
  const namespace = stringAt(ref, "namespace", "") || cluster.namespace;
  const located = { ...groupVersionOf(apiVersion), kind, namespace, name };
  if (located.group === "" || namespace !== cluster.namespace) throw new ForeignPart(cluster, field, located);
  const found = await read(located, options).catch((error: unknown) => {
    // A tenant has not asked for it, and is not shown what it may not read.
    if (isUnknownKind(error) || error instanceof ForbiddenReference) return undefined;
    throw error;
  });
  if (found !== undefined && found.metadata.namespace !== cluster.namespace)
    throw new ForeignPart(cluster, field, { ...located, namespace: "" });
  return found;
}

/** A Cluster names as a part of it what is none. */
class ForeignPart extends Fault {
  constructor(cluster: ManagedCluster, field: string, { group, kind, namespace, name }: ObjectRef) {
    const found = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}${group === "" ? "" : ` (${group})`}`;
    super(
      `Cluster ${cluster.namespace}/${cluster.name}: spec.${field} names ${found}; ` +
        `expected an object of a Cluster API provider in namespace ${cluster.namespace}`,
      undefined,
      { final: true },
    );
    this.name = "ForeignPart";
  }
}
