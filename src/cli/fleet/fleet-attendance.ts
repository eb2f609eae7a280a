import type { Cluster } from "../../kube/index.ts";
import type { AttendanceOf } from "../../release/track/index.ts";

/** The groups whose objects the controller of a fleet works on. */
const fleetGroups: ReadonlySet<string> = new Set(["config.projectsveltos.io", "lib.projectsveltos.io"]);

/** Finds out for waits whether a controller works on the objects of a fleet. Those who ask at once get one answer. */
export function fleetAttendance(hub: Cluster, signal: AbortSignal): AttendanceOf {
  let asking: Promise<string | undefined> | undefined;
  // Most releases have no such objects, and need not load what knows them.
  const ask = async () => (await import("./controller-absence.ts")).unattendedBecause(hub, signal);
  return ({ group }) => (fleetGroups.has(group) ? () => (asking ??= ask().finally(() => (asking = undefined))) : undefined);
}
