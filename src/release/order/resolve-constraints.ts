import type { ObjectRef } from "../../core/object/index.ts";
import type { OrderingConstraints, DeletePolicy, Gate, Stage, Tracking } from "./ordering-constraints.ts";
import type { ParsedAnnotations, StagesByOperation } from "./annotation-reader.ts";
import { sensitivityOf } from "./sensitivity-in.ts";
import { compareStages } from "./stage-order.ts";

/** What resolving one object needs to know about the release. */
type ResolveContext = {
  readonly namespace: string;
  /** KOTS is the only dialect, hooks aside. Objects without annotations are then waited for until they are applied only. */
  readonly kotsAlone: boolean;
};

/**
 * Resolves parsed annotations to ordering constraints: applies defaults and the precedence between dialects.
 * Contradictions were reported before.
 */
export function resolveConstraints(ref: ObjectRef, parsed: ParsedAnnotations, context: ResolveContext): OrderingConstraints {
  const hook = parsed.hook !== undefined;
  const stages = stagesFor(ref, parsed);
  const [weight] = parsed.ranks ?? [];
  const kept = parsed.keep?.delete === true || parsed.remove === "keep" || isReleaseNamespace(ref, context);
  return {
    stage: Object.values(stages).flat().toSorted(compareStages)[0] ?? "main",
    stages,
    hook,
    rank: hook ? hookRank(parsed) : (weight?.value ?? 0),
    unranked: (parsed.needs ?? []).some(({ external }) => !external),
    gates: gatesFor(ref, parsed, context),
    needs: parsed.needs ?? [],
    barrier: parsed.barrier ?? false,
    deletion: {
      ...(parsed.deletionPhase === undefined ? {} : { phase: parsed.deletionPhase }),
      needs: parsed.deletionNeeds ?? [],
      ...(parsed.propagation === undefined ? {} : { propagation: parsed.propagation }),
    },
    deletePolicies: policiesFor(ref, parsed),
    keep: { create: false, update: false, recreate: false, ...parsed.keep, delete: kept },
    remove: kept ? "keep" : (parsed.remove ?? "after"),
    ownership: isReleaseNamespace(ref, context) ? "anyone" : (parsed.ownership ?? (hook ? "anyone" : "release")),
    ...(parsed.replicasOnCreation === undefined ? {} : { replicasOnCreation: parsed.replicasOnCreation }),
    ...(parsed.timeoutMs === undefined ? {} : { timeoutMs: parsed.timeoutMs }),
    ...(parsed.health === undefined ? {} : { health: parsed.health }),
    waitForKind: parsed.waitForKind ?? false,
    tracking: trackingFor(parsed),
    sensitive: sensitivityOf(ref, parsed),
  };
}

/** Whether annotations place the object, as against only configure it. */
function hasPlace(parsed: ParsedAnnotations): boolean {
  return parsed.ranks !== undefined || parsed.hook !== undefined || parsed.deployOn !== undefined || (parsed.needs ?? []).length > 0;
}

const everywhere = (stage: Stage): StagesByOperation => ({ install: [stage], upgrade: [stage], rollback: [stage] });
// Shared, because most objects of a release have the same stages.
const inCrds = everywhere("crds");
const inMain = everywhere("main");

function stagesFor(ref: ObjectRef, parsed: ParsedAnnotations): StagesByOperation {
  if (parsed.deployOn !== undefined) return parsed.deployOn;
  if (parsed.hook !== undefined) return parsed.hook;
  return isCrd(ref) && !hasPlace(parsed) ? inCrds : inMain;
}

function isCrd({ group, kind }: ObjectRef): boolean {
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}

/** werf's weight wins over Helm's; phases do not apply to hooks. */
function hookRank({ ranks = [], hookWeight = 0 }: ParsedAnnotations): number {
  return ranks.find(({ key }) => key === "werf.io/weight")?.value ?? hookWeight;
}

function gatesFor(ref: ObjectRef, parsed: ParsedAnnotations, context: ResolveContext): readonly Gate[] {
  const own = parsed.gate === undefined ? impliedGates(ref, parsed, context) : [parsed.gate];
  const gates = [...own, ...(parsed.gates ?? [])].map((gate): Gate =>
    gate.until === "ready" && parsed.health !== undefined ? { until: "rule", rule: parsed.health } : gate,
  );
  return strongest(gates);
}

/** The default gates of a place. */
function impliedGates(ref: ObjectRef, parsed: ParsedAnnotations, { kotsAlone }: ResolveContext): readonly Gate[] {
  const ranks = parsed.ranks ?? [];
  if (parsed.hook !== undefined) return [{ until: runsToItsEnd(ref) ? "completed" : "ready" }];
  if (isCrd(ref) && !hasPlace(parsed)) return [{ until: "ready" }];
  if (ranks.length > 0) return ranks.map(({ gate }) => gate);
  if (parsed.gates !== undefined) return [];
  return [{ until: kotsAlone ? "applied" : "ready" }];
}

function runsToItsEnd({ group, kind }: ObjectRef): boolean {
  return (group === "batch" && kind === "Job") || (group === "" && kind === "Pod");
}

/** Drops gates that another gate implies: an object that is waited for is applied and present. */
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

function policiesFor(ref: ObjectRef, parsed: ParsedAnnotations): readonly DeletePolicy[] {
  const isJob = ref.group === "batch" && ref.kind === "Job";
  const own = parsed.deletePolicies ?? (parsed.hook === undefined ? undefined : (parsed.hookDeletePolicies ?? ["before-creation"]));
  const policies = own ?? (isJob ? ["before-creation-if-immutable"] : []);
  return [...new Set<DeletePolicy>([...policies, ...(isJob ? (parsed.jobDeletePolicies ?? []) : [])])];
}

/** The release's own namespace holds its records and objects of others. */
function isReleaseNamespace({ group, kind, name }: ObjectRef, { namespace }: ResolveContext): boolean {
  return group === "" && kind === "Namespace" && name === namespace;
}

function trackingFor(parsed: ParsedAnnotations): Tracking {
  const { tracking, probes, logs, keepLines, dropLines } = parsed;
  return (tracking ?? probes ?? logs ?? keepLines ?? dropLines) === undefined ? defaultTracking : trackingOf(parsed);
}

function trackingOf(parsed: ParsedAnnotations): Tracking {
  return {
    failMode: "fail",
    blocking: true,
    ...parsed.tracking,
    ignoreProbeFailuresMs: parsed.probes ?? {},
    logs: {
      skip: false,
      skipContainers: [],
      onlyContainers: [],
      replicas: 1,
      events: false,
      ...parsed.logs,
      keep: parsed.keepLines ?? [],
      drop: parsed.dropLines ?? [],
    },
  };
}

const defaultTracking = trackingOf({});
