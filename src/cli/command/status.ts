import { readReleaseStatus } from "../../release/status/index.ts";
import { statusLines, statusOutline } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { fleetAttendance } from "../fleet/fleet-attendance.ts";
import { exitCodes } from "../failure.ts";
import { hasDied } from "../process-identity.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { StatusFlags } from "../command-group/release-query.ts";

/** Prints the status of a release and the health of its objects. Exit code 1 unless it is deployed and all of it is ready. */
export async function status(name: string, options: StatusFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, ...where } = options;
  return withCluster(where, terminal, async ({ cluster }) => {
    const found = await readReleaseStatus({ name, namespace: cluster.namespace }, cluster, {
      signal,
      hasDied,
      attendanceOf: fleetAttendance(cluster, signal),
    });
    if (output !== "text") terminal.out(formatOutput(statusOutline(found), output));
    else for (const line of statusLines(found, terminal.paint)) terminal.out(line);
    return found.ready ? exitCodes.ok : exitCodes.failed;
  });
}
