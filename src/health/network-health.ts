import { listAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { ready, readyWith, type Health } from "./health.ts";

/** The load-balancer address comes from the cloud provider. Clients inside the cluster need not wait for it. */
export function serviceHealth(object: KubeObject): Health {
  return stringAt(object, "spec.type") === "LoadBalancer" ? ingressHealth(object) : ready;
}

export function ingressHealth(object: KubeObject): Health {
  return listAt(object, "status.loadBalancer.ingress").length > 0 ? ready : readyWith("no load-balancer address yet");
}
