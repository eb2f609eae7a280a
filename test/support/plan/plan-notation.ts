import { keyOf, refOf, titleOf, type KubeObject, type ObjectRef } from "../../../src/core/object/index.ts";
import type { OrderingConstraints, Need, Ordered } from "../../../src/release/order/index.ts";
import type { LiveFacts, PlanInput, DesiredManifest } from "../../../src/release/plan/plan-input.ts";
import type { Plan, Step } from "../../../src/release/plan/plan.ts";
import { buildPlan } from "../../../src/release/plan/build-plan.ts";

/** The constraints of an object without annotations. */
const defaultConstraints: OrderingConstraints = {
  stage: "main",
  stages: {},
  hook: false,
  rank: 0,
  unranked: false,
  gates: [{ until: "ready" }],
  needs: [],
  barrier: false,
  deletion: { needs: [] },
  deletePolicies: [],
  keep: { create: false, update: false, recreate: false, delete: false },
  remove: "after",
  ownership: "release",
  waitForKind: false,
  tracking: {
    failMode: "fail",
    blocking: true,
    ignoreProbeFailuresMs: {},
    logs: { skip: false, skipContainers: [], onlyContainers: [], replicas: 1, keep: [], drop: [], events: false },
  },
  sensitive: { whole: false, paths: [] },
};

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  StatefulSet: "apps/v1",
  Job: "batch/v1",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
};
const clusterScoped = new Set(["Namespace", "CustomResourceDefinition", "ClusterRole"]);

/** An object with its constraints. */
export function item(
  kind: string,
  name: string,
  constraints: Partial<OrderingConstraints> = {},
  more: Partial<KubeObject> = {},
): Ordered<DesiredManifest> {
  const metadata = clusterScoped.has(kind) ? { name } : { name, namespace: "shop" };
  const object: KubeObject = { apiVersion: apiVersions[kind] ?? "v1", kind, metadata, ...more };
  return { item: { object, at: `${name}.yaml:1` }, ref: refOf(object), constraints: { ...defaultConstraints, ...constraints } };
}

/** A hook of one or more stages. */
export function hook(
  kind: string,
  name: string,
  stages: OrderingConstraints["stages"],
  constraints: Partial<OrderingConstraints> = {},
): Ordered<DesiredManifest> {
  const gates: OrderingConstraints["gates"] = kind === "Job" ? [{ until: "completed" }] : [{ until: "ready" }];
  const stage = Object.values(stages)[0]?.[0] ?? "pre";
  return item(kind, name, { hook: true, ownership: "anyone", stage, stages, gates, deletePolicies: ["before-creation"], ...constraints });
}

export function need(kind: string, name: string, more: Partial<Need> = {}): Need {
  return { target: { kind, name }, gate: { until: "ready" }, external: false, because: "a test", ...more };
}

export const webRelease = { name: "web", namespace: "shop", revision: 1 };

/** The live facts of existing objects of this release. */
export function existing(items: readonly Ordered<DesiredManifest>[], facts: Partial<LiveFacts> = {}): [string, LiveFacts][] {
  const annotations = { "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop" };
  return items.map(({ ref }) => [
    keyOf(ref),
    { exists: true, uid: `uid-${ref.name}`, annotations, dryRun: { outcome: "updated" }, ...facts },
  ]);
}

export function planned(input: Partial<PlanInput> & Pick<PlanInput, "desired">): Plan {
  const result = buildPlan({ operation: "install", ...input });
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.plan;
}

/** `await db`: a step by verb and name. */
export function stepName({ id, action }: Step): string {
  if (action.verb === "join") return `join ${action.what}`;
  if (action.verb === "record") return `record ${action.state}${action.hook === undefined ? "" : ` ${action.hook.ref.name}`}`;
  const gates = action.verb === "await" && action.gates.some(({ until }) => until === "absent") ? "gone" : action.verb;
  return `${action.verb === "apply" && action.replace ? "replace" : gates} ${nameOf(action.ref)}${id.includes("#ready") && !id.includes("/external/") ? " ready" : ""}`;
}

function nameOf(ref: ObjectRef): string {
  return ref.name === "" ? titleOf(ref) : ref.name;
}

/**
 * A plan as arrows, without joins: `apply web < await db` reads "web is applied after db has passed its gate"; `~`
 * marks steps that only have to end.
 */
export function arrows({ steps }: Plan): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const reached = (step: Step, soft: boolean, found: Map<string, boolean>) => {
    for (const on of step.needs) {
      const target = byId.get(on.id)!;
      const mild = soft || on.settled === true;
      if (target.action.verb === "join") reached(target, mild, found);
      else found.set(stepName(target), mild && (found.get(stepName(target)) ?? true));
    }
    return found;
  };
  return steps
    .filter(({ action }) => action.verb !== "join")
    .map((step) => {
      const needs = [...reached(step, false, new Map())].map(([name, soft]) => (soft ? `~${name}` : name));
      const only = step.onlyIf === undefined ? "" : ` if ${stepName(byId.get(step.onlyIf.id)!)} ${step.onlyIf.outcome}`;
      return `${stepName(step)}${needs.length === 0 ? "" : ` < ${needs.toSorted().join(", ")}`}${only}`;
    });
}
