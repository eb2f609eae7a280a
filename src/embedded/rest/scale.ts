import type { Answer, Request } from "../../core/exchange/index.ts";
import {
  applyJsonPatch,
  applyMergePatch,
  isFields,
  labelSelectorOf,
  labelSelectorText,
  numberAt,
  valueAt,
  type KubeObject,
} from "../../core/object/index.ts";
import { badRequestError, isStatusError, notFoundError } from "../status-error.ts";
import { applyPatchType, requestBodyOf, mediaTypeOf, textOfBody, parseApplyPatch, unsupportedMediaType } from "./request-body.ts";
import { writeOptionsOf } from "./request-options.ts";
import { methodNotAllowed, objectAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

/** Serves `NAME/scale`: the replicas of a workload. Models pkg/registry/apps/deployment/storage/storage.go ScaleREST */
export function scaleAnswer(scope: RequestScope): Answer {
  const { server, resource, target, request } = scope;
  checkPatchType(scope);
  const options = request.method === "GET" ? undefined : writeOptionsOf(scope);
  checkScaleBody(scope);
  const live = server.read(resource.key, target.namespace, target.name);
  if (live === undefined) throw notFoundError(resource, target.name);
  const scale = scaleOf(scope, live);
  if (options === undefined) return objectAnswer(scaleScope(scope), 200, scale);
  const { subresource: _whole, ...ofWhole } = options;
  const replicas = numberAt(nextScale(scope, scale), "spec.replicas", 0);
  const admittedAs = {
    subresource: "scale",
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    show: (object: KubeObject) => scaleOf(scope, object),
  };
  const next = withReplicas(scope, live, replicas);
  return objectAnswer(scaleScope(scope), 200, scaleOf(scope, server.updateAs(resource, live, next, { ...ofWhole, admittedAs })));
}

const customPatches = ["application/json-patch+json", "application/merge-patch+json", applyPatchType];

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
    const body = requestBodyOf(request, { group: "autoscaling", version: "v1", kind: "Scale" });
    return isFields(body) && (body["apiVersion"] ?? "autoscaling/v1") === "autoscaling/v1" && (body["kind"] ?? "Scale") === "Scale";
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

type Paths = { readonly spec: string; readonly status: string; readonly selector: string };

function pathsOf({ resource, target }: RequestScope): Paths {
  const versions = valueAt(resource.custom?.crd, "spec.versions");
  const version = Array.isArray(versions) ? versions.find((item: unknown) => valueAt(item, "name") === target.version) : undefined;
  const path = (name: string, otherwise: string) => String(valueAt(version, `subresources.scale.${name}`) ?? `.${otherwise}`).slice(1);
  return {
    spec: path("specReplicasPath", "spec.replicas"),
    status: path("statusReplicasPath", "status.replicas"),
    selector: path("labelSelectorPath", "spec.selector"),
  };
}

function scaleOf(scope: RequestScope, live: KubeObject): KubeObject {
  const paths = pathsOf(scope);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = live.metadata;
  const replicas = numberAt(live, paths.spec, 0);
  const selector = valueAt(live, paths.selector);
  const text = typeof selector === "string" ? selector : isFields(selector) ? labelSelectorText(labelSelectorOf(selector)) : "";
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: uid!,
      resourceVersion: resourceVersion!,
      creationTimestamp: creationTimestamp!,
    },
    // Go omits a zero here, and not in the status.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(live, paths.status, 0), ...(text === "" ? {} : { selector: text }) },
  };
}

function nextScale({ request }: RequestScope, scale: KubeObject): unknown {
  if (request.method === "PUT") return requestBodyOf(request, { group: "autoscaling", version: "v1", kind: "Scale" });
  if (request.method !== "PATCH") throw methodNotAllowed();
  const type = mediaTypeOf(request);
  const patch = parseApplyPatch(textOfBody(request));
  return type === "application/json-patch+json" ? applyJsonPatch(scale, patch) : applyMergePatch(scale, patch);
}

function withReplicas(scope: RequestScope, live: KubeObject, replicas: number): KubeObject {
  const path = pathsOf(scope).spec;
  if (!Number.isInteger(replicas) || replicas < 0)
    throw badRequestError(`spec.replicas: Invalid value: ${replicas}: must be greater than or equal to 0`);
  return applyMergePatch(
    live,
    path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), replicas),
  ) as KubeObject;
}
