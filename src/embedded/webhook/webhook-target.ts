import type { HttpsPost, HttpsReply } from "../../core/exchange/index.ts";
import { fieldsAt, isFields, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";

/** Says on a Service where the program listens that stands behind it: `127.0.0.1:9443`. The embedded cluster runs no programs. */
const addressAnnotation = "sim.sluice.dev/address";

/** Reads a Service. */
type ReadService = (namespace: string, name: string) => KubeObject | undefined;

/** Where a webhook is. */
type WebhookTarget = {
  readonly url: string;
  readonly caBundle: string;
  /** Where to connect to, or why that cannot be. */
  readonly route: { readonly address?: string } | { readonly error: string };
};

/** Reads the client configuration of a webhook. Models apiserver pkg/util/webhook/client.go hookClientConfig */
export function webhookTargetOf(config: Fields, readService: ReadService): WebhookTarget {
  const caBundle = Buffer.from(stringAt(config, "caBundle", ""), "base64").toString();
  if (!isFields(config["service"])) {
    const { protocol, host, pathname } = new URL(stringAt(config, "url", ""));
    return { url: `${protocol}//${withPort(stringAt(config, "url", ""), host)}${cleaned(pathname)}`, caBundle, route: {} };
  }
  const service = fieldsAt(config, "service");
  const [name, namespace] = [stringAt(service, "name", ""), stringAt(service, "namespace", "")];
  const port = numberAt(service, "port", 443);
  const url = `https://${name}.${namespace}.svc:${port}${cleaned(stringAt(service, "path", ""))}`;
  return { url, caBundle, route: routeTo(readService(namespace, name), name, port) };
}

/** URL drops the port that is the default, and Go does not. */
function withPort(text: string, host: string): string {
  return /^https:\/\/[^/]*:443(\/|$)/.test(text) ? `${host}:443` : host;
}

function cleaned(path: string): string {
  return `/${path
    .split("/")
    .filter((part) => part !== "")
    .join("/")}`;
}

/** Models apiserver pkg/util/proxy/proxy.go ResolveCluster; nothing answers at a cluster IP here. */
function routeTo(service: KubeObject | undefined, name: string, port: number): WebhookTarget["route"] {
  if (service === undefined) return { error: `service ${JSON.stringify(name)} not found` };
  const address = service.metadata.annotations?.[addressAnnotation];
  if (address !== undefined) return { address };
  const type = stringAt(service, "spec.type", "ClusterIP");
  if (type === "ExternalName") return { address: `${stringAt(service, "spec.externalName", "")}:${port}` };
  const ip = stringAt(service, "spec.clusterIP", "");
  if (ip === "None") return { error: 'cannot route to service with ClusterIP "None"' };
  if (!listAt(service, "spec.ports").some((each) => each["port"] === port))
    return { error: `no service port ${port} found for service ${JSON.stringify(name)}` };
  return { error: `dial tcp ${ip.includes(":") ? `[${ip}]` : ip}:${port}: connect: connection refused` };
}

/** The request to a webhook, or the failure that is certain before it is made. */
export function webhookCallTo({ url, caBundle, route }: WebhookTarget, timeoutMs: number, body: string): HttpsPost | HttpsReply {
  // The webhook is told in whole seconds.
  const timed = `${url}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  if ("error" in route) return { error: `Post ${JSON.stringify(timed)}: ${route.error}` };
  return { url: timed, caBundle, body, timeoutMs, ...route };
}
