import { shellWord } from "../../component/shell-word.ts";
import type { EventNodeItem, EventsView } from "../../../src/dashboard/api/index.ts";

function line(...words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** What a step can be asked for on the command line. An empty context is not named. */
export function commandsFor({ ref, cluster, step }: EventNodeItem, { context, cluster: place }: EventsView): readonly string[] {
  if (ref === undefined) return [];
  const { group, kind, namespace, name } = ref;
  const there = context === "" ? [] : ["--context", context];
  const where = namespace === "" ? [] : ["-n", namespace];
  const resource = `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
  if (step === "Objects") {
    const target = cluster === undefined ? [] : ["--cluster", `${cluster.namespace}/${cluster.name}`];
    return [line("sluice", "show", "resources", ...target, ...there), line("kubectl", "get", resource, ...where, "-o", "yaml")];
  }
  const get = line("kubectl", "get", resource, ...where, "-o", "yaml", ...there);
  if (step === "EventReport") return [get];
  const only = step === "EventTrigger" && place !== undefined ? ["--cluster", `${place.namespace}/${place.name}`] : [];
  return [line("sluice", "why", `${kind}/${name}`, ...where, ...only, ...there), get];
}
