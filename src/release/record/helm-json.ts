import { Fault } from "../../core/fault/index.ts";
import { fieldsAt, isFields, listAt, numberAt, stringAt, stringsAt, valueAt, type Fields } from "../../core/object/index.ts";
import {
  hookDeletePolicies,
  hookEvents,
  hookOutputLogPolicies,
  hookPhases,
  type Hook,
  type HookRun,
  type Revision,
  type RevisionState,
} from "./revision.ts";

/** A revision without the fields that are stored on the object's metadata. */
export type RevisionBody = Omit<Revision, "labels" | "annotations" | "storage" | "stored">;

const states: readonly RevisionState[] = [
  "unknown",
  "deployed",
  "uninstalled",
  "superseded",
  "failed",
  "uninstalling",
  "pending-install",
  "pending-upgrade",
  "pending-rollback",
];

/** A release as Helm's JSON. Models helm pkg/release/v1/release.go Release: empty fields are left out. */
export function helmJsonOf(body: RevisionBody): Fields {
  const info = kept({
    first_deployed: body.firstDeployed,
    last_deployed: body.lastDeployed,
    deleted: body.deleted,
    description: body.description,
    status: body.state,
    notes: body.notes,
  });
  return kept({
    name: body.name,
    info,
    chart: body.chart,
    config: body.config,
    manifest: body.manifest,
    hooks: body.hooks.map(hookJsonOf),
    version: body.revision,
    namespace: body.namespace,
    apply_method: body.applyMethod,
  });
}

function hookJsonOf(hook: Hook): Fields {
  const { phase, startedAt, completedAt, event } = hook.lastRun;
  return kept({
    name: hook.name,
    kind: hook.kind,
    path: hook.path,
    manifest: hook.manifest,
    events: hook.events,
    last_run: { ...kept({ started_at: startedAt, completed_at: completedAt, event }), phase },
    weight: hook.weight,
    delete_policies: hook.deletePolicies,
    output_log_policies: hook.outputLogPolicies,
  });
}

/** Go's omitempty. */
function kept(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "" || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

/** Parses what Helm 3, Helm 4 or Sluice wrote. Helm 3 writes an empty string for a missing time. */
export function revisionBodyOf(json: unknown): RevisionBody {
  const revision = numberAt(json, "version", 0);
  const name = stringAt(json, "name", "");
  if (name === "" || revision < 1) throw new Fault("it holds no release", undefined, { final: true });
  return {
    name,
    namespace: stringAt(json, "namespace", ""),
    revision,
    state: knownWord(states, stringAt(json, "info.status")) ?? "unknown",
    manifest: stringAt(json, "manifest", ""),
    hooks: listAt(json, "hooks").map(hookOf),
    chart: fieldsAt(json, "chart"),
    config: fieldsAt(json, "config"),
    ...timesAt(json, { firstDeployed: "info.first_deployed", lastDeployed: "info.last_deployed", deleted: "info.deleted" }),
    description: stringAt(json, "info.description", ""),
    notes: stringAt(json, "info.notes", ""),
    ...optional("applyMethod", knownWord(["ssa", "csa"] as const, stringAt(json, "apply_method"))),
  };
}

function hookOf(json: Fields): Hook {
  return {
    name: stringAt(json, "name", ""),
    kind: stringAt(json, "kind", ""),
    path: stringAt(json, "path", ""),
    manifest: stringAt(json, "manifest", ""),
    events: knownWords(hookEvents, stringsAt(json, "events")),
    weight: numberAt(json, "weight", 0),
    deletePolicies: knownWords(hookDeletePolicies, stringsAt(json, "delete_policies")),
    outputLogPolicies: knownWords(hookOutputLogPolicies, stringsAt(json, "output_log_policies")),
    lastRun: runOf(json),
  };
}

function runOf(json: Fields): HookRun {
  return {
    phase: knownWord(hookPhases, stringAt(json, "last_run.phase")) ?? "",
    ...timesAt(json, { startedAt: "last_run.started_at", completedAt: "last_run.completed_at" }),
    ...optional("event", knownWord(hookEvents, stringAt(json, "last_run.event"))),
  };
}

function timesAt<Name extends string>(json: unknown, paths: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  const times: Partial<Record<Name, string>> = {};
  for (const name in paths) {
    const time = valueAt(json, paths[name]);
    if (typeof time === "string" && time !== "") times[name] = time;
  }
  return times;
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  const found: Partial<Record<Name, Value>> = {};
  if (value !== undefined) found[name] = value;
  return found;
}

export function knownWord<Word extends string>(words: readonly Word[], text: string | undefined): Word | undefined {
  return words.find((word) => word === text);
}

export function knownWords<Word extends string>(words: readonly Word[], texts: readonly string[]): readonly Word[] {
  return texts.flatMap((text) => knownWord(words, text) ?? []);
}
