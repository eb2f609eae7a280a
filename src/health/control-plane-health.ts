import { booleanAt, findCondition, fieldsAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failedBecause, progressingBecause, ready, readyWith, type Health } from "./health.ts";

export function namespaceHealth(object: KubeObject): Health {
  return stringAt(object, "status.phase") === "Terminating" ? progressingBecause("being deleted") : ready;
}

export function nodeHealth(object: KubeObject): Health {
  const answer = findCondition(object, "Ready");
  if (answer?.status !== "True")
    return progressingBecause(answer === undefined ? "its kubelet has not reported yet" : conditionText(answer));
  return booleanAt(object, "spec.unschedulable") ? readyWith("cordoned: no pod is scheduled to it") : ready;
}

/** Models plugin/pkg/admission/resourcequota: until a limit has been counted, requests for it are denied. */
export function resourceQuotaHealth(object: KubeObject): Health {
  const counted = fieldsAt(object, "status.hard");
  const missing = Object.keys(fieldsAt(object, "spec.hard")).filter((name) => !(name in counted));
  return missing.length === 0 ? ready : progressingBecause(`not counted yet: ${missing.join(", ")}`);
}

export function crdHealth(object: KubeObject): Health {
  const names = findCondition(object, "NamesAccepted", "False");
  if (names !== undefined) return failedBecause(`its names are not accepted: ${conditionText(names)}`);
  if (findCondition(object, "Established", "True") !== undefined) return ready;
  return progressingBecause(conditionText(findCondition(object, "Established"), "not established yet"));
}

export function apiServiceHealth(object: KubeObject): Health {
  const available = findCondition(object, "Available");
  return available?.status === "True" ? ready : progressingBecause(conditionText(available, "not available yet"));
}

export function certificateSigningRequestHealth(object: KubeObject): Health {
  const refused = findCondition(object, "Denied", "True") ?? findCondition(object, "Failed", "True");
  if (refused !== undefined) return failedBecause(`${refused.type}: ${conditionText(refused, "no reason given")}`);
  if (stringAt(object, "status.certificate", "") !== "") return ready;
  return progressingBecause(findCondition(object, "Approved", "True") === undefined ? "waits for approval" : "approved, not signed yet");
}
