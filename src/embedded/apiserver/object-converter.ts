import { groupVersionOf, type KubeObject } from "../../core/object/index.ts";
import { crdSpecOf, decodeCustomResource } from "../crd/index.ts";
import { convertByWebhook, type ConversionWebhook, type WebhookRunner } from "../webhook/index.ts";
import { inVersion, type CustomResource, type ServedResource } from "./served-resource.ts";

type ObjectConverterParts = {
  /** Calls webhooks. Default: none can be called. */
  readonly runner: WebhookRunner | undefined;
  readonly read: (resource: string, namespace: string, name: string) => KubeObject | undefined;
};

/** Objects as a webhook has converted them, for as long as their CRD stays as it is. */
type Conversions = WeakMap<KubeObject, Map<string, KubeObject>>;

/** Converts objects between the versions of their resource: built-in kinds by itself, custom ones as their CRD says. */
export class ObjectConverter {
  readonly #parts: ObjectConverterParts;
  readonly #known = new WeakMap<KubeObject, Conversions>();

  constructor(parts: ObjectConverterParts) {
    this.#parts = parts;
  }

  /** Throws PendingWebhooks while a webhook converts it, and a StatusError when that fails. */
  convert(object: KubeObject, resource: Pick<ServedResource, "custom">, apiVersion: string): KubeObject {
    return this.convertAll([object], resource, apiVersion)[0]!;
  }

  /** The same for many objects, by one review. */
  convertAll(objects: readonly KubeObject[], { custom }: Pick<ServedResource, "custom">, apiVersion: string): readonly KubeObject[] {
    const webhook = custom === undefined ? undefined : conversionWebhookOf(custom);
    if (custom === undefined || webhook === undefined) return objects.map((object) => inVersion(object, apiVersion));
    const conversions = this.#conversionsOf(custom);
    const asked = objects.filter((object) => object.apiVersion !== apiVersion && !conversions.get(object)?.has(apiVersion));
    this.#convertByWebhook(asked, custom, webhook, apiVersion).forEach((converted, index) => note(conversions, asked[index]!, converted));
    return objects.map((object) => (object.apiVersion === apiVersion ? object : conversions.get(object)!.get(apiVersion)!));
  }

  /** Keeps what an object that has just been stored is in another version. */
  remember(stored: KubeObject, { custom }: ServedResource, shown: KubeObject): void {
    if (custom !== undefined && stored.apiVersion !== shown.apiVersion) note(this.#conversionsOf(custom), stored, shown);
  }

  #conversionsOf({ crd }: CustomResource): Conversions {
    let conversions = this.#known.get(crd);
    if (conversions === undefined) this.#known.set(crd, (conversions = new WeakMap()));
    return conversions;
  }

  #convertByWebhook(objects: readonly KubeObject[], { crd }: CustomResource, webhook: ConversionWebhook, apiVersion: string) {
    const { runner, read } = this.#parts;
    if (objects.length === 0) return [];
    if (runner === undefined) throw new TypeError(`${crd.metadata.name} is converted by a webhook, and none can be called`);
    const { group, version } = groupVersionOf(apiVersion);
    const schema = crdSpecOf(crd).versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? {};
    const converted = convertByWebhook(objects, apiVersion, webhook, { runner, read });
    return converted.map((object) => decodeCustomResource(object, { group, version, schema }, { defaults: false }).object);
  }
}

function note(conversions: Conversions, object: KubeObject, converted: KubeObject): void {
  const versions = conversions.get(object) ?? new Map<string, KubeObject>();
  versions.set(converted.apiVersion, converted);
  conversions.set(object, versions);
}

function conversionWebhookOf({ crd }: CustomResource): ConversionWebhook | undefined {
  const { strategy, webhook } = crdSpecOf(crd).conversion ?? {};
  if (strategy !== "Webhook") return undefined;
  return { clientConfig: webhook?.clientConfig ?? {}, reviewVersions: webhook?.conversionReviewVersions ?? [] };
}

/** Whether a webhook converts the objects of a resource between its versions. */
export function isConvertedByWebhook({ custom }: ServedResource): boolean {
  return custom !== undefined && conversionWebhookOf(custom) !== undefined;
}
