import { authorizerValue, resourceCheckValue, type AskAuthorizer } from "../../lang/cel/index.ts";
import { serviceAccountGroups, serviceAccountUsername, type UserInfo } from "../authentication/index.ts";
import type { Authorizer } from "../authorization/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import type { Bindings } from "../expression/index.ts";
import { admissionRequestOf, componentUser, nameOf, namespaceOf } from "./admission-request.ts";
import type { MatchContext, ResourceVersion } from "./match-context.ts";
import { versionedObjects } from "./written-objects.ts";

/** What expressions see of a write, taken as one of this version of its resource. Models apiserver pkg/admission/plugin/cel/activation.go */
export function bindingsOf(attributes: AdmissionAttributes, version: ResourceVersion, context: MatchContext): Bindings {
  const { resource, subresource = "", user = componentUser } = attributes;
  const ask = askerFor(context.authorizer, user);
  return {
    ...versionedObjects(attributes, version, context),
    params: null,
    namespaceObject: null,
    request: admissionRequestOf(attributes, version),
    authorizer: authorizerValue(ask),
    "authorizer.requestResource": resourceCheckValue(ask, {
      group: resource.group,
      resource: resource.plural,
      subresource,
      namespace: namespaceOf(attributes),
      name: nameOf(attributes),
    }),
  };
}

function askerFor(authorizer: Authorizer, requestor: UserInfo): AskAuthorizer {
  return ({ serviceAccount, ...question }) => {
    const user =
      serviceAccount === undefined
        ? requestor
        : {
            username: serviceAccountUsername(serviceAccount.namespace, serviceAccount.name),
            groups: serviceAccountGroups(serviceAccount.namespace),
          };
    return authorizer.authorize({ ...question, user });
  };
}
