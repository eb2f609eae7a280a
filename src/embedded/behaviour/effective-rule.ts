import type { Problem } from "../../core/fault/index.ts";
import type { KubeObject, ObjectMeta, OwnerReference } from "../../core/object/index.ts";
import { defaultRule, type Behaviour, type BehaviourMatch, type BehaviourRule } from "./behaviour.ts";
import { notFoundMessage, unpullable } from "./image.ts";
import { parseRuleField } from "./parse-behaviour.ts";
import { matchesGlob } from "./matches-glob.ts";
import type { Container, Pod } from "./pod.ts";
import { commandOutcomeOf, type CommandOutcome } from "./command-outcome.ts";

/** The rule that applies to one object or container, with all defaults filled in. */
export type EffectiveRule = Omit<BehaviourRule, "match"> & Required<Pick<BehaviourRule, keyof typeof defaultRule>>;

/** Annotations (or labels) with this prefix override the rules for one object. */
const overridePrefix = "sim.sluice.dev/";

/** The role of a container in its pod. */
export type ContainerRole = "main" | "init" | "sidecar";

/**
 * The behaviour of an object as a whole: a pod's scheduling and termination, a Service's address, a claim's binding, a
 * custom resource's conditions. `resource` is what a rule's `crd` names; the object itself does not contain it.
 */
export function effectiveRuleOf(object: KubeObject, behaviour: Behaviour, resource = ""): EffectiveRule {
  const rule = behaviour.rules.find(({ match }) => (match.crd === undefined || match.crd === resource) && matches(match, object));
  return { ...defaultRule, ...overruled(overridesOf(object).rule, rule) };
}

/**
 * The behaviour of one container of a pod. The pod's annotations take precedence, then the first rule that matches,
 * then the container's command, then the defaults.
 *
 * A rule without an image, and an annotation, describe the main containers: init containers and sidecars take only pull
 * and start from them.
 */
export function containerRuleOf(pod: Pod, container: Container, role: ContainerRole, behaviour: Behaviour): EffectiveRule {
  const found = behaviour.rules.find(({ match }) => match.crd === undefined && matches(match, pod, container));
  const given = overruled(role === "main" ? overridesOf(pod).rule : {}, found === undefined ? undefined : scopedTo(role, found));
  const outcome = commandOutcomeOf(container);
  const decided = given.fail !== undefined || given.run !== undefined || given.result !== undefined;
  return {
    ...defaultRule,
    ...(outcome === undefined ? {} : ruleOfCommand(outcome, decided)),
    ...given,
    pull: pullOf(container.image, given.pull),
  };
}

/** Annotations come before a rule, unless it overrules them. */
function overruled(annotated: Partial<BehaviourRule>, rule: Partial<BehaviourRule> = {}): Partial<BehaviourRule> {
  return rule.overrules === true ? { ...annotated, ...rule } : { ...rule, ...annotated };
}

function scopedTo(role: ContainerRole, rule: BehaviourRule): Partial<BehaviourRule> {
  if (role === "main" || rule.match.image !== undefined) return rule;
  const { pull, init, start } = rule;
  return { ...(pull && { pull }), ...(init && { init }), ...(start && { start }) };
}

function ruleOfCommand({ endsAfter, exitCode, logs }: CommandOutcome, decided: boolean): Partial<BehaviourRule> {
  if (decided) return { logs };
  return endsAfter === undefined ? { logs, run: { never: "" } } : { logs, fail: { exitCode, at: { fixed: endsAfter } } };
}

function pullOf(image: string, given: BehaviourRule["pull"]): NonNullable<BehaviourRule["pull"]> {
  if (given?.fail === "") return { ...given, fail: notFoundMessage(image) };
  const fail = given === undefined || given.timeOnly === true ? unpullable(image) : undefined;
  return fail === undefined ? (given ?? defaultRule.pull) : { ...defaultRule.pull, fail };
}

