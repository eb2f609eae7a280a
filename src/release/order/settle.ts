import type { ObjectRef } from "../../core/object/index.ts";
import type { Claims, DeletePolicy, Gate, Stage, Tracking } from "./claim.ts";
import type { Said, Stages } from "./reading.ts";
import { byStage } from "./stage.ts";

/** What has to be known of the release to settle one object of it. */
export type Circumstances = {
  readonly namespace: string;
  /** All order in it is KOTS', hooks aside: then what says nothing is waited for until it is applied, no more. */
  readonly kotsAlone: boolean;
};

/** Makes claims of what annotations said: defaults, and who wins where dialects meet. Whether they agree was asked before. */
export function settle(ref: ObjectRef, said: Said, circumstances: Circumstances): Claims {
  const hook = said.hook !== undefined;
  const stages = stagesFor(ref, said);
  const [weight] = said.ranks ?? [];
  const kept = said.keep?.delete === true || said.remove === "keep" || isReleaseNamespace(ref, circumstances);
  return {
    stage: Object.values(stages).flat().toSorted(byStage)[0] ?? "main",
    stages,
    hook,
    rank: hook ? hookRank(said) : (weight?.value ?? 0),
    unranked: (said.needs ?? []).some(({ external }) => !external),
    gates: gatesFor(ref, said, circumstances),
    needs: said.needs ?? [],
    barrier: said.barrier ?? false,
    deletion: {
      ...(said.deletionPhase === undefined ? {} : { phase: said.deletionPhase }),
      needs: said.deletionNeeds ?? [],
      ...(said.propagation === undefined ? {} : { propagation: said.propagation }),
    },
    deletePolicies: policiesFor(ref, said),
    keep: { create: false, update: false, recreate: false, ...said.keep, delete: kept },
    remove: kept ? "keep" : (said.remove ?? "after"),
    ownership: isReleaseNamespace(ref, circumstances) ? "anyone" : (said.ownership ?? (hook ? "anyone" : "release")),
    ...(said.replicasOnCreation === undefined ? {} : { replicasOnCreation: said.replicasOnCreation }),
    ...(said.timeoutMs === undefined ? {} : { timeoutMs: said.timeoutMs }),
    ...(said.health === undefined ? {} : { health: said.health }),
    waitForKind: said.waitForKind ?? false,
    tracking: trackingFor(said),
    sensitive: sensitivityOf(ref, said),
  };
}

/** What annotations say about the place of an object, as against what is to be done with it there. */
export function isPlaced(said: Said): boolean {
  return said.ranks !== undefined || said.hook !== undefined || said.deployOn !== undefined || (said.needs ?? []).length > 0;
}

const everywhere = (stage: Stage): Stages => ({ install: [stage], upgrade: [stage], rollback: [stage] });
// Most objects of a release say the same: they share what follows from it.
const inCrds = everywhere("crds");
const inMain = everywhere("main");

function stagesFor(ref: ObjectRef, said: Said): Stages {
  if (said.deployOn !== undefined) return said.deployOn;
  if (said.hook !== undefined) return said.hook;
  return isDefinition(ref) && !isPlaced(said) ? inCrds : inMain;
}

function isDefinition({ group, kind }: ObjectRef): boolean {
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}

/** werf's weight wins over Helm's; phases do not apply to hooks. */
function hookRank({ ranks = [], hookWeight = 0 }: Said): number {
  return ranks.find(({ key }) => key === "werf.io/weight")?.value ?? hookWeight;
}

function gatesFor(ref: ObjectRef, said: Said, circumstances: Circumstances): readonly Gate[] {
  const own = said.gate === undefined ? impliedGates(ref, said, circumstances) : [said.gate];
  const gates = [...own, ...(said.gates ?? [])].map((gate): Gate =>
    gate.until === "ready" && said.health !== undefined ? { until: "rule", rule: said.health } : gate,
  );
  return strongest(gates);
}

/** The gates that follow from the place alone. */
function impliedGates(ref: ObjectRef, said: Said, { kotsAlone }: Circumstances): readonly Gate[] {
  const ranks = said.ranks ?? [];
  if (said.hook !== undefined) return [{ until: runsToItsEnd(ref) ? "completed" : "ready" }];
  if (isDefinition(ref) && !isPlaced(said)) return [{ until: "ready" }];
  if (ranks.length > 0) return ranks.map(({ gate }) => gate);
  if (said.gates !== undefined) return [];
  return [{ until: kotsAlone ? "applied" : "ready" }];
}

function runsToItsEnd({ group, kind }: ObjectRef): boolean {
  return (group === "batch" && kind === "Job") || (group === "" && kind === "Pod");
}

/** Leaves out what another gate includes: whatever is waited for has been applied, and can be read. */
function strongest(gates: readonly Gate[]): readonly Gate[] {
  if (gates.length < 2) return gates;
  const unique = [...new Map(gates.map((gate) => [JSON.stringify(gate), gate])).values()];
  const most = Math.max(...unique.map(strength));
  return unique.filter((gate) => strength(gate) === most);
}

function strength({ until }: Gate): number {
  if (until === "applied") return 0;
  return until === "present" ? 1 : 2;
}

function policiesFor(ref: ObjectRef, said: Said): readonly DeletePolicy[] {
  const isJob = ref.group === "batch" && ref.kind === "Job";
  const own = said.deletePolicies ?? (said.hook === undefined ? undefined : (said.hookDeletePolicies ?? ["before-creation"]));
  const policies = own ?? (isJob ? ["before-creation-if-immutable"] : []);
  return [...new Set<DeletePolicy>([...policies, ...(isJob ? (said.jobDeletePolicies ?? []) : [])])];
}

/** The release's own namespace holds its records, and much that is not its own. */
function isReleaseNamespace({ group, kind, name }: ObjectRef, { namespace }: Circumstances): boolean {
  return group === "" && kind === "Namespace" && name === namespace;
}

function trackingFor(said: Said): Tracking {
  const { tracking, probes, logs, keepLines, dropLines } = said;
  return (tracking ?? probes ?? logs ?? keepLines ?? dropLines) === undefined ? plainTracking : trackingOf(said);
}

function trackingOf(said: Said): Tracking {
  return {
    failMode: "fail",
    blocking: true,
    ...said.tracking,
    ignoreProbeFailuresMs: said.probes ?? {},
    logs: {
      skip: false,
      skipContainers: [],
      onlyContainers: [],
      replicas: 1,
      events: false,
      ...said.logs,
      keep: said.keepLines ?? [],
      drop: said.dropLines ?? [],
    },
  };
}

const plainTracking = trackingOf({});

function sensitivityOf({ group, kind }: ObjectRef, { sensitive, sensitivePaths }: Said): Claims["sensitive"] {
  if (sensitivePaths !== undefined) return { whole: false, paths: sensitivePaths };
  return { whole: sensitive ?? (group === "" && kind === "Secret"), paths: [] };
}
