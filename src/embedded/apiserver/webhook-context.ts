import { isFields } from "../../core/object/index.ts";
import type { WebhookContext, WebhookRunner } from "../webhook/index.ts";
import type { ApiServer } from "./api-server.ts";
import { decodeObject } from "./decode-object.ts";
import { apiVersionFor, inVersion } from "./served-resource.ts";
import { strategyOf } from "./strategy-of.ts";

/** What webhooks see of the API server. `server` is a function because the server is constructed with them. */
export function webhookContextOf(server: () => ApiServer, runner: WebhookRunner): WebhookContext {
  return {
    runner,
    read: (resource, namespace, name) => server().read(resource, namespace, name),
    list: (resource) => server().list(resource),
    versionsOf: (key) => server().catalog.versionsOf(key),
    convert: (object, to) => inVersion(object, apiVersionFor(to)),
    decode: (value, { group, version, plural }) => {
      const resource = server().catalog.find(group, version, plural);
      if (resource === undefined) throw new Error(`no kind is registered for ${plural} in version ${apiVersionFor({ group, version })}`);
      const { object } = decodeObject(resource, isFields(value) ? value : {}, { fieldValidation: "Ignore" });
      return strategyOf(resource).defaults(object);
    },
  };
}
