import { shellWord } from "../../component/shell-word.ts";
import type { Activity } from "./activity.ts";

const explained: ReadonlySet<string> = new Set(["ClusterProfile", "Profile", "EventTrigger", "EventBasedAddOn", "EventSource"]);

/** The command that says more of an activity; undefined where there is none. An empty context is not named. */
export function commandFor({ subject }: Pick<Activity, "subject">, context: string): string | undefined {
  const place = context === "" ? [] : ["--context", context];
  const line = (...words: readonly string[]) => [...words, ...place].map(shellWord).join(" ");
  if (subject.type === "release") return line("sluice", "why", subject.release.name, "-n", subject.release.namespace);
  const { kind, namespace, name } = subject.finding.object;
  const where = namespace === "" ? [] : ["-n", namespace];
  if (explained.has(kind)) return line("sluice", "why", `${kind}/${name}`, ...where);
  if (kind === "SveltosCluster") return line("sluice", "show", "events", "--cluster", `${namespace}/${name}`);
  return line("kubectl", "get", kind.toLowerCase(), name, ...where, "-o", "yaml");
}
