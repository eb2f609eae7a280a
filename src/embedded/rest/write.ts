import type { Answer, Request } from "../../core/exchange/index.ts";
import type { Fields, KubeObject } from "../../core/object/index.ts";
import {
  apiVersionFor,
  checkVersion,
  decodeObject,
  inVersion,
  strategyOf,
  uidConflict,
  DecodeError,
  type Decoded,
  type DeleteOptions,
  type ServedResource,
} from "../apiserver/index.ts";
import { fieldInvalid as invalidField } from "../field-error.ts";
import { badRequestError, forbiddenError, invalidError, notFoundError, StatusError, type ApiStatus } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import { objectBodyOf, checkBodyType } from "./request-body.ts";
import { deleteOptionsOf, fieldValidationOf, writeOptionsOf } from "./request-options.ts";
import { listOptionsOf } from "./list-options.ts";
import { selectedObjects } from "./list.ts";
import { transformedList, transformedObject } from "./object-transform.ts";
import { otherTypeError } from "./type-meta.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";

export function createAnswer(scope: RequestScope): Answer {
  const { server, resource, target, query, request } = scope;
  // The handler of custom resources does not look at a name in the path.
  if (target.name !== "" && target.subresource === "" && resource.custom === undefined) throw methodNotAllowed();
  checkBodyType(request, resource);
  const options = writeOptionsOf(scope);
  const { object, warnings, misnamed } = decodedBody(resource, request, query);
  warnings.forEach(scope.warn);
  const sent = ensureRequestNamespace(scope, object);
  if (!resource.verbs.includes("create")) {
    throw forbiddenError(resource, sent.metadata.name ?? "", "create not allowed while custom resource definition is terminating");
  }
  if (hasVersion(sent)) throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
  checkType(resource, sent, misnamed);
  return objectAnswer(scope, 201, server.createAs(resource, sent, options));
}

/** The kind of a custom resource is judged when everything else about the request is. */
function checkType(resource: ServedResource, { metadata: { name = "" } }: KubeObject, misnamed: Fields | undefined): void {
  const error = misnamed === undefined ? undefined : otherTypeError(resource, misnamed, name);
  if (error !== undefined) throw error;
}

export function replaceAnswer(scope: RequestScope): Answer {
  const { server, resource, target, query, request } = scope;
  const options = writeOptionsOf(scope);
  const { object, warnings, misnamed } = decodedBody(resource, request, query);
  warnings.forEach(scope.warn);
  const sent = withName(scope, ensureRequestNamespace(scope, object));
  const live = server.readAs(resource, target.namespace, target.name);
  const mayCreate = strategyOf(resource).allowsCreateOnUpdate && target.subresource === "";
  if (live === undefined && !mayCreate) throw notFoundError(resource, target.name);
  const { uid } = sent.metadata;
  // A PUT that may create does not make an object anew that the client knew.
  if (uid && uid !== live?.metadata.uid)
    throw uidConflict(resource, { ...target, uid: live?.metadata.uid, dryRun: options.dryRun ?? false }, uid);
  if (live === undefined) {
    checkVersion(sent.metadata.resourceVersion);
    return objectAnswer(scope, 201, server.createAs(resource, sent, options));
  }
  if (!hasVersion(sent)) checkUnconditional(resource, target.name);
  checkType(resource, sent, misnamed);
  return objectAnswer(scope, 200, server.updateAs(resource, live, sent, options));
}

/** Refuses an update that names no version, of kinds that need one. */
export function checkUnconditional(resource: ServedResource, name: string): void {
  if (strategyOf(resource).allowsUnconditionalUpdate) return;
  const named = { group: resource.group, kind: resource.plural };
  throw invalidError(named, name, [invalidField("metadata.resourceVersion", 0, "must be specified for an update")]);
}

/** The body of a create or a replace as an object of the resource. */
export function decodedBody(
  resource: ServedResource,
  request: Request,
  query: URLSearchParams,
): Decoded & { /** The body of a custom resource of another kind. */ readonly misnamed?: Fields } {
  const body = objectBodyOf(request, resource);
  const isMisnamed = resource.custom !== undefined && body["kind"] !== resource.kind;
  try {
    const decoded = decodeObject(resource, body, { fieldValidation: fieldValidationOf(query), metadataOnly: isMisnamed });
    return isMisnamed ? { ...decoded, misnamed: body } : decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { kind, version } = resource;
    const sentKind = isMisnamed ? String(body["kind"]) : kind;
    // A strict decoder goes by the kind that was sent.
    const asKind = error.message.startsWith("strict decoding error") ? sentKind : kind;
    throw badRequestError(`${sentKind} in version ${JSON.stringify(version)} cannot be handled as a ${asKind}: ${error.message}`);
  }
}

