import { ageText } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { findControllerAbsence, type ControllerAbsence } from "../../sveltos/fleet/index.ts";
import type { OccurrenceOutline } from "../../view/index.ts";
import type { Terminal } from "../terminal.ts";

/** What to do when no controller runs. */
export const absenceAdvice =
  "start one with sluice controller; where it is installed, kubectl -n projectsveltos get pods shows why it does not run";

/** What is known of the controllers of a management cluster when none runs. */
export function absenceText({ lease }: ControllerAbsence, nowMs: number): string {
  const age = lease === undefined ? NaN : nowMs - Date.parse(lease.renewTime);
  return textFor(lease, Number.isNaN(age) ? undefined : `${ageText(age)} ago`);
}

function textFor(lease: ControllerAbsence["lease"], when: string | undefined): string {
  if (lease === undefined) return "no controller is running (there is no Lease of one)";
  const renewed = when === undefined ? "is not renewed any more" : `was last renewed ${when}`;
  return `no controller is running (Lease ${lease.namespace}/${lease.name} ${renewed})`;
}

/** A line of `show events`, which stays the same while time goes on. */
export function absenceOutline({ lease }: ControllerAbsence): OccurrenceOutline {
  const { namespace = "projectsveltos", name = "sluice-leader", renewTime = "" } = lease ?? {};
  return {
    ...(renewTime === "" ? {} : { time: renewTime }),
    state: "failing",
    object: { kind: "Lease", namespace, name },
    clusters: [],
    reason: "NoController",
    message: `${textFor(lease, renewTime === "" ? undefined : `at ${renewTime}`)}, so that nothing else here is up to date: ${absenceAdvice}`,
  };
}

/** Warns when no controller runs, and says what follows: by default that what a command shows may be out of date. */
export async function warnWithoutController(
  hub: Cluster,
  { err, paint }: Terminal,
  signal: AbortSignal,
  consequence = "this may be out of date",
): Promise<void> {
  const absence = await findControllerAbsence(hub, signal);
  if (absence === undefined) return;
  err(paint.warn(`warning: ${absenceText(absence, hub.clock.now())}, so that ${consequence}: ${absenceAdvice}`));
}

/** Why nobody works on the objects of a fleet, and what to do; undefined when a controller runs. */
export async function unattendedBecause(hub: Cluster, signal: AbortSignal): Promise<string | undefined> {
  const absence = await findControllerAbsence(hub, signal);
  return absence === undefined ? undefined : `${absenceText(absence, hub.clock.now())}: ${absenceAdvice}`;
}
