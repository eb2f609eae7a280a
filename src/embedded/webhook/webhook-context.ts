import type { Fields, GroupVersionKind, KubeObject } from "../../core/object/index.ts";
import type { MatchContext, ResourceVersion } from "../admission/index.ts";
import type { WebhookRunner } from "./webhook-runner.ts";

/** What webhooks need of the API server. */
export type WebhookContext = MatchContext & {
  readonly runner: WebhookRunner;
  /**
   * A patched object as the server's types have it, with defaults; of `kind`, where a subresource has one of its own. Throws an Error
   * in the words of Go's decoder.
   */
  decode(value: unknown, as: ResourceVersion, kind?: GroupVersionKind): KubeObject;
};

/** One webhook of a configuration. `id` tells it from others of the same name. */
export type ConfiguredWebhook = { readonly id: string; readonly name: string; readonly webhook: Fields };
