import { titleOf } from "../../core/object/index.ts";
import { load } from "../../release/load/index.ts";
import { desiredOf, prepare } from "../../release/prepare/index.ts";
import { readObjectStatuses, type ObjectStatus } from "../../release/status/index.ts";
import { oneLine, plainLine, table } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { fleetAttendance } from "../fleet/fleet-attendance.ts";
import { exitCodes } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";
import type { CheckFlags } from "../command-group/manifest.ts";

/** Prints the health of each object of the sources. Exit code 1 unless all are ready. */
export async function checkObjects(
  sources: readonly string[],
  options: CheckFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, ...where } = options;
  const { manifests, invalid } = await load(sources, sourceReaders, { signal });
  return withCluster(where, terminal, async ({ cluster }) => {
    const { items } = await prepare(manifests, cluster, { signal, invalid });
    const findings = await readObjectStatuses(items.map(desiredOf), cluster, { signal, attendanceOf: fleetAttendance(cluster, signal) });
    show(findings, output, terminal);
    return findings.every(({ state }) => state === "ready") ? exitCodes.ok : exitCodes.failed;
  });
}

function show(findings: readonly ObjectStatus[], output: CheckFlags["output"], { out }: Terminal): void {
  if (output !== "text") return out(formatOutput(findings, output));
  const rows = findings.map(({ ref, state, because = "" }) => [titleOf(ref), ref.namespace, state, plainLine(oneLine(because))]);
  for (const line of table(["OBJECT", "NAMESPACE", "STATE", "REASON"], rows)) out(line);
}
