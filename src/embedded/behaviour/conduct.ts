import type { Problem } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { defaults, type Behaviour, type Match, type Rule } from "./behaviour.ts";
import { notFoundMessage, unpullable } from "./image.ts";
import { parseField } from "./parse.ts";
import { isLike } from "./pattern.ts";
import type { Container, Pod } from "./pod.ts";
import { scriptOf, type Script } from "./script.ts";

/** Everything that is said about one object or container, the defaults filled in. */
export type Conduct = Omit<Rule, "match"> & Required<Pick<Rule, keyof typeof defaults>>;

/** Annotations (or labels) that begin so say how this one object behaves, over any rule. */
const overridePrefix = "sim.sluice.dev/";

/** Which part of a pod a container is. */
export type Role = "main" | "init" | "sidecar";

/**
 * How an object as a whole behaves: a pod's scheduling and end, a Service's address, a claim's binding, a custom
 * resource's conditions. `resource` is what a rule's `crd` names; it cannot be told from the object.
 */
export function conductOf(object: KubeObject, behaviour: Behaviour, resource = ""): Conduct {
  const rule = behaviour.rules.find(({ match }) => (match.crd === undefined || match.crd === resource) && matches(match, object));
  return { ...defaults, ...rule, ...overridesOf(object).rule };
}

/**
 * How one container of a pod behaves. What the pod's own annotations say wins, then the first rule that matches, then
 * what the container's command tells by itself, then the defaults.
 *
 * A rule without an image, and an annotation, are about the pod's own work: init containers and sidecars take only
 * pull and start from them.
 */
export function containerConduct(pod: Pod, container: Container, role: Role, behaviour: Behaviour): Conduct {
  const found = behaviour.rules.find(({ match }) => match.crd === undefined && matches(match, pod, container));
  const said: Partial<Rule> = { ...(found === undefined ? {} : scopedTo(role, found)), ...(role === "main" ? overridesOf(pod).rule : {}) };
  const script = scriptOf(container);
  const decided = said.fail !== undefined || said.run !== undefined || said.result !== undefined;
  return {
    ...defaults,
    ...(script === undefined ? {} : saidBy(script, decided)),
    ...said,
    pull: pullOf(container.image, said.pull),
  };
}

function scopedTo(role: Role, rule: Rule): Partial<Rule> {
  if (role === "main" || rule.match.image !== undefined) return rule;
  const { pull, init, start } = rule;
  return { ...(pull && { pull }), ...(init && { init }), ...(start && { start }) };
}

function saidBy({ endsAfter, exitCode, logs }: Script, decided: boolean): Partial<Rule> {
  if (decided) return { logs };
  return endsAfter === undefined ? { logs, run: { never: "" } } : { logs, fail: { exitCode, at: { fixed: endsAfter } } };
}

function pullOf(image: string, said: Rule["pull"]): NonNullable<Rule["pull"]> {
  if (said?.fail === "") return { ...said, fail: notFoundMessage(image) };
  const fail = said === undefined ? unpullable(image) : undefined;
  return fail === undefined ? (said ?? defaults.pull) : { ...defaults.pull, fail };
}

function matches(match: Match, object: KubeObject, container?: Container): boolean {
  const { name, namespace = "", labels = {} } = object.metadata;
  return (
    isLikeIfGiven(match.namespace, namespace) &&
    isLikeIfGiven(match.name, name) &&
    (match.kind === undefined || kindsOf(object).includes(match.kind)) &&
    Object.entries(match.labels ?? {}).every(([key, pattern]) => isLikeIfGiven(pattern, labels[key])) &&
    (match.image === undefined || imagesOf(object, container).some((image) => isLike(match.image!, image)))
  );
}

function isLikeIfGiven(pattern: string | undefined, text: string | undefined): boolean {
  return pattern === undefined || (text !== undefined && isLike(pattern, text));
}

function kindsOf({ kind, metadata }: KubeObject): readonly string[] {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind;
  if (owner === undefined) return [kind];
  return owner === "ReplicaSet" && metadata.labels?.["pod-template-hash"] !== undefined ? [kind, owner, "Deployment"] : [kind, owner];
}

function imagesOf(object: KubeObject, container: Container | undefined): readonly string[] {
  if (container !== undefined) return [container.image];
  return object.kind === "Pod" ? (object as Pod).spec.containers.map(({ image }) => image) : [];
}

const noOverrides: { readonly rule: Partial<Rule>; readonly problems: readonly Problem[] } = { rule: {}, problems: [] };

/** What an object's annotations and labels say about itself, and what is wrong with them. */
export function overridesOf({ metadata }: KubeObject): { readonly rule: Partial<Rule>; readonly problems: readonly Problem[] } {
  const given: Record<string, string> = {};
  for (const map of [metadata.labels, metadata.annotations]) {
    for (const key in map) if (key.startsWith(overridePrefix)) given[key.slice(overridePrefix.length)] = map[key]!;
  }
  const names = Object.keys(given);
  if (names.length === 0) return noOverrides;
  const problems: Problem[] = [];
  let rule: Partial<Rule> = {};
  const take = (field: keyof Rule, value: unknown, name: string) => {
    const read = parseField(field, value, overridePrefix + name);
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
const single: Readonly<Record<string, keyof Rule>> = {
  pull: "pull",
  "start-after": "start",
  "ready-after": "ready",
  "terminate-after": "terminate",
  "schedule-after": "schedule",
  log: "logs",
  "address-after": "address",
  "bind-after": "bind",
};

/** Overrides that together say how a container ends. */
const partsOfExit = new Set(["exit-code", "exit-after", "fail-times"]);

const known = [...Object.keys(single), "unschedulable", ...partsOfExit];

function exitOf(given: Readonly<Record<string, string>>): object {
  const code = given["exit-code"] ?? (given["fail-times"] === undefined ? "0" : "1");
  const times = given["fail-times"];
  return { exitCode: code, at: given["exit-after"] ?? "2s", ...(times === undefined ? {} : { times }) };
}
