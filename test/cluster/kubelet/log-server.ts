import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { sleep, type Clock } from "../../../src/core/clock/index.ts";
import { containerLogsOf, type Behaviour, type Pod } from "../../../src/embedded/behaviour/index.ts";
import type { ClusterCredentials } from "../cluster-credentials.ts";

/** Where the served logs come from. */
type LogSource = {
  readonly find: (namespace: string, name: string) => Pod | undefined;
  readonly behaviour: Behaviour;
  readonly clock: Clock;
};

/** How often a followed log is read: nothing signals that a line is due. */
const followMs = 200;

/** Serves the logs of a node's pods on loopback, to the API server alone. Returns the port. */
export async function serveLogs(source: LogSource, { kubelet, authority }: ClusterCredentials): Promise<{ port: number; server: Server }> {
  const options = { cert: kubelet.certificate, key: kubelet.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    answer(source, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, server };
}

async function answer(source: LogSource, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "https://kubelet");
  const [, area, namespace = "", name = "", container = ""] = url.pathname.split("/").map(decodeURIComponent);
  if (!(request.socket as TLSSocket).authorized) return refuse(response, 401, "Unauthorized");
  if (area !== "containerLogs") return refuse(response, 501, `this kubelet serves logs only, not ${url.pathname}`);
  const pod = source.find(namespace, name);
  if (pod === undefined) return refuse(response, 404, `pod "${name}" not found`);
  const asked = logRequest(container, url.searchParams);
  const text = containerLogsOf(pod, asked, source.behaviour, source.clock.now());
  if (text === undefined) return refuse(response, 400, asked.previous ? noPreviousText(pod, container) : waitingText(pod, container));
  response.writeHead(200, { "content-type": "text/plain" });
  response.write(text);
  if (url.searchParams.get("follow") === "true") await follow(source, pod, asked, text, response);
  response.end();
}

async function follow(
  source: LogSource,
  first: Pod,
  asked: ReturnType<typeof logRequest>,
  sent: string,
  response: ServerResponse,
): Promise<void> {
  const { name, namespace = "", uid } = first.metadata;
  let written = sent;
  while (!response.destroyed) {
    const pod = source.find(namespace, name);
    if (pod === undefined || pod.metadata.uid !== uid) return;
    const { tailLines: _, ...whole } = asked;
    const text = containerLogsOf(pod, whole, source.behaviour, source.clock.now()) ?? "";
    const known = text.indexOf(written) + written.length;
    if (text.length > known) response.write(text.slice(known));
    written = text;
    if (statusOf(pod, asked.container)?.state.running === undefined) return;
    await sleep(source.clock, followMs);
  }
}

function logRequest(container: string, query: URLSearchParams) {
  const number = (name: string) => (query.has(name) ? { [name]: Number(query.get(name)) } : {});
  const sinceTime = query.get("sinceTime");
  return {
    container,
    previous: query.get("previous") === "true",
    timestamps: query.get("timestamps") === "true",
    ...number("tailLines"),
    ...number("sinceSeconds"),
    ...number("limitBytes"),
    ...(sinceTime === null ? {} : { sinceTime }),
  } as {
    container: string;
    previous: boolean;
    timestamps: boolean;
    tailLines?: number;
    sinceSeconds?: number;
    sinceTime?: string;
    limitBytes?: number;
  };
}

function statusOf(pod: Pod, container: string) {
  return [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].find(({ name }) => name === container);
}

function noPreviousText({ metadata }: Pod, container: string): string {
  return `previous terminated container "${container}" in pod "${metadata.name}" not found`;
}

/** Models pkg/kubelet/kubelet_pods.go validateContainerLogStatus */
function waitingText(pod: Pod, container: string): string {
  const waiting = statusOf(pod, container)?.state.waiting;
  const { name } = pod.metadata;
  if (waiting?.reason === undefined) return `container "${container}" in pod "${name}" is not available`;
  const isImage = waiting.reason === "ErrImagePull" || waiting.reason === "ImagePullBackOff";
  const because = isImage ? "trying and failing to pull image" : `waiting to start: ${waiting.reason}`;
  return `container "${container}" in pod "${name}" is ${because}`;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "text/plain" });
  response.end(message);
}
