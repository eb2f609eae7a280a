import type { Answer, SendHttpsPost, Request } from "../../src/core/exchange/index.ts";
import { sleep, RealClock } from "../../src/core/clock/index.ts";
import { fieldsAt, isFields, listAt, stringAt, type Fields } from "../../src/core/object/index.ts";
import { serveExchange } from "../../src/server/index.ts";
import { withWholeBodies } from "../support/whole-bodies.ts";

/** A webhook whose answers are scripted by its path, for cases to name in their configurations. */
export type ScriptedWebhook = {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  readonly caBundle: string;
  readonly close: () => Promise<void>;
};

export async function serveScriptedWebhook(): Promise<ScriptedWebhook> {
  const { url, authority, close } = await serveExchange(withWholeBodies(answer), { now: new Date(), name: "webhook" });
  return { address: new URL(url).host, caBundle: Buffer.from(authority).toString("base64"), close };
}

/** The same webhook without sockets. */
export const scriptedWebhook = { address: "127.0.0.1:1", caBundle: "", close: async () => {} };

/** Calls the scripted webhook in this process. */
export const callScriptedWebhook: SendHttpsPost = async ({ url, body: sent }) => {
  const path = url.slice(url.indexOf("/", "https://".length));
  const { status, headers, body } = await answer({ method: "POST", path, headers: json, body: sent, signal: new AbortController().signal });
  return { status, contentType: headers["content-type"] ?? "", body: Array.isArray(body) ? body.join("") : "" };
};

const json = { "content-type": "application/json" };

function reply(status: number, body: string, headers: Readonly<Record<string, string>> = json): Answer {
  return { status, headers, body: [body] };
}

async function answer(request: Request): Promise<Answer> {
  const [, path = "", argument = ""] = (request.path.split("?", 1)[0] ?? "").split("/");
  const raw = rawAnswers[path];
  if (raw !== undefined) return raw(request, argument);
  if (request.method !== "POST") return reply(200, `{"got":"${request.method}"}`);
  const review: unknown = JSON.parse(textOf(request));
  const asked = fieldsAt(review, "request");
  const response = responses[path]?.(asked, argument) ?? { allowed: true };
  const { review: outer = {}, ...inner } = response;
  const apiVersion = stringAt(review, "apiVersion", "");
  return reply(
    200,
    JSON.stringify({ kind: "AdmissionReview", apiVersion, response: { uid: asked["uid"], ...inner }, ...(outer as Fields) }),
  );
}

function textOf({ body = "" }: Request): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

function patch(...operations: readonly unknown[]): Fields {
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}

/** Everything that was asked but objects and users, which cases compare otherwise. */
function told({ uid: _uid, object, oldObject, userInfo: _user, ...rest }: Fields): string {
  return JSON.stringify({ ...rest, object: nameOf(object), oldObject: nameOf(oldObject) });
}

function nameOf(object: unknown): string | null {
  return isFields(object)
    ? `${stringAt(object, "apiVersion", "")} ${stringAt(object, "kind", "")} ${stringAt(object, "metadata.name", "")}`
    : null;
}

/** Adds its argument to an annotation, so that the order of calls can be seen. */
function traced({ object }: Fields, name: string): Fields {
  const annotations = fieldsAt(object, "metadata.annotations");
  const trace = `${stringAt(annotations, "trace", "")}${name}`;
  return Object.keys(annotations).length === 0
    ? patch({ op: "add", path: "/metadata/annotations", value: { trace } })
    : patch({ op: "add", path: "/metadata/annotations/trace", value: trace });
}

const responses: Readonly<Record<string, (request: Fields, argument: string) => Fields>> = {
  allow: () => ({ allowed: true }),
  deny: () => ({ allowed: false }),
  "deny-message": () => ({ allowed: false, status: { message: "not today" } }),
  "deny-reason": () => ({ allowed: false, status: { reason: "NotAcceptable" } }),
  "deny-code": (_, code) => ({ allowed: false, status: { code: Number(code), message: "no", reason: "Because" } }),
  "deny-details": () => ({
    allowed: false,
    status: {
      code: 422,
      reason: "Invalid",
      message: "bad",
      details: { name: "x", kind: "things", causes: [{ field: "a", message: "b", reason: "C" }] },
    },
  }),
  warn: () => ({ allowed: true, warnings: ["be careful", 'with "this"'], auditAnnotations: { seen: "yes" } }),
  "warn-deny": () => ({ allowed: false, warnings: ["too late"], status: { message: "no" } }),
  tell: (request) => ({ allowed: false, status: { message: told(request) } }),
  trace: traced,
  review: ({ uid: _uid, userInfo: _user, ...request }) => patch({ op: "add", path: "/spec/review", value: request }),
  label: () => patch({ op: "add", path: "/metadata/labels", value: { webhook: "called" } }),
  expiration: () => patch({ op: "replace", path: "/spec/expirationSeconds", value: 900 }),
  color: () => patch({ op: "add", path: "/spec/color", value: "green" }),
  replicas: () => patch({ op: "replace", path: "/spec/replicas", value: 3 }),
  "no-defaults": () => patch({ op: "add", path: "/spec/template/spec/containers/-", value: { name: "more", image: "more:1" } }),
  "unknown-field": () => patch({ op: "add", path: "/unknown", value: { a: 1 } }),
  "wrong-type": () => patch({ op: "add", path: "/data", value: { a: 1 } }),
  rename: () => patch({ op: "replace", path: "/metadata/name", value: "other" }),
  "invalid-label": () => patch({ op: "add", path: "/metadata/labels", value: { "not/a/label": "x" } }),
  "missing-path": () => patch({ op: "remove", path: "/nothing/there" }),
  "failed-test": () => patch({ op: "test", path: "/metadata/name", value: "other" }),
  "strange-op": () => patch({ op: "shuffle", path: "/metadata" }),
  "empty-patch": () => patch(),
  "patch-object": () => ({ ...patch(), patch: Buffer.from('{"a":1}').toString("base64") }),
  "patch-text": () => ({ ...patch(), patch: Buffer.from("hello").toString("base64") }),
  "bad-base64": () => ({ ...patch(), patch: "a&b" }),
  "number-patch": () => ({ ...patch(), patch: 5 }),
  "patch-only": () => ({ allowed: true, patch: Buffer.from("[]").toString("base64") }),
  "type-only": () => ({ allowed: true, patchType: "JSONPatch" }),
  "empty-type": () => ({ ...patch(), patchType: "" }),
  "merge-type": () => ({ ...patch({ op: "add", path: "/data", value: {} }), patchType: "MergePatch" }),
  "wrong-uid": () => ({ allowed: true, uid: "12345" }),
  "no-uid": () => ({ allowed: true, uid: undefined }),
  "no-response": () => ({ review: { response: undefined } }),
  "null-response": () => ({ review: { response: null } }),
  "text-response": () => ({ review: { response: "yes" } }),
  "text-allowed": () => ({ allowed: "yes" }),
  "no-kind": () => ({ allowed: true, review: { kind: undefined, apiVersion: undefined } }),
  "wrong-kind": () => ({ allowed: true, review: { kind: "Pod", apiVersion: "v1" } }),
  "old-version": () => ({ allowed: true, review: { apiVersion: "admission.k8s.io/v1beta1" } }),
  "unknown-version": () => ({ allowed: true, review: { apiVersion: "admission.k8s.io/v9" } }),
};

