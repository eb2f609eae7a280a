import { equal, PatchFault, applyJsonPatch, stringAt, type KubeObject } from "../../core/object/index.ts";
import { admissionRequestOf, versionedObjects } from "../admission/index.ts";
import { jsonSyntaxProblem, type AdmissionAttributes, type AdmissionPlugin } from "../builtin/index.ts";
import { internalError } from "../status-error.ts";
import type { AdmissionResponse } from "./admission-review.ts";
import {
  checkSideEffects,
  decisionIn,
  deniedError,
  ignoresFailures,
  reviewOf,
  webhookCallError,
  WebhookCallError,
} from "./call-admission-webhook.ts";
import type { WebhookContext } from "./webhook-context.ts";
import { configuredWebhooks, invocationOf, type WebhookInvocation } from "./webhook-invocation.ts";

const configurationsKey = "mutatingwebhookconfigurations.admissionregistration.k8s.io";

/** Webhooks that change objects, one after the other. Models apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go */
export function mutatingWebhooks(context: WebhookContext): AdmissionPlugin {
  return {
    name: "MutatingAdmissionWebhook",
    subresources: "all",
    admit: (object, attributes) => admitted({ ...attributes, object }, context),
    // A deletion is sent to them too; they cannot change it.
    validate: (attributes) => {
      if (attributes.operation === "DELETE") admitted(attributes, context);
    },
  };
}

function admitted(attributes: AdmissionAttributes, context: WebhookContext): KubeObject {
  const { operation, resource, object, reinvocation } = attributes;
  const hooks = configuredWebhooks(attributes, configurationsKey, context);
  if (hooks.length === 0) return object;
  reinvocation?.begin(object);
  let current = operation === "CREATE" ? withoutSystemMetadata(attributes) : object;
  let isChanged = false;
  for (const hook of hooks) {
    const seen = { ...attributes, object: current };
    const invocation = invocationOf(hook, seen, context);
    if (invocation === undefined || !(reinvocation?.mayCall(hook.id) ?? true)) continue;
    const answered = called(invocation, seen, context);
    const next = answered === undefined ? current : attributes.objectKind === undefined ? context.convert(answered, resource) : answered;
    const changed = !equal(next, current);
    reinvocation?.called(hook.id, { changed, again: stringAt(hook.webhook, "reinvocationPolicy", "Never") === "IfNeeded" });
    current = next;
    isChanged ||= changed;
  }
  const result = isChanged ? withSystemMetadata(current, object) : object;
  reinvocation?.end(result);
  return result;
}

/** A new object as mutating webhooks see it: it gets its uid, its time and a generated name after them. */
function withoutSystemMetadata({ object, unnamed = false }: AdmissionAttributes): KubeObject {
  const { uid: _uid, creationTimestamp: _time, name, ...metadata } = object.metadata;
  return { ...object, metadata: (unnamed ? metadata : { name, ...metadata }) as KubeObject["metadata"] };
}

function withSystemMetadata(object: KubeObject, { metadata }: KubeObject): KubeObject {
  const { uid, creationTimestamp } = metadata;
  const system = { ...(uid === undefined ? {} : { uid }), ...(creationTimestamp === undefined ? {} : { creationTimestamp }) };
  return { ...object, metadata: { ...object.metadata, name: object.metadata.name || metadata.name, ...system } };
}

/** The object as the webhook wants it, in the webhook's version; nothing when it leaves it as it is. */
function called(hook: WebhookInvocation, attributes: AdmissionAttributes, context: WebhookContext): KubeObject | undefined {
  checkSideEffects(hook, attributes.dryRun ?? false);
  try {
    const objects = versionedObjects(attributes, hook.version, context);
    const request = admissionRequestOf(attributes, hook.version, objects);
    const [answer] = context.runner.answers([reviewOf(hook, request, context, attributes.reinvocation?.round)]);
    const decision = decisionIn(hook, answer!, true);
    for (const warning of decision.warnings) attributes.warn?.(warning);
    if (!decision.allowed) throw deniedError(hook.name, decision.result);
    return patched(hook, decision, objects.object, (value) => context.decode(value, hook.version, attributes.objectKind));
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    if (!ignoresFailures(hook)) throw error.rejection;
    return undefined;
  }
}

function patched(
  { name }: WebhookInvocation,
  { patch, patchType }: AdmissionResponse,
  object: KubeObject | null,
  decode: (value: unknown) => KubeObject,
): KubeObject | undefined {
  if (patch === "") return undefined;
  const operations = decodedPatch(name, patch);
  if (operations.length === 0) return undefined;
  if (object === null)
    throw internalError(
      `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
    );
  if (patchType !== "JSONPatch") throw webhookCallError(name, `unsupported patch type ${JSON.stringify(patchType)}`);
  return applied(operations, object, decode);
}

function applied(operations: readonly unknown[], object: KubeObject, decode: (value: unknown) => KubeObject): KubeObject {
  try {
    return decode(applyJsonPatch(object, operations));
  } catch (cause) {
    if (cause instanceof PatchFault || cause instanceof Error) throw internalError(cause.message);
    throw cause;
  }
}

function decodedPatch(name: string, patch: string): readonly unknown[] {
  const problem = jsonSyntaxProblem(patch) ?? shapeProblem(JSON.parse(patch));
  if (problem !== undefined) throw webhookCallError(name, `received undecodable patch in webhook response: ${problem}`);
  const operations: unknown = JSON.parse(patch);
  return Array.isArray(operations) ? operations : [];
}

function shapeProblem(patch: unknown): string | undefined {
  try {
    if (patch !== null)
      applyJsonPatch({}, Array.isArray(patch) ? patch.filter((each) => typeof each !== "object" || each === null) : patch);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
