import { listAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { ready, readyWith, type Health } from "./health.ts";

/** An address is the cloud's to give; what uses the Service inside the cluster need not wait for it. */
export function serviceHealth(object: KubeObject): Health {
  return stringAt(object, "spec.type") === "LoadBalancer" ? ingressHealth(object) : ready;
}

export function ingressHealth(object: KubeObject): Health {
  return listAt(object, "status.loadBalancer.ingress").length > 0 ? ready : readyWith("no load-balancer address yet");
}