/** Kinds whose deletion returns the object. Models ReturnDeletedObject of pkg/registry/.../storage.go */
const returnedWhenDeleted = new Set([
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "deviceclasses.resource.k8s.io",
  "namespaces",
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "podtemplates",
  "resourceclaims.resource.k8s.io",
  "resourceclaimtemplates.resource.k8s.io",
  "resourcequotas",
  "resourceslices.resource.k8s.io",
  "serviceaccounts",
  "services",
  "storageclasses.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "volumeattributesclasses.storage.k8s.io",
]);

export function deleteAnswer(scope: RequestScope): Answer {
  const { server, resource, target } = scope;
  const options = deleteOptionsOf(scope);
  const { removed, object } = server.deleteAs(resource, target.namespace, target.name, options);
  const warnings = orphansByDefault(resource, options) ? [orphanWarning] : [];
  if (!removed || returnedWhenDeleted.has(resource.key)) return objectAnswer(scope, 200, object, warnings);
  const { name, uid } = object.metadata;
  const details = {
    name,
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.plural,
    ...(uid === undefined ? {} : { uid }),
  };
  const status: ApiStatus = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details, code: 200 };
  const { code: _code, ...body } = status;
  return encodedAnswer(scope.encoder, 200, body, warnings);
}

const orphanWarning =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

function orphansByDefault({ key }: ServedResource, { propagation }: DeleteOptions): boolean {
  return key === "jobs.batch" && propagation === undefined;
}

export function deleteCollectionAnswer(scope: RequestScope): Answer {
  const { server, resource, target, query, encoder, transform } = scope;
  listOptionsOf(query, { watch: false });
  const selected = server.once(() => selectedObjects(server, resource, target.namespace, query));
  const options = { ...deleteOptionsOf(scope), isCollection: true };
  for (const { metadata } of selected) server.once(() => server.deleteAs(resource, metadata.namespace ?? "", metadata.name, options));
  const apiVersion = apiVersionFor(resource);
  const metadata = { resourceVersion: String(server.store.revision), ...(resource.custom === undefined ? {} : { continue: "" }) };
  if (transform !== undefined)
    return encodedAnswer(encoder, 200, transformedList(transform, selected, metadata, transformContextOf(scope)));
  const items = selected.map((object) => inVersion(object, apiVersion));
  const list = encoder.encodeList({ kind: `${resource.kind}List`, apiVersion, metadata, isTyped: resource.custom === undefined }, items);
  return { status: 200, headers: { "content-type": encoder.contentType }, body: [list] };
}

/** Answers with one object, as the client wants to see it. */
export function objectAnswer(scope: RequestScope, status: number, object: KubeObject, warnings: readonly string[] = []): Answer {
  const { resource, encoder, transform } = scope;
  const shown =
    transform === undefined ? inVersion(object, apiVersionFor(resource)) : transformedObject(transform, object, transformContextOf(scope));
  return encodedAnswer(encoder, status, shown, warnings);
}

const actions: Readonly<Record<string, string>> = { POST: "create", DELETE: "delete", PUT: "update", PATCH: "patch", GET: "get" };

/** The error of a method that a resource does not have. Custom resources have no routes; their handler knows the verb. */
export function methodNotAllowed(resource?: ServedResource, request?: Request): StatusError {
  const action = resource?.custom === undefined ? undefined : actions[request?.method ?? ""];
  if (resource === undefined || action === undefined)
    return new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
  const { group, plural } = resource;
  const message = `${action} is not supported on resources of kind ${JSON.stringify(`${plural}.${group}`)}`;
  return new StatusError(405, "MethodNotAllowed", message, { group, kind: plural });
}

/** Version 0 is the version of an object that has none. Models apiserver pkg/storage/api_object_versioner.go */
function hasVersion({ metadata }: KubeObject): boolean {
  return metadata.resourceVersion !== undefined && !/^0*$/.test(metadata.resourceVersion);
}

/** Models apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace */
export function ensureRequestNamespace({ resource, target }: RequestScope, object: KubeObject): KubeObject {
  const { namespace: sent = "" } = object.metadata;
  if (!resource.namespaced) {
    if (sent === "") return object;
    const { namespace: _none, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  if (sent === target.namespace) return object;
  if (sent === "") return { ...object, metadata: { ...object.metadata, namespace: target.namespace } };
  throw badRequestError("the namespace of the provided object does not match the namespace sent on the request");
}

function withName({ target }: RequestScope, object: KubeObject): KubeObject {
  const { name } = object.metadata;
  if (name === target.name) return object;
  if (!name) throw badRequestError(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  throw badRequestError("the name of the object (" + name + ") does not match the name on the URL (" + target.name + ")");
}
