import { condition, stringAt, type KubeObject } from "../core/object/index.ts";
import { conditionText } from "./condition-text.ts";
import { failed, progressing, ready, withoutRoom, type Health } from "./health.ts";
import { troubleOf } from "./trouble.ts";

/** A pod that is to stay is ready when it says so; one that is to run to its end is ready when it has succeeded. */
export function pod(object: KubeObject): Health {
  const trouble = troubleOf(object);
  const phase = stringAt(object, "status.phase", "Pending");
  if (phase === "Succeeded") return ready;
  if (phase === "Failed") return failed(trouble?.because ?? "it failed");
  if (trouble?.final) return trouble.noRoom ? withoutRoom(trouble.because, trouble.noRoom) : failed(trouble.because);
  const stays = stringAt(object, "spec.restartPolicy", "Always") === "Always";
  const unready = conditionText(condition(object, "Ready", "False"), "not ready yet");
  if (phase !== "Running") return progressing(trouble?.because ?? "its containers have not started yet");
  if (!stays) return progressing(trouble?.because ?? "running to its end");
  if (condition(object, "Ready", "True") !== undefined) return ready;
  return progressing(trouble?.because ?? unready);
}
