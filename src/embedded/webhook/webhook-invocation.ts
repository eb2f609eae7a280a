import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import {
  bindingsOf,
  compiledMatchConditions,
  holdingConditions,
  isAdmissionConfiguration,
  matchedVersion,
  nameOf,
  type ResourceVersion,
} from "../admission/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import type { CompiledExpression } from "../expression/index.ts";
import { forbiddenError } from "../status-error.ts";
import type { ConfiguredWebhook, WebhookContext } from "./webhook-context.ts";

/** A webhook that a write is to be sent to, in the version that its rules name. */
export type WebhookInvocation = ConfiguredWebhook & { readonly version: ResourceVersion };

const webhooksOf = new WeakMap<KubeObject, readonly ConfiguredWebhook[]>();

/** The webhooks that may be asked about a write, ordered by the names of their configurations. */
export function configuredWebhooks(
  attributes: AdmissionAttributes,
  configurationsKey: string,
  { list }: Pick<WebhookContext, "list">,
): readonly ConfiguredWebhook[] {
  if (attributes.internal === true || isAdmissionConfiguration(attributes)) return [];
  return list(configurationsKey).flatMap((configuration) => {
    const known = webhooksOf.get(configuration) ?? webhooksIn(configuration);
    webhooksOf.set(configuration, known);
    return known;
  });
}

function webhooksIn(configuration: KubeObject): readonly ConfiguredWebhook[] {
  return listAt(configuration, "webhooks").map((webhook, index) => {
    const name = stringAt(webhook, "name", "");
    return { id: `${configuration.metadata.name}/${name}/${index}`, name, webhook };
  });
}

/** Whether a write goes to a webhook, and in which version. Models apiserver pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook */
export function invocationOf(
  hook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  context: WebhookContext,
): WebhookInvocation | undefined {
  const { webhook } = hook;
  const version = matchedVersion(webhook, attributes, context);
  if (version === undefined) return undefined;
  const conditions = conditionsOf(webhook);
  if (conditions.length === 0) return { ...hook, version };
  const holding = holdingConditions(conditions, bindingsOf(attributes, version, context));
  if (typeof holding === "boolean") return holding ? { ...hook, version } : undefined;
  if (stringAt(webhook, "failurePolicy", "Fail") === "Ignore") return undefined;
  throw forbiddenError(attributes.resource, nameOf(attributes), holding.error);
}

const compiled = new WeakMap<Fields, readonly CompiledExpression[]>();

function conditionsOf(webhook: Fields): readonly CompiledExpression[] {
  let conditions = compiled.get(webhook);
  if (conditions === undefined)
    compiled.set(webhook, (conditions = compiledMatchConditions(webhook, { hasParams: false, hasAuthorizer: true })));
  return conditions;
}
