import { isSameReport, managementCopy, report } from "../../report/index.ts";
import { clusterReference, deployedBySveltosAnnotation, type EvaluationFailure } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Sighting } from "./observed.ts";
import type { Relay } from "./relay.ts";
import { lastMatches, patchStatus, writeReport } from "./reports.ts";
import type { ClusterInfo, Statuses } from "./statuses.ts";

const stranger =
  "the cluster has an EventSource of this name that is no copy made by a controller: its agent does not evaluate it, and nothing is reported";
const silence = "the agent of the cluster no longer renews its Lease projectsveltos/sluice-agent: what it reported last holds";

/**
 * Carries what an agent reported to the management cluster, and tells the agent how far it has got. A report that is not
 * there, or on its way out, says nothing: only triggers and EventSources decide what goes.
 */
export async function carryReported(
  desk: Desk,
  statuses: Statuses,
  sighting: Sighting & { readonly relay: Relay },
  signal: AbortSignal,
): Promise<Outcome> {
  const { key, eventSource, relay, post } = sighting;
  const copy = relay.isReady ? relay.source(eventSource) : undefined;
  if (copy === undefined) return settled;
  if (copy.metadata.annotations?.[deployedBySveltosAnnotation] === undefined) {
    statuses.say(key, eventSource, {
      cluster: clusterReference(clusterIdOf(key)),
      matchingResources: 0,
      failures: [{ message: stranger }],
    });
    return settled;
  }
  const managed = relay.report(eventSource);
  if (managed !== undefined && managed.metadata.deletionTimestamp === undefined) await carry(desk, sighting, managed, signal);
  const info = infoOf(copy, key, post.agent.state === "silent");
  if (info !== undefined) statuses.say(key, eventSource, info);
  return settled;
}

async function carry(
  { hub, copies }: Desk,
  { key, eventSource, post, there }: Sighting,
  managed: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const wanted = managementCopy(managed, eventSource, clusterIdOf(key));
  const { cluster } = post.link;
  let seen: KubeObject | undefined = managed;
  if (there?.metadata.deletionTimestamp !== undefined) return;
  if (!isSameReport(there, wanted)) {
    const [written, delivering] = await Promise.all([
      writeReport(hub, there, wanted, signal),
      phaseOf(managed) === "Delivering" ? managed : patchStatus(cluster, managed, { phase: "Delivering" }, signal),
    ]);
    if (written === undefined) return;
    await copies.caughtUp([written], signal);
    seen = delivering;
  }
  // Where it has changed meanwhile, that is news, and it is carried again.
  if (seen !== undefined && phaseOf(seen) !== "Processed") await patchStatus(cluster, seen, { phase: "Processed" }, signal);
}

/** A report for an agent to begin with, so that it knows what matched before it was there. */
export function seedOf(there: KubeObject, eventSource: string): KubeObject | undefined {
  const matches = lastMatches(there);
  const collectResources = matches.some(({ object }) => object !== undefined);
  const made = report({ eventSource, matches, collectResources });
  return "report" in made ? made.report : undefined;
}

/** What an agent says in the status of its EventSource, and what is to be said of the agent. */
function infoOf(copy: KubeObject, key: string, isSilent: boolean): ClusterInfo | undefined {
  const [own] = listAt(copy, "status.clusterInfo");
  const refusal = stringAt(copy, "status.failureMessage");
  if (own === undefined && refusal === undefined && !isSilent) return undefined;
  const said = [...(isSilent ? [{ message: silence }] : []), ...(refusal === undefined ? [] : [{ message: refusal }])];
  const failures = [...said, ...(listAt(own, "failures") as readonly EvaluationFailure[])];
  return {
    cluster: clusterReference(clusterIdOf(key)),
    matchingResources: numberAt(own, "matchingResources", 0),
    ...(failures.length > 0 && { failures }),
  };
}

function phaseOf(report: KubeObject): string | undefined {
  return stringAt(report, "status.phase");
}
