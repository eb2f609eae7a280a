import type { Fields } from "../../core/object/index.ts";
import { userInfoFields, type UserInfo } from "../authentication/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import type { ResourceVersion } from "./match-context.ts";
import type { WrittenObjects } from "./written-objects.ts";

/** The user of writes that a component of the cluster makes. */
export const componentUser: UserInfo = { username: "system:kube-controller-manager", groups: ["system:authenticated"] };

/** The name in a request; empty where it has none, as while it is still to be generated. */
export function nameOf({ name, object }: AdmissionAttributes): string {
  return name ?? object.metadata.name ?? "";
}

/** The namespace of a request. Of a Namespace, its own name. */
export function namespaceOf(attributes: AdmissionAttributes): string {
  return attributes.resource.key === "namespaces" ? nameOf(attributes) : (attributes.object.metadata.namespace ?? "");
}

/**
 * The AdmissionRequest about a write, taken as one of this version of its resource. Expressions see it without its objects, which
 * they have as variables.
 *
 * Models apiserver pkg/admission/plugin/webhook/request/admissionreview.go and pkg/admission/plugin/cel/condition.go
 * CreateAdmissionRequest
 */
export function admissionRequestOf(attributes: AdmissionAttributes, version: ResourceVersion, objects?: WrittenObjects): Fields {
  const { operation, resource, subresource = "", user = componentUser, dryRun = false, options = null, objectKind } = attributes;
  const [name, namespace] = [nameOf(attributes), namespaceOf(attributes)];
  return {
    kind: kindFields(objectKind ?? version),
    resource: resourceFields(version),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindFields(objectKind ?? resource),
    requestResource: resourceFields(resource),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userInfoFields(user),
    ...objects,
    dryRun,
    options,
  };
}

function kindFields({ group, version, kind }: Omit<ResourceVersion, "plural">): Fields {
  return { group, version, kind };
}

function resourceFields({ group, version, plural }: Omit<ResourceVersion, "kind">): Fields {
  return { group, version, resource: plural };
}
