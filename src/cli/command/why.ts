import { Fault } from "../../core/fault/index.ts";
import type { Cluster, Resource } from "../../kube/index.ts";
import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import { readRolloutStatus } from "../../release/status/index.ts";
import { waitChainsFrom, why as explain, type WaitExplanation, type RolloutStatus } from "../../release/why/index.ts";
import { chainLines, whyLines, whyOutline } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { fleetAttendance } from "../fleet/fleet-attendance.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { hasDied } from "../process-identity.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { WhyFlags } from "../command-group/release-query.ts";

/** Prints why a release, one object of it, or something of a fleet waits, down to the first causes. */
export async function why(
  name: string,
  object: string | undefined,
  options: WhyFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  // A release has no slash in its name.
  if (name.includes("/") && object === undefined) return (await import("./why-fleet.ts")).whyFleet(name, options, terminal, signal);
  const { output, cluster: of, ...where } = options;
  if (of !== undefined)
    throw new UsageFault(`find out why ${name} waits`, "--cluster is for the fleet: sluice why ClusterProfile/NAME --cluster NAME");
  const wanted = object === undefined ? undefined : parseObjectName(object);
  return withCluster(where, terminal, async ({ cluster }) => {
    const situation = await readRolloutStatus({ name, namespace: cluster.namespace }, cluster, {
      signal,
      hasDied,
      attendanceOf: fleetAttendance(cluster, signal),
    });
    const explanation = explain(situation);
    const refs = wanted === undefined ? undefined : await refsCalled(wanted, situation, explanation, cluster);
    const shown = refs === undefined ? explanation : about(refs, explanation);
    if (output !== "text") terminal.out(formatOutput(whyOutline(shown), output));
    else for (const line of linesFor(shown, refs, terminal)) terminal.out(line);
    return exitCodes.ok;
  });
}

type ObjectName = { readonly kind: string; readonly name: string };

function parseObjectName(text: string): ObjectName {
  const [kind = "", name = "", ...more] = text.split("/");
  if (kind !== "" && name !== "" && more.length === 0) return { kind, name };
  throw new UsageFault(`find the object ${JSON.stringify(text)}`, "expected KIND/NAME, such as deployment/web or deploy/web");
}

/** The objects of the release, or those it waits for, that the argument may name: `deploy/web`, `deployments.apps/web`. */
async function refsCalled(
  { kind, name }: ObjectName,
  situation: RolloutStatus,
  explanation: WaitExplanation,
  cluster: Cluster,
): Promise<readonly ObjectRef[]> {
  const { plan, release } = situation;
  const resource = await cluster.discovery.findByName(kind);
  const own = plan.steps.flatMap(({ action }) => (action.verb === "join" || action.verb === "record" ? [] : [action.ref]));
  const refs = [...own, ...explanation.waiting.map(({ ref }) => ref)].filter((ref) => ref.name === name);
  const found = refs.filter((ref) => isOfKind(ref, resource) || isCalled(ref, kind));
  if (found.length > 0) return found;
  throw new Fault(
    `find ${kind}/${name} in release ${release.name} in ${release.namespace}`,
    `there is no such object in it: sluice status ${release.name} shows all it has`,
    { final: true },
  );
}

/** The ref of an external object has the resource's name as its kind until it has been looked up. */
function isOfKind(ref: ObjectRef, resource: Resource | undefined): boolean {
  if (resource === undefined) return false;
  return (ref.kind === resource.kind && ref.group === resource.group) || (ref.version === "" && isCalled(ref, resource.plural));
}

/** Kinds that the cluster does not serve have no short names, so only the kind itself is compared. */
function isCalled({ kind }: ObjectRef, word: string): boolean {
  return kind.toLowerCase() === word.toLowerCase().split(".")[0];
}

/** The explanation reduced to some objects and all that they wait for. */
function about(refs: readonly ObjectRef[], explanation: WaitExplanation): WaitExplanation {
  const ids = new Set(
    idsOf(refs, explanation)
      .flatMap((id) => waitChainsFrom(explanation, id))
      .flatMap((chain) => chain.map((each) => each.id)),
  );
  return { ...explanation, waiting: explanation.waiting.filter(({ id }) => ids.has(id)) };
}

function idsOf(refs: readonly ObjectRef[], { waiting }: WaitExplanation): readonly string[] {
  const isOne = (ref: ObjectRef) =>
    refs.some((each) => each.kind === ref.kind && each.group === ref.group && each.name === ref.name && each.namespace === ref.namespace);
  return waiting.filter(({ ref }) => isOne(ref)).map(({ id }) => id);
}

function linesFor(explanation: WaitExplanation, refs: readonly ObjectRef[] | undefined, { paint }: Terminal): readonly string[] {
  if (refs === undefined) return whyLines(explanation, paint);
  const ids = idsOf(refs, explanation);
  if (ids.length > 0) return chainLines(explanation, ids, paint);
  return [`nothing holds up ${[...new Set(refs.map(titleOf))].join(", ")}: it is as the release wants it, and ready`];
}