function matches(match: BehaviourMatch, object: KubeObject, container?: Container): boolean {
  const { name, namespace = "", labels = {} } = object.metadata;
  return (
    isLikeIfGiven(match.namespace, namespace) &&
    isLikeIfGiven(match.name, name) &&
    (match.workload === undefined || matchesGlob(match.workload, workloadOf(object))) &&
    (match.kind === undefined || kindsOf(object).includes(match.kind)) &&
    Object.entries(match.labels ?? {}).every(([key, pattern]) => isLikeIfGiven(pattern, labels[key])) &&
    (match.image === undefined || imagesOf(object, container).some((image) => matchesGlob(match.image!, image)))
  );
}

function isLikeIfGiven(pattern: string | undefined, text: string | undefined): boolean {
  return pattern === undefined || (text !== undefined && matchesGlob(pattern, text));
}

function kindsOf({ kind, metadata }: KubeObject): readonly string[] {
  const owner = controllerOf(metadata);
  if (owner === undefined) return [kind];
  return isOfDeployment(owner, metadata) ? [kind, owner.kind, "Deployment"] : [kind, owner.kind];
}

function workloadOf({ metadata }: KubeObject): string {
  const owner = controllerOf(metadata);
  if (owner === undefined) return metadata.name;
  return isOfDeployment(owner, metadata) ? owner.name.slice(0, owner.name.lastIndexOf("-")) : owner.name;
}

function controllerOf({ ownerReferences }: ObjectMeta): OwnerReference | undefined {
  return ownerReferences?.find(({ controller }) => controller === true);
}

function isOfDeployment({ kind }: OwnerReference, { labels }: ObjectMeta): boolean {
  return kind === "ReplicaSet" && labels?.["pod-template-hash"] !== undefined;
}

function imagesOf(object: KubeObject, container: Container | undefined): readonly string[] {
  if (container !== undefined) return [container.image];
  return object.kind === "Pod" ? (object as Pod).spec.containers.map(({ image }) => image) : [];
}

const noOverrides: { readonly rule: Partial<BehaviourRule>; readonly problems: readonly Problem[] } = { rule: {}, problems: [] };

/** The overrides in an object's annotations and labels, and the errors in them. */
export function overridesOf({ metadata }: KubeObject): { readonly rule: Partial<BehaviourRule>; readonly problems: readonly Problem[] } {
  const given: Record<string, string> = {};
  for (const map of [metadata.labels, metadata.annotations]) {
    for (const key in map) if (key.startsWith(overridePrefix)) given[key.slice(overridePrefix.length)] = map[key]!;
  }
  const names = Object.keys(given);
  if (names.length === 0) return noOverrides;
  const problems: Problem[] = [];
  let rule: Partial<BehaviourRule> = {};
  const take = (field: keyof BehaviourRule, value: unknown, name: string) => {
    const read = parseRuleField(field, value, overridePrefix + name);
    problems.push(...read.problems);
    rule = { ...rule, ...read.rule };
  };
  for (const name of names) {
    const value = given[name]!;
    const field = single[name];
    if (field !== undefined) take(field, value, name);
    else if (name === "unschedulable") take("schedule", { never: value }, name);
    else if (!partsOfExit.has(name)) problems.push({ at: overridePrefix + name, message: `unknown; known: ${known.join(", ")}` });
  }
  if (names.some((name) => partsOfExit.has(name)))
    take(
      "fail",
      exitOf(given),
      names.find((name) => partsOfExit.has(name))!,
    );
  return { rule, problems };
}

/** Overrides that are one field of a rule each. */
const single: Readonly<Record<string, keyof BehaviourRule>> = {
  pull: "pull",
  "start-after": "start",
  "ready-after": "ready",
  "terminate-after": "terminate",
  "schedule-after": "schedule",
  log: "logs",
  "address-after": "address",
  "bind-after": "bind",
};

/** Overrides that together describe how a container exits. */
const partsOfExit = new Set(["exit-code", "exit-after", "fail-times"]);

const known = [...Object.keys(single), "unschedulable", ...partsOfExit];

function exitOf(given: Readonly<Record<string, string>>): object {
  const code = given["exit-code"] ?? (given["fail-times"] === undefined ? "0" : "1");
  const times = given["fail-times"];
  return { exitCode: code, at: given["exit-after"] ?? "2s", ...(times === undefined ? {} : { times }) };
}
