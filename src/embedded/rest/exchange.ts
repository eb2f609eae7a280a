import type { Answer, Exchange, Request } from "../../core/exchange/index.ts";
import type { ApiServer, ServedResource } from "../apiserver/index.ts";
import { authenticateRequest, type ServiceAccountTokens, type UserInfo } from "../authentication/index.ts";
import { accessForbidden, type Authorizer } from "../authorization/index.ts";
import { notFoundError, StatusError } from "../status-error.ts";
import { plainAnswer, plainEncoderFor, statusAnswer, withWarnings, withAuditId } from "./answer.ts";
import { DiscoveryHandler } from "./discovery-handler.ts";
import { bindingAnswer } from "./binding.ts";
import { evictionAnswer } from "./eviction.ts";
import type { WebhookRunner } from "../webhook/index.ts";
import { healthAnswer } from "./health-checks.ts";
import { impersonatedUser } from "./impersonation.ts";
import { ExpiredError, listAnswer } from "./list.ts";
import type { PodLogSource } from "./logs.ts";
import { logAnswer } from "./logs.ts";
import { checkRouteAccepts, mediaTypes, negotiateMediaType, notAcceptable, streamTypes, type MediaTypeOptions } from "./negotiation.ts";
import { loadProtobuf, needsProtobuf } from "./protobuf-codec.ts";
import { checkBodySize } from "./request-body.ts";
import { encoderFor } from "./response-encoder.ts";
import { metricsAnswer } from "./metrics.ts";
import { allowsCustomTransform, allowsTransform, objectTransformOf } from "./object-transform.ts";
import { OpenApiHandler } from "./openapi-handler.ts";
import { patchAnswer } from "./patch.ts";
import { attributesOf } from "./request-attributes.ts";
import { booleanParameter, parseQuery } from "./query-parameters.ts";
import { requestTargetOf, type RequestTarget } from "./request-target.ts";
import { accessReviewAnswer } from "./review/access-review.ts";
import { rulesReviewAnswer } from "./review/rules-review.ts";
import { selfSubjectReviewAnswer } from "./review/self-subject-review.ts";
import { tokenRequestAnswer } from "./review/token-request.ts";
import { tokenReviewAnswer } from "./review/token-review.ts";
import { rootAnswer } from "./root-paths.ts";
import { scaleAnswer } from "./scale.ts";
import { versionAnswer } from "./server-version.ts";
import { WarningRecorder } from "./warning-recorder.ts";
import { watchAnswer } from "./watch.ts";
import { createAnswer, deleteAnswer, deleteCollectionAnswer, methodNotAllowed, objectAnswer, replaceAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

/** Subresources that are a part of the object itself. */
const parts = new Set(["", "status", "finalize", "ephemeralcontainers", "approval"]);

/** Resources that are asked and not stored. */
const reviews: Readonly<Record<string, (scope: RequestScope, context: ExchangeContext) => Answer>> = {
  "selfsubjectreviews.authentication.k8s.io": selfSubjectReviewAnswer,
  "tokenreviews.authentication.k8s.io": (scope, { tokens }) => tokenReviewAnswer(scope, tokens),
  "selfsubjectaccessreviews.authorization.k8s.io": (scope, { authorizer }) => accessReviewAnswer(scope, authorizer, "self"),
  "subjectaccessreviews.authorization.k8s.io": (scope, { authorizer }) => accessReviewAnswer(scope, authorizer, "subject"),
  "localsubjectaccessreviews.authorization.k8s.io": (scope, { authorizer }) => accessReviewAnswer(scope, authorizer, "local"),
  "selfsubjectrulesreviews.authorization.k8s.io": (scope, { authorizer }) => rulesReviewAnswer(scope, authorizer),
};

/** What requests need beside the API server. */
type ExchangeContext = {
  readonly logs: PodLogSource;
  readonly tokens: ServiceAccountTokens;
  readonly authorizer: Authorizer;
  readonly runner: WebhookRunner;
  /** Names a request that has no name of its own. */
  readonly newAuditId: () => string;
};

/** Serves the API server as an Exchange. */
export function exchangeOf(server: ApiServer, context: ExchangeContext): Exchange {
  const discovery = new DiscoveryHandler(server);
  const openApi = new OpenApiHandler(server);
  return async (request) => {
    request.signal.throwIfAborted();
    if (needsProtobuf(request)) await loadProtobuf();
    const [path = "", search = ""] = splitOnce(request.path, "?");
    const answer = () =>
      answerStatusErrors(request, () => {
        const query = parseQuery(search);
        return route(path, query, request, admittedUser(path, query, request));
      });
    const settled = await context.runner.settle(answer, request.signal);
    return withAuditId(settled, request.headers["audit-id"] ?? context.newAuditId());
  };

  /** The user of a request that it may make. Throws a 401 or a 403 otherwise. */
  function admittedUser(path: string, query: URLSearchParams, request: Request): UserInfo {
    const requestor = authenticateRequest(request, context.tokens, context.authorizer);
    const user = impersonatedUser(requestor, request.headers, context.authorizer);
    if (context.authorizer.allowsEverything(user)) return user;
    const attributes = attributesOf(user, request.method, path, query);
    const { allowed, reason } = context.authorizer.authorize(attributes);
    if (!allowed) throw accessForbidden(attributes, reason);
    return user;
  }

  function fixedAnswer(path: string, query: URLSearchParams): Answer | undefined {
    if (path === "/") return rootAnswer(discovery.groups);
    return path === "/metrics" ? metricsAnswer(server) : healthAnswer(path, query);
  }

  function route(path: string, query: URLSearchParams, request: Request, user: UserInfo): Answer {
    const fixed =
      fixedAnswer(path, query) ?? versionAnswer(path, request) ?? openApi.answer(path, request) ?? discovery.answer(path, request);
    if (fixed !== undefined) return fixed;
    const target = requestTargetOf(path);
    const resource = target === undefined ? undefined : server.catalog.find(target.group, target.version, target.plural);
    if (target === undefined || resource === undefined) return unknownPath(path, server);
    const recorder = new WarningRecorder();
    const answer = answerStatusErrors(request, () => {
      const options = mediaTypeFor(resource, target, query, request);
      const [encoder, transform] = [encoderFor(request, options.mediaType), objectTransformOf(options, query)];
      return resourceAnswer({ server, resource, target, query, request, user, encoder, transform, warn: recorder.add }, context);
    });
    return withWarnings(answer, [...recorder.warnings, ...deprecationsOf(resource)]);
  }
}

/** Turns a StatusError into its answer. */
function answerStatusErrors(request: Request, answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof ExpiredError)
      return statusAnswer({ ...error.status, metadata: { continue: error.next } }, plainEncoderFor(request));
    if (error instanceof StatusError) return statusAnswer(error.status, plainEncoderFor(request));
    if (isStackOverflow(error)) return statusAnswer(tooDeep().status, plainEncoderFor(request));
    throw error;
  }
}

