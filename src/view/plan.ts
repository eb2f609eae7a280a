import { titleOf } from "../core/object/index.ts";
import type { Action, DeferredCheck, Plan, Step } from "../release/plan/index.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";

/**
 * A plan as a tree: by stage and rank what is done, until when it is waited for, and what else it waits for. `about` is put
 * behind the revision.
 */
export function planTree(plan: Plan, paint: Paint = plainPaint, about = ""): string[] {
  const awaits = new Map(plan.steps.flatMap((step) => ownAwait(step)));
  const lines = [paint.strong(headOf(plan, about))];
  let place = "";
  for (const step of plan.steps.filter(isShown).toSorted(asPeopleRead)) {
    const what = step.action.verb === "delete" ? `${step.stage}, to be deleted` : step.stage;
    const here = `${what}${step.rank === 0 ? "" : `, rank ${step.rank}`}`;
    if (here !== place) lines.push(here);
    place = here;
    lines.push(`  ${stepLine(step, awaits.get(step.id), paint)}`);
  }
  if (plan.kept.length > 0) lines.push("stays");
  for (const { ref, because } of plan.kept) lines.push(`  ${titleOf(ref)}: ${because}`);
  return lines;
}

const stages = ["crds", "pre", "main", "post"];

/** Orders steps by stage and rank, and deletions as they are executed. */
function asPeopleRead(a: Step, b: Step): number {
  const [gone, goes] = [a.action.verb === "delete", b.action.verb === "delete"];
  const stage = stages.indexOf(a.stage) - stages.indexOf(b.stage) || Number(gone) - Number(goes);
  return stage || (gone ? 0 : a.rank - b.rank);
}

function headOf({ operation, release, steps }: Plan, about: string): string {
  const what = release === undefined ? operation : `${operation} ${release.name} in ${release.namespace}, revision ${release.revision}`;
  const count = (verb: string) => steps.filter(({ action }) => action.verb === verb).length;
  const behind = about === "" ? "" : ` (${about})`;
  return `${what}${behind}: ${count("apply")} to apply, ${count("delete")} to delete, ${count("await")} to wait for`;
}

