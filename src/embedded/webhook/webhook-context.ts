import type { Fields, KubeObject } from "../../core/object/index.ts";
import type { ReviewedKind, ReviewedResource } from "./admission-review.ts";
import type { WebhookRunner } from "./webhook-runner.ts";

/** A resource at one version. */
export type ResourceVersion = ReviewedKind & ReviewedResource;

/** What webhooks need of the API server. */
export type WebhookContext = {
  readonly runner: WebhookRunner;
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Sorted by name. */
  list(resource: string): readonly KubeObject[];
  /** All versions that are served of a group resource, and of others that store the same objects. */
  versionsOf(key: string): readonly ResourceVersion[];
  convert(object: KubeObject, to: ResourceVersion): KubeObject;
  /** A patched object as the server's types have it, with defaults. Throws an Error in the words of Go's decoder. */
  decode(value: unknown, as: ResourceVersion): KubeObject;
};

/** One webhook of a configuration. `id` tells it from others of the same name. */
export type ConfiguredWebhook = { readonly id: string; readonly name: string; readonly webhook: Fields };
