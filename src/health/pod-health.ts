import { findCondition, stringAt, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failedBecause, progressingBecause, ready, noRoomBecause, type Health } from "./health.ts";
import { podIssueOf } from "./pod-issue.ts";

/** A long-running pod is ready when its Ready condition is true. A pod that runs to completion is ready when it has succeeded. */
export function podHealth(object: KubeObject): Health {
  const issue = podIssueOf(object);
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Succeeded") return ready;
  if (phase === "Failed") return failedBecause(issue?.because ?? "it failed");
  if (issue?.final) return issue.noRoom ? noRoomBecause(issue.because, issue.noRoom) : failedBecause(issue.because);
  const stays = stringAt(object, "spec.restartPolicy", "Always") === "Always";
  const unready = conditionText(findCondition(object, "Ready", "False"), "not ready yet");
  if (phase !== "Running") return progressingBecause(issue?.because ?? "its containers have not started yet");
  if (!stays) return progressingBecause(issue?.because ?? "running to its end");
  if (findCondition(object, "Ready", "True") !== undefined) return ready;
  return progressingBecause(issue?.because ?? unready);
}
