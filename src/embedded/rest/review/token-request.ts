import type { Answer } from "../../../core/exchange/index.ts";
import { fieldsAt, isFields, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ServedResource } from "../../apiserver/index.ts";
import { issuer, type ServiceAccountTokens, type TokenSpec } from "../../authentication/index.ts";
import { fieldInvalid } from "../../field-error.ts";
import { badRequestError, conflictError, invalidError, notFoundError } from "../../status-error.ts";
import { timestampOf } from "../../timestamp.ts";
import type { RequestScope } from "../request-scope.ts";
import { reviewAnswer, reviewRequestOf } from "./review-request.ts";

const shortestSeconds = 600;
const longestSeconds = 2 ** 32;
/** A kubelet asks for tokens of this length; they live for a year, for clients that do not read them again. */
const kubeletSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

const tokenRequests: ServedResource = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenRequest",
  plural: "TokenRequest",
  singular: "tokenrequest",
  namespaced: true,
  verbs: ["create"],
  shortNames: [],
  categories: [],
  subresources: new Set(),
  key: "tokenrequests.authentication.k8s.io",
  storageVersion: "v1",
};

/** Issues a token of a service account. Models pkg/registry/core/serviceaccount/storage/token.go */
export function tokenRequestAnswer(scope: RequestScope, tokens: ServiceAccountTokens): Answer {
  const { server, resource, target } = scope;
  const { object, warnings, validate } = reviewRequestOf(scope, tokenRequests);
  const { namespace, name } = target;
  if (object.metadata.name && object.metadata.name !== name) {
    const detail = "must match the service account name if specified";
    throw invalidError(tokenRequests, name, [fieldInvalid("metadata.name", object.metadata.name, detail)]);
  }
  if (server.read("namespaces", "", namespace) === undefined) throw notFoundError({ group: "", plural: "namespaces" }, namespace);
  const account = server.read(resource.key, namespace, name);
  if (account === undefined) throw notFoundError(resource, name);
  const uid = account.metadata.uid ?? "";
  checkUid(object, name, uid);
  const expirationSeconds = expirationOf(object);
  const given = stringsAt(object, "spec.audiences");
  const audiences = given.length === 0 ? [issuer] : given;
  const now = server.clock.now();
  const metadata = { ...object.metadata, name, namespace, uid, creationTimestamp: timestampOf(now) };
  const request = { ...object, metadata, spec: { ...fieldsAt(object, "spec"), audiences, expirationSeconds } };
  validate(request);
  const bound = boundOf(scope, fieldsAt(object, "spec")["boundObjectRef"]);
  const isExtended =
    bound?.bound?.resource === "pods" && expirationSeconds === kubeletSeconds && audiences.every((each) => each === issuer);
  const life = isExtended ? { expirationSeconds: extendedSeconds, warnAfterSeconds: expirationSeconds } : { expirationSeconds };
  const status = {
    token: tokens.issue({ audiences, account, ...life, ...bound }),
    expirationTimestamp: timestampOf(now + expirationSeconds * 1000),
  };
  return reviewAnswer(scope, { ...request, status }, warnings);
}

function checkUid({ metadata }: KubeObject, name: string, uid: string): void {
  if (!metadata.uid || metadata.uid === uid) return;
  const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
  throw conflictError(tokenRequests, name, why);
}

function expirationOf(request: KubeObject): number {
  const seconds = numberAt(request, "spec.expirationSeconds", 0);
  const field = "spec.expirationSeconds";
  const refuse = (detail: string) => invalidError(tokenRequests, "", [fieldInvalid(field, seconds, detail)]);
  if (seconds < shortestSeconds) throw refuse("may not specify a duration less than 10 minutes");
  if (seconds > longestSeconds) throw refuse("may not specify a duration larger than 2^32 seconds");
  return seconds;
}

const boundResources: Readonly<Record<string, "pods" | "secrets" | "nodes">> = { Pod: "pods", Secret: "secrets", Node: "nodes" };

function boundOf({ server, target }: RequestScope, reference: unknown): Pick<TokenSpec, "bound" | "node"> {
  if (!isFields(reference)) return {};
  const { kind, apiVersion, name } = namesOf(reference);
  const resource = apiVersion.includes("/") || !Object.hasOwn(boundResources, kind) ? undefined : boundResources[kind];
  if (resource === undefined) {
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
    throw badRequestError(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const object = server.read(resource, resource === "nodes" ? "" : target.namespace, name);
  if (object === undefined) throw notFoundError({ group: "", plural: resource }, name);
  if (resource === "pods" && stringAt(object, "spec.serviceAccountName", "") !== target.name) {
    const account = JSON.stringify(target.name);
    throw badRequestError(`cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`);
  }
  const uid = stringAt(reference, "uid", "");
  if (uid !== "" && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflictError({ group: "", plural: kind }, name, why);
  }
  const node = resource === "pods" ? stringAt(object, "spec.nodeName", "") : "";
  if (node === "") return { bound: { resource, object } };
  const nodeUid = server.read("nodes", "", node)?.metadata.uid;
  return { bound: { resource, object }, node: { name: node, ...(nodeUid === undefined ? {} : { uid: nodeUid }) } };
}

function namesOf(reference: Fields): { kind: string; apiVersion: string; name: string } {
  return {
    kind: stringAt(reference, "kind", ""),
    apiVersion: stringAt(reference, "apiVersion", ""),
    name: stringAt(reference, "name", ""),
  };
}