const failure = { kind: "Status", apiVersion: "v1", status: "Failure", message: "the webhook is tired", reason: "Tired", code: 500 };

/** Converts Widgets, or fails as the argument says. In v2 the size is inside of a box. */
function conversionReview(request: Request, how: string): Answer {
  const review: unknown = JSON.parse(textOf(request));
  const [asked, apiVersion] = [fieldsAt(review, "request"), stringAt(review, "request.desiredAPIVersion", "")];
  const convertedObjects = listAt(asked, "objects").map(
    (object) => conversions[how]?.(converted(object, apiVersion)) ?? converted(object, apiVersion),
  );
  const result =
    how === "fail"
      ? { status: "Failure", message: "out of order" }
      : how === "fail-silently"
        ? { status: "Failure" }
        : { status: "Success" };
  const uid = how === "uid" ? "12345" : asked["uid"];
  const response = how === "no-response" ? undefined : { uid, result, convertedObjects: how === "short" ? [] : convertedObjects };
  return reply(
    200,
    how === "text" ? "hello" : JSON.stringify({ kind: "ConversionReview", apiVersion: stringAt(review, "apiVersion", ""), response }),
  );
}

function converted(object: Fields, apiVersion: string): Fields {
  const { size, box, ...spec } = fieldsAt(object, "spec");
  const length = size ?? fieldsAt({ box }, "box")["size"];
  const sized = length === undefined ? {} : apiVersion.endsWith("v2") ? { box: { size: length } } : { size: length };
  return { ...object, apiVersion, spec: { ...spec, ...sized } };
}

const conversions: Readonly<Record<string, (object: Fields) => Fields>> = {
  labels: (object) =>
    withMetadata(object, { labels: { converted: "yes" }, annotations: { by: "webhook" }, generation: 9, finalizers: ["a.example.com/b"] }),
  unknown: (object) => ({ ...object, spec: { ...fieldsAt(object, "spec"), unknown: true } }),
  rename: (object) => withMetadata(object, { name: "other" }),
  version: (object) => ({ ...object, apiVersion: "example.com/v9" }),
  kind: (object) => ({ ...object, kind: "Gadget" }),
  "bad-label": (object) => withMetadata(object, { labels: { "not/a/label": "x" } }),
};

function withMetadata(object: Fields, more: Fields): Fields {
  return { ...object, metadata: { ...fieldsAt(object, "metadata"), ...more } };
}

const rawAnswers: Readonly<Record<string, (request: Request, argument: string) => Answer | Promise<Answer>>> = {
  convert: conversionReview,
  empty: () => reply(200, ""),
  text: () => reply(200, "hello"),
  html: () => reply(200, "<html>", { "content-type": "text/html" }),
  array: () => reply(200, "[]"),
  null: () => reply(200, "null"),
  cut: () => reply(200, '{"kind":"AdmissionReview",'),
  status: (_, code) => reply(Number(code), "out of order", { "content-type": "text/plain" }),
  "json-status": (_, code) => reply(Number(code), JSON.stringify({ error: "out of order" })),
  "kube-status": () => reply(500, JSON.stringify(failure)),
  "success-status": () => reply(200, JSON.stringify({ ...failure, status: "Success", code: 200 })),
  "failure-status": () => reply(200, JSON.stringify(failure)),
  redirect: (_, code) => ({ status: Number(code), headers: { location: "/deny-message" }, body: [] }),
  circle: () => ({ status: 307, headers: { location: "/circle" }, body: [] }),
  slow: async ({ signal }) => {
    await sleep(new RealClock(), 60_000, signal).catch(() => undefined);
    return reply(200, "");
  },
};
