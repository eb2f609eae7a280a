import type { KubeObject } from "../../core/object/index.ts";
import type { ServedResource } from "../apiserver/index.ts";
import { writeOptionsOf } from "./request-options.ts";
import type { RequestScope } from "./request-scope.ts";

/** Takes what is created and stored nowhere, such as an Eviction or a review, through admission. Both throw a StatusError to reject it. */
type CreateAdmission = {
  /** The object as the mutating plugins leave it. */
  readonly admit: (object: KubeObject) => KubeObject;
  readonly validate: (object: KubeObject) => void;
};

/** `created` is the kind of the object, where the path is that of a subresource. */
export function createAdmissionOf(scope: RequestScope, created: ServedResource): CreateAdmission {
  const { server, resource, target } = scope;
  const { group, version, kind } = created;
  const options = {
    ...writeOptionsOf(scope),
    ...(target.subresource === "" ? {} : { objectKind: { group, version, kind } }),
    ...(target.name === "" ? {} : { name: target.name }),
  };
  return {
    admit: (object) => server.admitCreate(resource, object, options),
    validate: (object) => server.validateCreate(resource, object, options),
  };
}
