import type { Answer, Handler, IncomingRequest, Request } from "../../core/exchange/index.ts";
import type { ApiServer, ServedResource } from "../apiserver/index.ts";
import { authenticateRequest, type ServiceAccountTokens, type UserInfo } from "../authentication/index.ts";
import { accessForbidden, type Authorizer } from "../authorization/index.ts";
import { badRequestError, notFoundError } from "../status-error.ts";
import { withWarnings, withAuditId } from "./answer.ts";
import { answerStatusErrors, errorAnswer } from "./error-answer.ts";
import { DiscoveryHandler } from "./discovery-handler.ts";
import { bindingAnswer } from "./binding.ts";
import { componentStatusAnswer } from "./component-status.ts";
import { connectAnswer } from "./connect.ts";
import { evictionAnswer } from "./eviction.ts";
import { longestWriteMs, type WebhookRunner } from "../webhook/index.ts";
import { healthAnswer } from "./health-checks.ts";
import { impersonatedUser } from "./impersonation.ts";
import { receivedRequest, requestTimeoutMs, timeoutAnswer } from "./incoming-request.ts";
import { listAnswer } from "./list.ts";
import { listOptionsOf } from "./list-options.ts";
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
import { decodedPath, hasEmptyPart, requestTargetOf, type RequestTarget } from "./request-target.ts";
import { accessReviewAnswer } from "./review/access-review.ts";
import { rulesReviewAnswer } from "./review/rules-review.ts";
import { selfSubjectReviewAnswer } from "./review/self-subject-review.ts";
import { tokenRequestAnswer } from "./review/token-request.ts";
import { tokenReviewAnswer } from "./review/token-review.ts";
import { rootAnswer } from "./root-paths.ts";
import { scaleAnswer } from "./scale.ts";
import { misplacedAnswer, notServed, unknownPath, unroutedPath } from "./unknown-path.ts";
import { checkSelectors } from "./selection-predicate.ts";
import { versionAnswer } from "./server-version.ts";
import { WarningRecorder } from "./warning-recorder.ts";
import { watchAnswer } from "./watch.ts";
import { createAnswer, deleteAnswer, deleteCollectionAnswer, methodNotAllowed, objectAnswer, replaceAnswer } from "./write.ts";
import type { RequestScope } from "./request-scope.ts";

/** Subresources that are a part of the object itself. */
const parts = new Set(["", "status", "finalize", "ephemeralcontainers", "resize", "approval"]);

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

