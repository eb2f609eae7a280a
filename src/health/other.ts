import { condition, listAt, numberAt, stringAt, type KubeObject } from "../object/index.ts";
import { failed, progressing, ready, readyWith, type Health } from "./health.ts";

/** An address is the cloud's to give; what uses the Service inside the cluster need not wait for it. */
export function service(object: KubeObject): Health {
  if (stringAt(object, "spec.type") !== "LoadBalancer") return ready;
  return listAt(object, "status.loadBalancer.ingress").length > 0 ? ready : readyWith("no load-balancer address yet");
}

export function ingress(object: KubeObject): Health {
  return listAt(object, "status.loadBalancer.ingress").length > 0 ? ready : readyWith("no load-balancer address yet");
}

export function persistentVolumeClaim(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Bound") return ready;
  if (phase === "Lost") return failed("its volume is lost");
  return progressing("not bound to a volume yet");
}

export function persistentVolume(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Failed") return failed(stringAt(object, "status.message", "its reclamation failed"));
  return phase === "Pending" ? progressing("not available yet") : ready;
}

export function namespace(object: KubeObject): Health {
  return stringAt(object, "status.phase") === "Terminating" ? progressing("being deleted") : ready;
}

export function definition(object: KubeObject): Health {
  const names = condition(object, "NamesAccepted", "False");
  if (names !== undefined) return failed(`its names are not accepted: ${names.message ?? names.reason ?? ""}`);
  if (condition(object, "Established", "True") !== undefined) return ready;
  return progressing(condition(object, "Established", "False")?.message ?? "not established yet");
}

export function apiService(object: KubeObject): Health {
  if (condition(object, "Available", "True") !== undefined) return ready;
  const available = condition(object, "Available");
  return progressing(available?.message ?? "not available yet");
}

export function podDisruptionBudget(object: KubeObject): Health {
  const current = numberAt(object, "status.currentHealthy", 0);
  const desired = numberAt(object, "status.desiredHealthy", 0);
  const failing = condition(object, "DisruptionAllowed", "False");
  if (failing?.reason === "SyncFailed") return failed(failing.message ?? "it cannot tell which pods it is for");
  return current < desired ? readyWith(`${current} of ${desired} pods healthy`) : ready;
}

export function horizontalPodAutoscaler(object: KubeObject): Health {
  for (const type of ["AbleToScale", "ScalingActive"]) {
    const stuck = condition(object, type, "False");
    if (stuck !== undefined && stuck.reason !== "ScalingDisabled") return failed(stuck.message ?? `${type} is False`);
  }
  if (condition(object, "AbleToScale", "True") !== undefined) return ready;
  return progressing("no scaling decision yet");
}