/** What is walked by recursion may be nested deeper than the stack of this process is. Nothing is stored then. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

function tooDeep(): StatusError {
  const message = "Internal error occurred: the object is nested deeper than the embedded cluster can process";
  return new StatusError(500, "InternalError", message);
}

/** How a request for a resource is to be answered. */
function mediaTypeFor(
  { custom }: ServedResource,
  target: RequestTarget,
  query: URLSearchParams,
  { headers, method }: Request,
): MediaTypeOptions {
  const { accept = "" } = headers;
  // A log is text, whatever the client accepts.
  if (target.subresource === "log") return { mediaType: "application/json" };
  const isCollection = method === "GET" && target.name === "";
  if (custom === undefined) checkRouteAccepts(accept, isCollection ? [...mediaTypes, ...streamTypes] : mediaTypes);
  const options = negotiateMediaType(accept, custom === undefined ? allowsTransform : allowsCustomTransform);
  if (options === undefined) throw notAcceptable();
  if (options.mediaType === "application/yaml" && method === "GET" && isWatch(target, query)) throw notAcceptable(streamTypes);
  return options;
}

/** The deprecation warnings of a resource. */
function deprecationsOf({ key, custom }: ServedResource): readonly string[] {
  if (key === "endpoints") return ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"];
  return custom?.served.warning === undefined ? [] : [custom.served.warning];
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** An unknown group is an unknown path; an unknown resource of a known group is not found. */
function unknownPath(path: string, { catalog }: ApiServer): Answer {
  const [root, name] = path.split("/").filter((part) => part !== "");
  const group = root === "api" ? "" : root === "apis" ? name : undefined;
  if (catalog.all().some((resource) => resource.group === group && resource.custom === undefined)) throw notServed();
  return plainAnswer(404, "404 page not found\n");
}

function notImplemented(what: string, why: string): StatusError {
  return new StatusError(501, "NotImplemented", `${what} is not served by the embedded cluster: ${why}`);
}

function resourceAnswer(scope: RequestScope, context: ExchangeContext): Answer {
  const { resource, target, request } = scope;
  checkBodySize(request);
  const misplaced = misplacedAnswer(scope);
  if (misplaced !== undefined) return misplaced;
  if (target.subresource !== "" && !resource.subresources.has(target.subresource)) {
    throw resource.custom === undefined ? notServed() : notFoundError(resource, target.name);
  }
  if (target.subresource === "scale") return scaleAnswer(scope);
  if (target.subresource === "binding" || resource.key === "bindings") return bindingAnswer(scope);
  if (target.subresource === "eviction") return evictionAnswer(scope);
  if (target.subresource === "log") return logAnswer(scope, context.logs);
  if (target.subresource === "token") return tokenRequestAnswer(scope, context.tokens);
  if (resource.key === "componentstatuses") throw notImplemented("componentstatuses", "there are no components to report");
  if (!parts.has(target.subresource)) {
    throw notImplemented(`${resource.plural}/${target.subresource}`, "it acts on a running machine");
  }
  const review = reviews[resource.key];
  if (review !== undefined && target.name !== "") throw notServed();
  if (review !== undefined) return review(scope, context);
  const named = target.name !== "";
  const isPart = target.subresource !== "";
  switch (request.method) {
    case "GET":
      if (isWatch(target, scope.query)) return watchAnswer(scope);
      return named ? getAnswer(scope) : listAnswer(scope);
    case "POST":
      return allowed(!isPart, () => createAnswer(scope));
    case "PUT":
      return allowed(named, () => replaceAnswer(scope));
    case "PATCH":
      return allowed(named, () => patchAnswer(scope));
    case "DELETE":
      if (isPart) throw methodNotAllowed();
      return named ? deleteAnswer(scope) : allowed(resource.verbs.includes("deletecollection"), () => deleteCollectionAnswer(scope));
    default:
      throw methodNotAllowed();
  }
}

function allowed(may: boolean, answer: () => Answer): Answer {
  if (!may) throw methodNotAllowed();
  return answer();
}

/** Paths whose namespace does not fit the resource's scope. */
function misplacedAnswer({ resource, target, request }: RequestScope): Answer | undefined {
  const { namespaced, custom } = resource;
  if (!namespaced && target.namespace !== "") {
    if (custom !== undefined) return plainAnswer(404, "404 page not found\n");
    throw notServed();
  }
  if (!namespaced || target.namespace !== "") return undefined;
  if (target.name !== "") throw notServed();
  if (request.method !== "GET") throw methodNotAllowed();
  return undefined;
}

function notServed(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

function isWatch(target: RequestTarget, query: URLSearchParams): boolean {
  // Only a path asks for a watch of one object.
  return target.watch || (target.name === "" && (booleanParameter(query, "watch") ?? false));
}

function getAnswer(scope: RequestScope): Answer {
  const { server, resource, target } = scope;
  const object = server.read(resource.key, target.namespace, target.name);
  if (object === undefined) throw notFoundError(resource, target.name);
  return objectAnswer(scope, 200, object);
}
