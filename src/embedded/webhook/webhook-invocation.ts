import {
  fieldsAt,
  labelSelectorOf,
  listAt,
  stringAt,
  stringsAt,
  type Fields,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorObject,
} from "../../core/object/index.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import { forbiddenError, notFoundError } from "../status-error.ts";
import { admissionReviewFor, type AdmissionRequest, type ReviewedKind } from "./admission-review.ts";
import { matchConditionsOf } from "./match-conditions.ts";
import { matchesRule, type MatchedRequest } from "./rule-matcher.ts";
import type { ConfiguredWebhook, ResourceVersion, WebhookContext } from "./webhook-context.ts";

/** A webhook that a write is to be sent to, in the version that its rules name. */
export type WebhookInvocation = ConfiguredWebhook & { readonly version: ResourceVersion };

/** The objects of a write as they are at this point of the chain. */
type ReviewedObjects = { readonly object: KubeObject | undefined; readonly oldObject: KubeObject | undefined };

const webhooksOf = new WeakMap<KubeObject, readonly ConfiguredWebhook[]>();

/** The webhooks of all configurations, ordered by the names of these. */
export function configuredWebhooks(configurations: readonly KubeObject[]): readonly ConfiguredWebhook[] {
  return configurations.flatMap((configuration) => {
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
  objects: ReviewedObjects,
  context: WebhookContext,
): WebhookInvocation | undefined {
  const { webhook } = hook;
  const version = matchedVersion(webhook, attributes, context);
  if (version === undefined) return undefined;
  if (!matchesNamespace(webhook, attributes, objects, context) || !matchesObject(webhook, objects)) return undefined;
  const conditions = matchConditionsOf(webhook, () => {
    const { object, oldObject } = versioned(objects, version, context);
    const request = admissionRequestFor({ ...hook, version }, attributes, { object, oldObject });
    return { object: object ?? null, oldObject: oldObject ?? null, request: admissionReviewFor("v1", "", request)["request"] };
  });
  if (typeof conditions !== "boolean") {
    if (stringAt(webhook, "failurePolicy", "Fail") === "Ignore") return undefined;
    throw forbiddenError(attributes.resource, nameOf(attributes), conditions.error);
  }
  return conditions ? { ...hook, version } : undefined;
}

function matchedVersion(webhook: Fields, attributes: AdmissionAttributes, { versionsOf }: WebhookContext): ResourceVersion | undefined {
  const rules = listAt(webhook, "rules");
  const own = attributes.resource;
  if (rules.some((rule) => matchesRule(rule, matchedRequest(attributes, own)))) return own;
  if (stringAt(webhook, "matchPolicy", "Equivalent") !== "Equivalent") return undefined;
  const others = versionsOf(own.key).filter(({ group, version }) => group !== own.group || version !== own.version);
  for (const rule of rules) {
    const other = others.find((each) => matchesRule(rule, matchedRequest(attributes, each)));
    if (other !== undefined) return other;
  }
  return undefined;
}

function matchedRequest(attributes: AdmissionAttributes, { group, version, plural }: ResourceVersion): MatchedRequest {
  const { operation, subresource = "" } = attributes;
  return { operation, group, version, plural, subresource, namespace: namespaceOf(attributes) };
}

/** Of a Namespace, its own name. */
function namespaceOf(attributes: AdmissionAttributes): string {
  return attributes.resource.key === "namespaces" ? nameOf(attributes) : (attributes.object.metadata.namespace ?? "");
}

/** Nothing while the name is still to be generated. */
function nameOf({ object }: AdmissionAttributes): string {
  return stringAt(object, "metadata.name", "");
}

/** An absent selector is an empty one here: the server defaults it. */
function selectorAt(webhook: Fields, field: string): LabelSelector {
  return labelSelectorOf(fieldsAt(webhook, field) as LabelSelectorObject);
}

function matchesNamespace(
  webhook: Fields,
  attributes: AdmissionAttributes,
  { object }: ReviewedObjects,
  { read }: WebhookContext,
): boolean {
  const namespace = namespaceOf(attributes);
  if (namespace === "") return true;
  const selector = selectorAt(webhook, "namespaceSelector");
  if (selector.requirements.length === 0) return true;
  const { resource, subresource = "", operation } = attributes;
  if (resource.key === "namespaces" && subresource === "" && operation !== "DELETE") return selector.matches(object?.metadata.labels);
  const found = read("namespaces", "", namespace);
  if (found === undefined) throw notFoundError({ group: "", plural: "namespaces" }, namespace);
  return selector.matches(found.metadata.labels);
}

function matchesObject(webhook: Fields, { object, oldObject }: ReviewedObjects): boolean {
  const selector = selectorAt(webhook, "objectSelector");
  if (selector.requirements.length === 0) return true;
  return [object, oldObject].some((each) => each !== undefined && selector.matches(each.metadata.labels));
}

/** The objects in the version that the webhook is asked about. */
export function versioned({ object, oldObject }: ReviewedObjects, version: ResourceVersion, { convert }: WebhookContext): ReviewedObjects {
  return { object: object && convert(object, version), oldObject: oldObject && convert(oldObject, version) };
}

/** The user of writes that a component of the cluster makes. */
const componentUser: UserInfo = { username: "system:kube-controller-manager", groups: ["system:authenticated"] };

/** Subresources whose objects have a kind of their own. */
const subresourceKinds: Readonly<Record<string, ReviewedKind>> = {
  binding: { group: "", version: "v1", kind: "Binding" },
  eviction: { group: "policy", version: "v1", kind: "Eviction" },
  scale: { group: "autoscaling", version: "v1", kind: "Scale" },
  token: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
};

/** What the webhook is asked. The objects are in its version already. */
export function admissionRequestFor(
  { version }: WebhookInvocation,
  attributes: AdmissionAttributes,
  { object, oldObject }: ReviewedObjects,
): AdmissionRequest {
  const { resource, subresource = "", operation, user = componentUser, dryRun = false, options } = attributes;
  return {
    kind: subresourceKinds[subresource] ?? version,
    resource: version,
    subresource,
    requestKind: subresourceKinds[subresource] ?? resource,
    requestResource: resource,
    name: nameOf(attributes),
    namespace: namespaceOf(attributes),
    operation,
    user,
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options ?? null,
  };
}

export function reviewVersionsOf({ webhook }: ConfiguredWebhook): readonly string[] {
  return stringsAt(webhook, "admissionReviewVersions");
}
