import type { Answer } from "../../core/exchange/index.ts";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  goText,
  isFields,
  jsonTypeOf,
  PatchFault,
  patchSchemaOf,
  type Fields,
  type KubeObject,
} from "../../core/object/index.ts";
import {
  apiVersionFor,
  applyOwned,
  decode,
  inVersion,
  Undecodable,
  type Decoded,
  type DecodeOptions,
  type Resource,
} from "../api/index.ts";
import { schemaOf } from "../data/index.ts";
import { invalid as invalidField } from "../field-error.ts";
import { badRequest, conflict, invalid, notFound, Refusal } from "../refusal.ts";
import { jsonOf, mediaTypeOf, textOfBody, unsupportedMediaType, yamlOf } from "./media.ts";
import { fieldValidationOf, inNamespace, objectAnswer, optionsOf, type Write } from "./write.ts";

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";
const apply = "application/apply-patch+yaml";

const known = [json, merge, strategic, apply];

/** Changes an object by a patch of one of the four kinds. Models apiserver pkg/endpoints/handlers/patch.go */
export function patchAnswer(write: Write): Answer {
  const { resource, request } = write;
  const accepted = resource.custom === undefined ? [json, merge, strategic, apply] : [json, merge, apply];
  const type = mediaTypeOf(request);
  if (!known.includes(type)) throw new Refusal(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const patch = type === apply ? yamlOf(textOfBody(request)) : jsonOf(textOfBody(request));
  return type === apply ? applyAnswer(write, patch) : patchedAnswer(write, type, patch);
}

function patchedAnswer(write: Write, type: string, patch: unknown): Answer {
  const { server, resource, target, query } = write;
  const live = server.read(resource.key, target.namespace, target.name);
  if (live === undefined) throw notFound(resource, target.name);
  const shown = inVersion(live, apiVersionFor(resource));
  const changed = patched(resource, shown, type, patch);
  const { object, warnings } = decoded(resource, changed, {
    fieldValidation: fieldValidationOf(query),
    converted: type === strategic,
    shown: type === strategic ? goText(patch) : JSON.stringify(changed),
  });
  checkIdentity(live, object);
  const next = server.updateAs(resource, live, inNamespace(write, object), optionsOf(write));
  return objectAnswer(200, resource, next, warnings);
}

function patched(resource: Resource, shown: KubeObject, type: string, patch: unknown): unknown {
  try {
    if (type === json && !Array.isArray(patch))
      throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeOf(patch)} into Go value of type []handlers.jsonPatchOp`);
    if (type === json) return applyJsonPatch(shown, patch);
    if (type === merge) return applyMergePatch(shown, patch);
    return applyStrategicPatch(
      shown,
      patch,
      patchSchemaOf(schemaOf(resource) ?? {}, () => ({})),
    );
  } catch (error) {
    if (error instanceof PatchFault) throw refusalOf(error);
    throw error;
  }
}

/** What a patch leaves must still be an object of its kind. `shown` is how the server shows what it objects to. */
function decoded(resource: Resource, changed: unknown, { shown, ...options }: DecodeOptions & { readonly shown: string }): Decoded {
  try {
    return decode(resource, isFields(changed) ? changed : {}, options);
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    throw invalid({ group: "", kind: "" }, "", [invalidField("patch", shown, error.message)]);
  }
}

/** A patch that does not fit is refused without a word on why. Models apiserver pkg/endpoints/handlers/patch.go applyJSPatch */
function refusalOf({ reason, message }: PatchFault): Refusal {
  if (reason === "BadRequest") return badRequest(message);
  if (reason === "InternalError") return new Refusal(500, "", message);
  return new Refusal(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

function checkIdentity(live: KubeObject, next: KubeObject): void {
  if (next.metadata.name === live.metadata.name) return;
  throw badRequest(`the name of the object (${next.metadata.name}) does not match the name on the URL (${live.metadata.name})`);
}

/** Server-side apply: creates what is not there. */
function applyAnswer(write: Write, patch: unknown): Answer {
  const { server, resource, target, query } = write;
  const config = configOf(write, patch);
  if ((query.get("fieldManager") ?? "") === "") throw missingManager();
  const live = server.read(resource.key, target.namespace, target.name);
  const force = /^(true|1)$/.test(query.get("force") ?? "");
  const options = { ...optionsOf(write), owned: true };
  const object = applyOwned(resource, live, config, { ...options, force }, server.timestamp());
  if (live !== undefined) return objectAnswer(200, resource, server.updateAs(resource, live, object, options));
  if (target.subresource !== "") throw notFound(resource, target.name);
  if (config.metadata.uid !== undefined)
    throw conflict(
      resource,
      target.name,
      "uid mismatch: the provided object specified uid " + config.metadata.uid + ", and no existing object was found",
    );
  return objectAnswer(201, resource, server.createAs(resource, inNamespace(write, object), options));
}

function missingManager(): Refusal {
  const message = 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch';
  const causes = [{ reason: "FieldValueRequired", message: "Required value: is required for apply patch", field: "fieldManager" }];
  return new Refusal(422, "Invalid", message, { group: "meta.k8s.io", kind: "PatchOptions", causes });
}

function configOf(write: Write, patch: unknown): KubeObject {
  const { target } = write;
  if (!isFields(patch)) throw badRequest(`error decoding YAML: the body of an apply must be an object`);
  const metadata: Fields = isFields(patch["metadata"]) ? patch["metadata"] : {};
  const { name } = metadata;
  if (name !== undefined && name !== target.name) {
    throw badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${target.name})`);
  }
  const { apiVersion = "", kind = "" } = patch;
  const config = { ...patch, apiVersion: String(apiVersion), kind: String(kind), metadata: { ...metadata, name: target.name } };
  // Checked, but not written into what is applied: messages show the object as it was sent.
  inNamespace(write, config);
  return config;
}
