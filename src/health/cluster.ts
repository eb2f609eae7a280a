import { booleanAt, condition, fieldsAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failed, progressing, ready, readyWith, type Health } from "./health.ts";

export function namespace(object: KubeObject): Health {
  return stringAt(object, "status.phase") === "Terminating" ? progressing("being deleted") : ready;
}

export function node(object: KubeObject): Health {
  const answer = condition(object, "Ready");
  if (answer?.status !== "True") return progressing(answer === undefined ? "its kubelet has not reported yet" : conditionText(answer));
  return booleanAt(object, "spec.unschedulable") ? readyWith("cordoned: no pod is scheduled to it") : ready;
}

/** Models plugin/pkg/admission/resourcequota: until a limit has been counted, whatever it limits is refused. */
export function resourceQuota(object: KubeObject): Health {
  const counted = fieldsAt(object, "status.hard");
  const missing = Object.keys(fieldsAt(object, "spec.hard")).filter((name) => !(name in counted));
  return missing.length === 0 ? ready : progressing(`not counted yet: ${missing.join(", ")}`);
}

export function definition(object: KubeObject): Health {
  const names = condition(object, "NamesAccepted", "False");
  if (names !== undefined) return failed(`its names are not accepted: ${conditionText(names)}`);
  if (condition(object, "Established", "True") !== undefined) return ready;
  return progressing(conditionText(condition(object, "Established"), "not established yet"));
}

export function apiService(object: KubeObject): Health {
  const available = condition(object, "Available");
  return available?.status === "True" ? ready : progressing(conditionText(available, "not available yet"));
}

export function certificateSigningRequest(object: KubeObject): Health {
  const refused = condition(object, "Denied", "True") ?? condition(object, "Failed", "True");
  if (refused !== undefined) return failed(`${refused.type}: ${conditionText(refused, "no reason given")}`);
  if (stringAt(object, "status.certificate", "") !== "") return ready;
  return progressing(condition(object, "Approved", "True") === undefined ? "waits for approval" : "approved, not signed yet");
}
