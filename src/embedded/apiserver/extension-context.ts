import { groupVersionOf, isFields, type GroupVersionKind } from "../../core/object/index.ts";
import type { PolicyContext } from "../admissionpolicy/index.ts";
import type { Authorizer } from "../authorization/index.ts";
import type { WebhookContext, WebhookRunner } from "../webhook/index.ts";
import type { ApiServer } from "./api-server.ts";
import { decodeObject } from "./decode-object.ts";
import { apiVersionFor, inVersion, type ServedResource } from "./served-resource.ts";
import { strategyOf } from "./strategy-of.ts";

/** What the plugins that objects in the cluster configure, webhooks and policies, see of the API server. */
type ExtensionContext = WebhookContext & PolicyContext;

/** `server` is a function because the server is constructed with the plugins. */
export function extensionContextOf(server: () => ApiServer, authorizer: Authorizer, runner: WebhookRunner): ExtensionContext {
  return {
    runner,
    authorizer,
    read: (resource, namespace, name) => server().read(resource, namespace, name),
    list: (resource, namespace) => server().list(resource, namespace),
    versionsOf: (key) => server().catalog.versionsOf(key),
    convert: (object, to) => {
      const resource = server().catalog.find(to.group, to.version, to.plural);
      return resource === undefined ? inVersion(object, apiVersionFor(to)) : server().convertTo(resource, object);
    },
    decode: (value, { group, version, plural }, kind) => {
      const found = server().catalog.find(group, version, plural);
      const resource = found === undefined || kind === undefined ? found : ofKind(found, kind);
      if (resource === undefined) throw new Error(`no kind is registered for ${plural} in version ${apiVersionFor({ group, version })}`);
      const { object } = decodeObject(resource, isFields(value) ? value : {}, { fieldValidation: "Ignore" });
      return strategyOf(resource).defaults(object);
    },
    paramResource: (apiVersion, kind) => {
      const { catalog } = server();
      const { group, version } = groupVersionOf(apiVersion);
      const found = catalog.withKind(group, kind);
      return found !== undefined && catalog.find(group, version, found.plural) !== undefined ? found : undefined;
    },
  };
}

/** What a subresource has instead of the objects of its resource. */
function ofKind({ custom: _custom, ...resource }: ServedResource, kind: GroupVersionKind): ServedResource {
  return { ...resource, ...kind, storageVersion: kind.version };
}
