/**
 * The HTTP client for manifests, values, charts and registries: proxies of the environment, the system's authorities,
 * timeouts, redirects, and faults that name the URL and what to change.
 *
 * It reads whole responses of a bounded size, and calls webhooks for the embedded cluster. It knows neither Kubernetes nor Helm, and reads no environment variable by
 * itself. The API server has a client of its own in `kube`.
 */
export { fetchText } from "./fetch-text.ts";
export type { HttpClient, HttpClientRequest, HttpClientResponse, TlsOptions } from "./http-client.ts";
export { systemTrustAdvice, timeoutFault } from "./http-fault.ts";
export { openHttpClient } from "./open-http-client.ts";
export { systemCertPool } from "./system-cert-pool.ts";
export { redactedUrl, sameOrigin } from "./url.ts";
export { webhookCaller } from "./webhook-caller.ts";
export { withRedirects } from "./with-redirects.ts";
