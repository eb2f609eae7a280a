import { titleOf } from "../../core/object/index.ts";
import type { Gate } from "../../release/order/index.ts";
import type { Action, Plan, Step, StepNeed } from "../../release/plan/index.ts";
import { waitSubjectOf } from "../../release/why/index.ts";
import type { ReleaseEdge, ReleaseNode } from "../api/index.ts";
import { NodeLinks } from "./node-links.ts";

/** A node of a plan, without what changes while the plan runs. */
export type PlanNode = Omit<ReleaseNode, "state" | "because" | "isFirstCause" | "waitsFor" | "isOnCriticalPath" | "change">;

/** A plan as objects and what they need of each other. */
export type PlanGraph = {
  /** In the order of the plan. */
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly ReleaseEdge[];
  /** The node of each step that has one, by the id of the step. */
  readonly nodeOfStep: ReadonlyMap<string, string>;
};

/** The steps of an object become one node. Joins stay only where they save edges, and records never do. */
export function planGraphOf({ steps }: Plan): PlanGraph {
  const links = new NodeLinks();
  const nodes = new Map<string, PlanNode>();
  const byId = new Map(steps.map((step) => [step.id, step]));
  const nodeOfStep = new Map<string, string>();
  for (const step of steps) {
    const id = waitSubjectOf(step) ?? step.id;
    nodeOfStep.set(step.id, id);
    if (!nodes.has(id)) nodes.set(id, nodeOf(step, id));
    for (const need of step.needs.filter(isShown)) {
      const needed = byId.get(need.id)!;
      links.add(nodeOfStep.get(need.id)!, id, { because: need.because, gate: gateOf(needed.action) });
    }
  }
  for (const { id, role } of nodes.values()) if (role === "join" && links.bypass(id)) nodes.delete(id);
  return { nodes: [...nodes.values()], edges: links.edges, nodeOfStep };
}

/** The order of requests by kind says nothing about the objects. */
function isShown({ settled, implied }: StepNeed): boolean {
  return !(settled === true && implied === true);
}

function nodeOf({ action, stage, rank, hook }: Step, id: string): PlanNode {
  const place = { type: "node", id, stage, rank } as const;
  if (action.verb === "join") return { ...place, role: "join", title: action.what };
  if (action.verb === "record") return { ...place, role: "join", title: "the record" };
  const { group, version, kind, namespace, name } = action.ref;
  const role = action.verb === "await" && action.external ? "external" : id.startsWith("gone/") ? "removal" : "object";
  const ref = { group, version, kind, namespace, name };
  return { ...place, role, ref, title: titleOf(action.ref), ...(hook === true ? { hook } : {}) };
}

function gateOf(action: Action): string {
  switch (action.verb) {
    case "apply":
      return "applied";
    case "delete":
      return "deleted";
    case "await":
      return action.gates.map(gateText).join(", ");
    default:
      return "";
  }
}

function gateText(gate: Gate): string {
  if (gate.until === "properties") return gate.properties.map(({ path, value }) => `${path}=${value}`).join(", ");
  if (gate.until === "rule") return gate.rule;
  if (gate.until === "absent") return "gone";
  return gate.until === "kots-ready" ? "ready" : gate.until;
}
