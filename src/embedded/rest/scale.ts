import type { Answer, Request } from "../../core/exchange/index.ts";
import { equal, isFields, numberAt, valueAt, type Fields, type KubeObject, type ManagedFieldsEntry } from "../../core/object/index.ts";
import {
  apiVersionFor,
  applyManagedFields,
  replicasPathOf,
  scaleOf,
  scaleView,
  uidConflict,
  updateManagedFields,
  withReplicas,
} from "../apiserver/index.ts";
import { wrappedInt32 } from "../builtin/index.ts";
import { schemaOf } from "../data/index.ts";
import { decodeError } from "../schema/index.ts";
import { badRequestError, isStatusError, notFoundError, StatusError } from "../status-error.ts";
import { applyPatchType, conversionProblem, requestBodyOf, mediaTypeOf, parseApplyPatch, unsupportedMediaType } from "./request-body.ts";
import { checkName, configOf, patchedObject } from "./patch.ts";
import { writeOptionsOf } from "./request-options.ts";
import { booleanParameter } from "./query-parameters.ts";
import { scaleOwners, workloadOwners } from "./scale-owners.ts";
import { decodedBody, methodNotAllowed, objectAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/** Serves `NAME/scale`: the replicas of a workload. Models pkg/registry/apps/deployment/storage/storage.go ScaleREST */
export function scaleAnswer(scope: RequestScope): Answer {
  const { server, resource, target, request } = scope;
  checkMethod(scope);
  checkPatchType(scope);
  const options = request.method === "GET" ? undefined : writeOptionsOf(scope);
  checkScaleBody(scope);
  const sent = request.method === "PUT" ? sentScale(scope) : undefined;
  const live = server.readAs(resource, target.namespace, target.name);
  if (live === undefined) throw notFoundError(resource, target.name);
  const scale = scaleOf(resource, live);
  const path = replicasPathOf(resource);
  const lacksReplicas = resource.custom !== undefined && (valueAt(live, path.join(".")) ?? undefined) === undefined;
  if (options === undefined) {
    if (lacksReplicas) throw missingReplicas(path);
    return objectAnswer(scaleScope(scope), 200, scale);
  }
  const { subresource: _whole, ...ofWhole } = options;
  const next = ownedScale(
    scope,
    lacksReplicas ? { ...scale, spec: { replicas: noReplicas } } : scale,
    live.metadata.managedFields ?? [],
    options.manager,
    sent,
  );
  checkPreconditions(scope, next, live);
  const replicas = wrappedInt32(numberAt(next, "spec.replicas", 0));
  if (resource.custom !== undefined && replicas === noReplicas)
    throw badRequestError(`the spec replicas field ".${path.join(".")}" cannot be empty`);
  const replicated = withReplicas(resource, live, replicas);
  const owners = workloadOwners(live.metadata.managedFields ?? [], next.metadata.managedFields ?? [], path, apiVersionFor(resource));
  const { resourceVersion } = next.metadata;
  const metadata = { ...replicated.metadata, managedFields: owners, ...(resourceVersion ? { resourceVersion } : {}) };
  const written = { ...ofWhole, owned: true, admittedAs: scaleView(resource) };
  return objectAnswer(scaleScope(scope), 200, scaleOf(resource, server.updateAs(resource, live, { ...replicated, metadata }, written)));
}

/** The Scale that a request asks for, with its owners: those of the replicas, and whoever makes the request. */
function ownedScale(
  scope: RequestScope,
  scale: KubeObject,
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  sent: KubeObject | undefined,
): KubeObject {
  const { server, query, request } = scope;
  const { resource } = scaleScope(scope);
  const live = { ...scale, metadata: { ...scale.metadata, managedFields: scaleOwners(entries, replicasPathOf(scope.resource)) } };
  const writer = { manager, subresource: "scale" };
  if (request.method === "PATCH" && mediaTypeOf(request) === applyPatchType) {
    const force = booleanParameter(query, "force") ?? false;
    const config = appliedScale(request);
    const applied = applyManagedFields(resource, live, config, { ...writer, force }, server.timestamp());
    if (scope.resource.custom !== undefined) checkUnchanged(live, applied, config.metadata);
    return applied;
  }
  const asked = sent ?? patchedObject(scaleScope(scope), live, mediaTypeOf(request), otherKindFor(scope)).object;
  return updateManagedFields(resource, live, { ...asked, kind: "Scale", apiVersion: "autoscaling/v1" }, writer, server.timestamp());
}

/** What stands for no replicas at all while a write goes on. Models apiextensions pkg/registry/customresource/etcd.go */
const noReplicas = -(2 ** 31);

/** A custom resource without replicas has no scale that could be read. */
function missingReplicas(path: readonly string[]): StatusError {
  const message = `the spec replicas field ".${path.join(".")}" does not exist`;
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

function checkPreconditions({ resource, target }: RequestScope, { metadata }: KubeObject, live: KubeObject): void {
  const { name = "", uid = "" } = metadata;
  if (name !== "" && name !== target.name)
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  if (uid !== "" && uid !== live.metadata.uid) throw uidConflict(resource, { ...target, uid: live.metadata.uid }, uid);
}

const customPatches = ["application/json-patch+json", "application/merge-patch+json", applyPatchType];

const methods: readonly string[] = ["GET", "PUT", "PATCH"];

function checkMethod({ resource, request }: RequestScope): void {
  if (!methods.includes(request.method)) throw methodNotAllowed(resource, request);
}

function checkPatchType({ resource, request }: RequestScope): void {
  if (resource.custom === undefined || request.method !== "PATCH") return;
  if (!customPatches.includes(mediaTypeOf(request))) throw unsupportedMediaType(customPatches);
}

/** The scale of a custom resource is decoded before the resource is looked for. */
function checkScaleBody({ resource, request }: RequestScope): void {
  if (resource.custom === undefined || request.method !== "PUT" || isScale(request)) return;
  throw badRequestError('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
}

function isScale(request: Request): boolean {
  try {
    const body = requestBodyOf(request, scaleKind) ?? {};
    return (
      isFields(body) &&
      decodeError(body, schemaOf(scaleKind) ?? {}) === undefined &&
      (body["apiVersion"] || "autoscaling/v1") === "autoscaling/v1" &&
      (body["kind"] || "Scale") === "Scale"
    );
  } catch (error) {
    if (isStatusError(error, "BadRequest")) return false;
    throw error;
  }
}

/** A scale has a kind of its own, whatever it scales. */
function scaleScope(scope: RequestScope): RequestScope {
  const { custom: _scaled, ...resource } = scope.resource;
  return { ...scope, resource: { ...resource, group: "autoscaling", version: "v1", kind: "Scale" } };
}

/** The Scale of a PUT, whose name is checked before anything is looked for. */
function sentScale(scope: RequestScope): KubeObject {
  const { request, query, target } = scope;
  const { object, warnings } = decodedBody(scaleScope(scope).resource, request, query);
  warnings.forEach(scope.warn);
  checkName(object, target.name);
  return object;
}

/** The scale of a custom resource is decoded by what knows no kind but this one. */
function otherKindFor({ resource }: RequestScope): typeof conversionProblem {
  if (resource.custom === undefined) return conversionProblem;
  return (_scale, version, kind) =>
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`;
}

function appliedScale(request: Request): KubeObject {
  const config = configOf(parseApplyPatch(request));
  const { apiVersion, kind } = config;
  if (apiVersion === "autoscaling/v1" && kind === "Scale") return config;
  throw badRequestError(`invalid object type: ${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`);
}

function content({ metadata: { managedFields: _owners, ...metadata }, ...rest }: KubeObject): Fields {
  return { ...rest, metadata };
}

/** The real server converts what an apply changes as if it were the custom resource, which fails. */
function checkUnchanged(scale: KubeObject, applied: KubeObject, { name = "" }: KubeObject["metadata"]): void {
  if (equal(content(scale), content(applied))) return;
  throw new StatusError(
    500,
    "",
    `failed to convert new object (/${name}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1`,
  );
}