/** Serves the API server as an Exchange, which knows who asks before it reads a body. */
export function exchangeOf(server: ApiServer, context: ExchangeContext): Handler {
  const discovery = new DiscoveryHandler(server);
  const openApi = new OpenApiHandler(server);
  return async (incoming) => {
    incoming.signal.throwIfAborted();
    if (needsProtobuf(incoming)) await loadProtobuf();
    const answer = await admittedAnswer(incoming).catch((error: unknown) => errorAnswer(incoming, error));
    return withAuditId(answer, incoming.headers["audit-id"] ?? context.newAuditId());
  };

  async function admittedAnswer(incoming: IncomingRequest): Promise<Answer> {
    const [encoded = "", search = ""] = splitOnce(incoming.path, "?");
    const path = decodedPath(encoded);
    const query = parseQuery(search);
    const timeoutMs = requestTimeoutMs(incoming, path, query);
    const recorder = new WarningRecorder();
    const user = admittedUser(path, query, incoming, recorder);
    const request = await receivedRequest(incoming, timeoutMs);
    if (request === undefined) return timeoutAnswer();
    const answer = () => answerStatusErrors(request, () => withWarnings(route(path, query, request, user), recorder.warnings));
    const boundMs = request.method === "GET" ? timeoutMs : Math.min(timeoutMs, longestWriteMs);
    return context.runner.settle(answer, { signal: request.signal, boundMs });
  }

  /** The user of a request that it may make. Throws a 401 or a 403 otherwise. */
  function admittedUser(path: string, query: URLSearchParams, request: IncomingRequest, { add }: WarningRecorder): UserInfo {
    const requestor = authenticateRequest(request, context.tokens, context.authorizer, add);
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

  function documentAnswer(path: string, request: Request): Answer | undefined {
    const document = versionAnswer(path, request) ?? openApi.answer(path, request) ?? discovery.answer(path, request);
    // Documents by other servers than the one of built-in kinds are read by any method.
    const isRead = request.method === "GET" || /^\/(openapi\/.*|apis(\/[^/]*)?\/?)$/.test(path);
    if (document !== undefined && !isRead) throw methodNotAllowed();
    return document;
  }

  function route(path: string, query: URLSearchParams, request: Request, user: UserInfo): Answer {
    if (hasEmptyPart(path)) return unroutedPath(path);
    const fixed = fixedAnswer(path, query) ?? documentAnswer(path, request);
    if (fixed !== undefined) return fixed;
    const target = requestTargetOf(path);
    const resource = target === undefined ? undefined : server.catalog.find(target.group, target.version, target.plural);
    if (target === undefined || resource === undefined) return unknownPath(path, server);
    const recorder = new WarningRecorder();
    deprecationsOf(resource).forEach(recorder.add);
    const answer = answerStatusErrors(request, () => {
      const options = mediaTypeFor(resource, target, query, request);
      const [encoder, transform] = [encoderFor(request, options.mediaType), objectTransformOf(options, query)];
      return resourceAnswer({ server, resource, target, query, request, user, encoder, transform, warn: recorder.add }, context);
    });
    return withWarnings(answer, recorder.warnings);
  }
}

/** How a request for a resource is to be answered. */
function mediaTypeFor(
  resource: ServedResource,
  target: RequestTarget,
  query: URLSearchParams,
  { headers, method }: Request,
): MediaTypeOptions {
  const { custom } = resource;
  const { accept = "" } = headers;
  // A log is text, whatever the client accepts.
  if (target.subresource === "log") return { mediaType: "application/json" };
  const isCollection = method === "GET" && target.name === "";
  if (custom === undefined) checkRouteAccepts(accept, isCollection ? [...mediaTypes, ...streamTypes] : mediaTypes);
  const options = negotiateMediaType(accept, custom === undefined ? allowsTransform : allowsCustomTransform);
  if (options === undefined) {
    if (isCollection) checkListRequest(target, query);
    throw notAcceptable();
  }
  if (options.mediaType === "application/yaml" && method === "GET" && isWatch(target, query)) throw notAcceptable(streamTypes);
  return options;
}

/** The options of a list are read before it is decided how to answer. */
function checkListRequest(target: RequestTarget, query: URLSearchParams): void {
  listOptionsOf(query, { watch: isWatch(target, query) });
  checkSelectors(query);
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

function resourceAnswer(scope: RequestScope, context: ExchangeContext): Answer {
  const { resource, target, request } = scope;
  checkNameParameter(scope);
  checkBodySize(request);
  const misplaced = misplacedAnswer(scope);
  if (misplaced !== undefined) return misplaced;
  if (target.subresource !== "" && !resource.subresources.has(target.subresource)) {
    throw resource.custom === undefined ? notServed() : notFoundError(resource, target.name);
  }
  if (target.subresource === "scale") return scaleAnswer(scope);
  if (target.subresource === "binding" || resource.key === "bindings") return bindingAnswer(scope);
  if (target.subresource === "eviction") return evictionAnswer(scope);
  if (target.subresource === "log") return allowed(scope, request.method === "GET", () => logAnswer(scope, context.logs));
  if (target.subresource === "token") return tokenRequestAnswer(scope, context.tokens);
  if (resource.key === "componentstatuses") {
    if (target.watch) throw notServed();
    return componentStatusAnswer(scope, { watch: isWatch(target, scope.query) });
  }
  if (!parts.has(target.subresource)) return connectAnswer(scope);
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
      return allowed(scope, !isPart, () => createAnswer(scope));
    case "PUT":
      checkNamed(scope);
      return allowed(scope, named, () => replaceAnswer(scope));
    case "PATCH":
      checkNamed(scope);
      return allowed(scope, named, () => patchAnswer(scope));
    case "DELETE":
      if (isPart) throw methodNotAllowed(resource, request);
      return named ? deleteAnswer(scope) : allowed(scope, resource.verbs.includes("deletecollection"), () => deleteCollectionAnswer(scope));
    default:
      throw methodNotAllowed();
  }
}

/** No key of the storage has these names. Models apiserver pkg/registry/generic/registry/store.go NamespaceKeyFunc */
function checkNameParameter({ target: { name } }: RequestScope): void {
  const why = name === "." || name === ".." ? `may not be '${name}'` : name.includes("%") ? "may not contain '%'" : undefined;
  if (why !== undefined) throw badRequestError(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`);
}

function allowed({ resource, request }: RequestScope, may: boolean, answer: () => Answer): Answer {
  if (!may) throw methodNotAllowed(resource, request);
  return answer();
}

/** Custom resources have no routes: their handler finds that there is no name. */
function checkNamed({ resource, target }: RequestScope): void {
  if (resource.custom !== undefined && target.name === "") throw badRequestError("name must be provided");
}

function isWatch(target: RequestTarget, query: URLSearchParams): boolean {
  // Only a path asks for a watch of one object.
  return target.watch || (target.name === "" && (booleanParameter(query, "watch") ?? false));
}

function getAnswer(scope: RequestScope): Answer {
  const { server, resource, target } = scope;
  const object = server.readAs(resource, target.namespace, target.name);
  if (object === undefined) throw notFoundError(resource, target.name);
  return objectAnswer(scope, 200, object);
}
