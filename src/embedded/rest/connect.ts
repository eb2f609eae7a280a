import type { Answer } from "../../core/exchange/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { badRequestError, notFoundError, StatusError } from "../status-error.ts";
import { containerNameOf } from "./pod-container.ts";
import type { RequestScope } from "./request-scope.ts";
import { methodNotAllowed } from "./write.ts";

/** Why there is nobody to be connected with, by resource. */
const reasons: Readonly<Record<string, string>> = {
  pods: "its containers run no programs",
  services: "no program listens behind its Services",
  nodes: "its nodes are no machines",
};

/**
 * Refuses what connects a client with a container, a Service or a node: first as a real server refuses it, then by name and
 * reason. Models pkg/registry/core/pod/strategy.go streamLocation
 */
export function connectAnswer(scope: RequestScope): Answer {
  const { server, resource, target, request, query } = scope;
  const isProxy = target.subresource === "proxy";
  if (!isProxy && request.method !== "GET" && request.method !== "POST") throw methodNotAllowed();
  const name = isProxy ? proxiedName(target.name) : target.name;
  const object = server.read(resource.key, target.namespace, name);
  if (object === undefined) throw notFoundError(resource, name);
  if (!isProxy) checkPod(object, target.subresource, query.get("container") ?? "");
  const what = `${resource.plural}/${target.subresource}`;
  const why = reasons[resource.key] ?? "it is not modelled";
  throw new StatusError(501, "NotImplemented", `${what} of ${JSON.stringify(name)} is not served by the embedded cluster: ${why}`);
}

function checkPod(pod: KubeObject, subresource: string, container: string): void {
  if (subresource !== "portforward") containerNameOf(pod, container);
  if (stringAt(pod, "spec.nodeName", "") === "") throw badRequestError(`pod ${pod.metadata.name} does not have a host assigned`);
}

/** The object in `SCHEME:NAME:PORT`, `NAME:PORT` or `NAME`. Models apimachinery pkg/util/net/port_split.go */
function proxiedName(text: string): string {
  const parts = text.split(":");
  return (parts.length === 3 ? parts[1] : parts[0]) ?? "";
}
