import { titleOf } from "../../core/object/index.ts";
import { prepare } from "../../release/apply/index.ts";
import { load } from "../../release/load/index.ts";
import { objectStatuses, type ObjectStatus } from "../../release/status/index.ts";
import { table } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes } from "../failure.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type CheckCommand = SiteOptions & { readonly output: "text" | "json" | "yaml" };

/** Says how each object of the sources is doing. Exit code 1 unless all are ready. */
export async function check(sources: readonly string[], options: CheckCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, ...where } = options;
  const manifests = await load(sources, surroundings, { signal });
  return onCluster(where, terminal, async ({ cluster }) => {
    const { items } = await prepare(manifests, cluster, { signal });
    const members = items.map(({ object, at, ref, claims }) => ({ item: { object, at }, ref, claims }));
    const findings = await objectStatuses(members, cluster, { signal });
    show(findings, output, terminal);
    return findings.every(({ state }) => state === "ready") ? exitCodes.ok : exitCodes.failed;
  });
}

function show(findings: readonly ObjectStatus[], output: CheckCommand["output"], { out }: Terminal): void {
  if (output !== "text") return out(dataText(findings, output));
  const rows = findings.map(({ ref, state, because = "" }) => [titleOf(ref), ref.namespace, state, because]);
  for (const line of table(["OBJECT", "NAMESPACE", "STATE", "REASON"], rows)) out(line);
}