/** An await that follows an apply or a delete is part of that step's line. */
function ownAwait({ action, needs, id }: Step): readonly (readonly [string, Step["action"] & { verb: "await" }])[] {
  const [first] = needs;
  if (action.verb !== "await" || action.external || first === undefined || !/^(apply|delete)\//.test(first.id)) return [];
  return id.includes("#ready") ? [] : [[first.id, action]];
}

function isShown({ action, needs }: Step): boolean {
  if (action.verb === "join" || action.verb === "record") return false;
  return action.verb !== "await" || !needs.some(({ id }) => /^(apply|delete)\//.test(id));
}

function stepLine(step: Step, until: (Action & { verb: "await" }) | undefined, paint: Paint): string {
  const { action } = step;
  if (action.verb === "join" || action.verb === "record") return "";
  const gates = until ?? (action.verb === "await" ? action : undefined);
  const wait = gates === undefined ? "" : paint.dim(` until ${gates.gates.map(gateText).join(" and ")}`);
  const only = step.onlyIf === undefined ? "" : paint.dim(` when it has ${step.onlyIf.outcome === "finished" ? "succeeded" : "failed"}`);
  return `${verbText(action)} ${titleOf(action.ref)}${only}${wait}${reasons(step, paint)}${predecessorText(action, paint)}${deferralText(step, paint)}`;
}

function predecessorText(action: Action, paint: Paint): string {
  const { deletion } = action.verb === "apply" ? action : {};
  return deletion === undefined ? "" : paint.warn(`, the old one is to go first: ${deletion}`);
}

function deferralText({ action }: Step, paint: Paint): string {
  return action.verb === "apply" && action.deferred !== undefined ? paint.warn(`, ${checkText(action.deferred)}`) : "";
}

function checkText({ after }: DeferredCheck): string {
  return `will be checked after ${after.map(titleOf).join(", ")}`;
}

/** How many objects one line about deferred checks names. */
const maxNamed = 3;

/** What could not be checked before the run, a line for each set of objects that it waits for. */
export function deferredCheckLines({ steps }: Plan): readonly string[] {
  const deferred = steps.flatMap(({ action }) =>
    action.verb === "apply" && action.deferred !== undefined ? [{ title: titleOf(action.ref), text: checkText(action.deferred) }] : [],
  );
  return [...Map.groupBy(deferred, ({ text }) => text)].map(([text, objects]) => {
    const names = objects.slice(0, maxNamed).map(({ title }) => title);
    const more = objects.length > maxNamed ? [`${objects.length - maxNamed} more`] : [];
    return `${[...names, ...more].join(", ")} ${text}`;
  });
}

function verbText(action: Exclude<Action, { verb: "join" } | { verb: "record" }>): string {
  if (action.verb === "apply") return { created: "create", updated: "update", unchanged: "apply", recreated: "replace" }[action.change];
  return action.verb === "await" ? "wait for" : "delete";
}

function gateText(gate: (Action & { verb: "await" })["gates"][number]): string {
  if (gate.until === "properties") return gate.properties.map(({ path, value }) => `${path} is ${value}`).join(" and ");
  if (gate.until === "rule") return `${gate.rule} holds`;
  return { applied: "applied", present: "present", ready: "ready", "kots-ready": "ready for KOTS", completed: "completed", absent: "gone" }[
    gate.until
  ];
}

/** The dependencies on single objects. Dependencies on a rank show by their position. */
function reasons({ needs }: Step, paint: Paint): string {
  const named = needs.filter(({ id, settled }) => !id.startsWith("join/") && !id.startsWith("record/") && settled !== true);
  if (named.length === 0) return "";
  return paint.dim(`, after ${named.map(({ id, because }) => `${shortOf(id)} (${because})`).join(", ")}`);
}

function shortOf(id: string): string {
  const parts = (id.split("#")[0] ?? id).split("/");
  return id.includes("/external/")
    ? parts.slice(parts.indexOf("external") + 1).join("/")
    : `${(parts.at(-3) ?? "").toLowerCase()}/${parts.at(-1) ?? ""}`;
}

/** Escapes what Mermaid would parse as markup. */
const entities: Readonly<Record<string, string>> = { "#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;" };

/** The graph of a plan for Mermaid. */
export function planMermaid(plan: Plan): string {
  const { nodes, edges } = graphOf(plan);
  const lines = [
    ...nodes.map(({ node, label }) => `  ${node}["${label.replaceAll(/[#"<>&]/g, (sign) => entities[sign]!)}"]`),
    ...edges.map(([from, to, soft]) => `  ${from} ${soft ? "-.->" : "-->"} ${to}`),
  ];
  return ["flowchart TD", ...lines].join("\n");
}

/** The graph of a plan for Graphviz. */
export function planDot(plan: Plan): string {
  const { nodes, edges } = graphOf(plan);
  const lines = [
    ...nodes.map(({ node, label }) => `  ${node} [label=${JSON.stringify(label)}];`),
    ...edges.map(([from, to, soft]) => `  ${from} -> ${to}${soft ? " [style=dashed]" : ""};`),
  ];
  return ["digraph plan {", "  node [shape=box];", ...lines, "}"].join("\n");
}

function graphOf({ steps }: Plan) {
  const names = new Map(steps.map(({ id }, at) => [id, `n${at}`]));
  const nodes = steps.map((step) => ({ node: names.get(step.id)!, label: labelOf(step) }));
  const edges = steps.flatMap(({ id, needs }) =>
    needs.map((need) => [names.get(need.id)!, names.get(id)!, need.settled === true] as const),
  );
  return { nodes, edges };
}

const conditions = { finished: " if it succeeded", failed: " if it failed", unfinished: " otherwise" } as const;

function labelOf({ action, onlyIf }: Step): string {
  const only = onlyIf === undefined ? "" : conditions[onlyIf.outcome];
  if (action.verb === "join") return action.what;
  if (action.verb === "record") return `record ${action.state}${only}`;
  const gates = action.verb === "await" ? ` until ${action.gates.map(gateText).join(" and ")}` : "";
  return `${verbText(action)} ${titleOf(action.ref)}${gates}${only}`;
}
