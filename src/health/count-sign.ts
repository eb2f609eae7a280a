import { numberAt, type KubeObject } from "../object/index.ts";
import type { Sign } from "./sign.ts";

/** Says whether an object that counts its replicas as workloads do has all of them. */
export function signOfCounts(object: KubeObject): Sign | undefined {
  const daemon = numberAt(object, "status.desiredNumberScheduled");
  if (daemon !== undefined) return lacking(object, daemon, ["updatedNumberScheduled", "numberReady", "numberAvailable"]);
  const wanted = numberAt(object, "spec.replicas");
  if (wanted === undefined) return undefined;
  return lacking(object, wanted, ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"]);
}

function lacking(object: KubeObject, wanted: number, names: readonly string[]): Sign | undefined {
  const counted = names.flatMap((name) => {
    const count = numberAt(object, `status.${name}`);
    return count === undefined ? [] : [{ name, count }];
  });
  const short = counted.find(({ count }) => count < wanted);
  if (short !== undefined) return { tone: "busy", because: `${short.name}: ${short.count} of ${wanted}`, whole: true };
  return counted.length === 0 ? undefined : { tone: "good", because: "", whole: false };
}
