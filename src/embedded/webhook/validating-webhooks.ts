import { admissionRequestOf, versionedObjects } from "../admission/index.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../builtin/index.ts";
import { StatusError } from "../status-error.ts";
import { checkSideEffects, decisionIn, deniedError, ignoresFailures, reviewOf, WebhookCallError } from "./call-admission-webhook.ts";
import type { WebhookContext } from "./webhook-context.ts";
import { configuredWebhooks, invocationOf, type WebhookInvocation } from "./webhook-invocation.ts";
import type { Reviewed } from "./webhook-runner.ts";

const configurationsKey = "validatingwebhookconfigurations.admissionregistration.k8s.io";

/** Webhooks that refuse writes, all at the same time. Models apiserver pkg/admission/plugin/webhook/validating/dispatcher.go */
export function validatingWebhooks(context: WebhookContext): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    subresources: "all",
    validate: (attributes) => validate(attributes, context),
  };
}

function validate(attributes: AdmissionAttributes, context: WebhookContext): void {
  const hooks = configuredWebhooks(attributes, configurationsKey, context).flatMap((hook) => {
    const invocation = invocationOf(hook, attributes, context);
    return invocation === undefined ? [] : [invocation];
  });
  if (hooks.length === 0) return;
  const refusals = hooks.flatMap((hook) => sideEffects(hook, attributes));
  const asked = hooks.filter((_, index) => refusals.length === 0 || sideEffects(hooks[index]!, attributes).length === 0);
  const answers = context.runner.answers(
    asked.map((hook) => {
      const { version } = hook;
      return reviewOf(hook, admissionRequestOf(attributes, version, versionedObjects(attributes, version, context)), context);
    }),
  );
  const errors = [...refusals, ...asked.flatMap((hook, index) => rejection(hook, answers[index]!, attributes))];
  if (errors.length > 0) throw errors[0]!;
}

function sideEffects(hook: WebhookInvocation, { dryRun = false }: AdmissionAttributes): readonly StatusError[] {
  try {
    checkSideEffects(hook, dryRun);
    return [];
  } catch (error) {
    if (error instanceof StatusError) return [error];
    throw error;
  }
}

function rejection(hook: WebhookInvocation, answer: Reviewed, { warn }: AdmissionAttributes): readonly StatusError[] {
  try {
    const { allowed, warnings, result } = decisionIn(hook, answer, false);
    for (const warning of warnings) warn?.(warning);
    return allowed ? [] : [deniedError(hook.name, result)];
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    return ignoresFailures(hook) ? [] : [error.rejection];
  }
}
