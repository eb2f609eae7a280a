import { condition, stringAt, type KubeObject } from "../object/index.ts";
import { troubleOf } from "./explain.ts";
import { failed, progressing, ready, type Health } from "./health.ts";

export function pod(object: KubeObject): Health {
  const trouble = troubleOf(object);
  switch (stringAt(object, "status.phase")) {
    case "Succeeded":
      return ready;
    case "Failed":
      return failed(trouble?.because ?? stringAt(object, "status.message", "it failed"));
    case "Running":
      return running(object);
    default:
      if (trouble?.final) return failed(trouble.because);
      return progressing(trouble?.because ?? "its containers have not started yet");
  }
}

function running(object: KubeObject): Health {
  const trouble = troubleOf(object);
  const restarts = stringAt(object, "spec.restartPolicy", "Always");
  if (condition(object, "Ready", "True") !== undefined) return ready;
  if (trouble?.final) return failed(trouble.because);
  const because = trouble?.because ?? condition(object, "Ready", "False")?.message ?? "not ready yet";
  return progressing(restarts === "Always" ? because : `running to its end: ${because}`);
}
