/** A request to a webhook: a program outside of the cluster that answers over HTTPS. */
export type WebhookCall = {
  readonly url: string;
  /** `host:port` to connect to instead of the URL's. The certificate must still be that of the URL's host. */
  readonly address?: string;
  /** The authorities of its certificate, in PEM. Empty: those of the machine. */
  readonly caBundle: string;
  readonly body: string;
  readonly timeoutMs: number;
};

/** The response, or why there is none, in the words of Go's net/http. `read` says that its headers had arrived. */
export type WebhookReply =
  | { readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly error: string; readonly read?: boolean };

/** Calls a webhook. Never rejects. */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookReply>;
