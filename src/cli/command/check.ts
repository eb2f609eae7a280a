import { assess, explain, type Health } from "../../health/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { labelSelectorOf, titleOf, valueAt, type KubeObject, type ObjectRef } from "../../object/index.ts";
import { prepare, type Prepared } from "../../release/apply/index.ts";
import { load } from "../../release/load/index.ts";
import { table } from "../../view/index.ts";
import { writeYaml } from "../../yaml/index.ts";
import { exitCodes } from "../failure.ts";
import { openSite, type SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type CheckCommand = SiteOptions & { readonly output: "text" | "json" | "yaml" };

type Finding = { readonly ref: ObjectRef; readonly state: Health["state"] | "missing"; readonly because?: string };

/** Says how each object of the sources is doing. Exit code 1 unless all are ready. */
export async function check(sources: readonly string[], options: CheckCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const manifests = await load(sources, surroundings, { signal });
  const site = await openSite(options, (warning) => terminal.err(`warning: ${warning}`));
  try {
    const { items: prepared } = await prepare(manifests, site.cluster, { signal });
    const findings = await Promise.all(prepared.map((item) => findingOf(item, site.cluster, signal)));
    show(findings, options.output, terminal);
    return findings.every(({ state }) => state === "ready") ? exitCodes.ok : exitCodes.failed;
  } finally {
    site.close();
  }
}

async function findingOf({ ref, hasStatus }: Prepared, cluster: Cluster, signal: AbortSignal): Promise<Finding> {
  const live = await cluster.find(ref, { signal });
  if (live === undefined) return { ref, state: "missing", because: "it does not exist" };
  const health = assess(live, { hasStatus });
  const told = health.state === "ready" ? health : explain(health, live, await podsOf(live, cluster, signal));
  const because = told.state === "ready" ? told.note : told.because;
  return { ref, state: told.state, ...(because === undefined ? {} : { because }) };
}

async function podsOf(live: KubeObject, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const selector = valueAt(live, "spec.selector");
  if (valueAt(live, "spec.template") === undefined || typeof selector !== "object" || selector === null) return [];
  const { items } = await cluster.list({ group: "", version: "v1", kind: "Pod" }, { namespace: live.metadata.namespace ?? "", signal });
  const { matches } = labelSelectorOf(selector);
  return items.filter((pod) => matches(pod.metadata.labels ?? {}));
}

function show(findings: readonly Finding[], output: CheckCommand["output"], { out }: Terminal): void {
  if (output === "json") return out(JSON.stringify(findings, undefined, 2));
  if (output === "yaml") return out(writeYaml(findings).trimEnd());
  const rows = findings.map(({ ref, state, because = "" }) => [titleOf(ref), ref.namespace, state, because]);
  for (const line of table(["OBJECT", "NAMESPACE", "STATE", "REASON"], rows)) out(line);
}
