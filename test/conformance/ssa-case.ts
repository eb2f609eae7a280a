import { equal } from "../../src/core/object/index.ts";
/** One recorded case of server-side apply, run step by step. */
import {
  updaterApply,
  extractItems,
  leaves,
  mergeTyped,
  typedErrorText,
  elementPathText,
  resolverOf,
  updaterUpdate,
  validateTyped,
  type FieldSet,
  type ManagedFields,
  type TypeResolver,
  type UpdaterRules,
  type MergeSchema,
  type TypedValue,
  type TypeRef,
} from "../../src/embedded/managedfields/index.ts";
import type { SsaAssumptions } from "./ssa-assumptions.ts";

export type RecordedStep = {
  readonly op: string;
  readonly manager?: string;
  readonly version?: string;
  readonly object?: string;
  readonly live?: unknown;
  readonly managers: Readonly<Record<string, { readonly applied: boolean; readonly version: string; readonly fieldsV1: FieldSet }>>;
  readonly conflicts?: readonly string[];
  readonly error?: string;
};

type SsaStep = RecordedStep & { readonly value: unknown };

export type SsaCase = { readonly title: string; readonly schema: MergeSchema; readonly type: TypeRef; readonly steps: readonly SsaStep[] };

type State = { live: TypedValue | undefined; managers: ManagedFields; resolver: TypeResolver };

/** The result of a step beside the new state. */
type Outcome = { readonly conflicts?: readonly string[]; readonly error?: string };

/** Runs a case and returns the first difference from the record, or undefined. */
export function runSsaCase({ schema, type, steps }: SsaCase, assumptions: SsaAssumptions): string | undefined {
  const state: State = { live: undefined, managers: new Map(), resolver: resolverOf(schema) };
  for (const [at, step] of steps.entries()) {
    const outcome = runStep(state, step, type, assumptions);
    const wrong = differenceFrom(step, state, outcome);
    if (wrong !== undefined) return `step ${at + 1} (${step.op}): ${wrong}`;
  }
  return undefined;
}

function runStep(state: State, step: SsaStep, type: TypeRef, assumptions: SsaAssumptions): Outcome {
  if (step.op === "fixture.ChangeParser") {
    state.resolver = resolverOf(assumptions.changedSchema!);
    if (state.live !== undefined)
      state.live = { value: state.live.value, type: state.resolver.resolve({ namedType: state.live.type.name }) };
    return {};
  }
  const { version = "", manager = "" } = step;
  const typeAt = (name: string) => state.resolver.named(name) ?? state.resolver.resolve(type);
  const rules: UpdaterRules = {
    convert: (object, to) => assumptions.convert(object, to, typeAt(to)),
    filters: assumptions.filters,
  };
  const given = { value: step.value, type: typeAt(version) };
  const misfits = validateTyped(given.value, given.type, { duplicates: step.op === "fixture.Update" });
  if (misfits.length > 0) return { error: typedErrorText(misfits) };
  const live = rules.convert(state.live ?? { value: null, type: given.type }, version)!;
  if (step.op === "fixture.Update") {
    state.managers = updaterUpdate(live, given, version, state.managers, manager, rules);
    state.live = given;
    return {};
  }
  const config = step.op === "fixture.ExtractApply" && state.live !== undefined ? extracted(state, live, given, manager) : given;
  const result = updaterApply(live, config, version, state.managers, manager, { ...rules, force: step.op !== "fixture.Apply" });
  state.live = live;
  if (result.conflicts !== undefined)
    return { conflicts: result.conflicts.map((each) => `${each.manager}: ${elementPathText(each.path)}`) };
  state.managers = result.managers;
  state.live = result.object ?? live;
  return {};
}

/** The fields of the manager, overlaid with the given object. */
function extracted(state: State, live: TypedValue, given: TypedValue, manager: string): TypedValue {
  const set = leaves(state.managers.get(manager)?.set ?? {});
  return { value: mergeTyped(extractItems(live.value, set, live.type), given.value, live.type), type: live.type };
}

function differenceFrom(step: SsaStep, { live, managers }: State, outcome: Outcome): string | undefined {
  if (outcome.error !== step.error) return `expected error ${step.error}, got ${outcome.error}`;
  const conflicts = [...(outcome.conflicts ?? [])].sort().join("; ");
  const expected = [...(step.conflicts ?? [])].sort().join("; ");
  if (conflicts !== expected) return `expected conflicts ${expected}, got ${conflicts}`;
  if (step.error === undefined && !equal(live?.value ?? null, step.live ?? null))
    return `expected live ${JSON.stringify(step.live)}, got ${JSON.stringify(live?.value)}`;
  const got = textOf([...managers].map(([name, { applied, version, set }]) => [name, applied, version, set]));
  const wanted = textOf(Object.entries(step.managers).map(([name, { applied, version, fieldsV1 }]) => [name, applied, version, fieldsV1]));
  return got === wanted ? undefined : `expected managers ${wanted}, got ${got}`;
}

function textOf(managers: readonly (readonly [string, boolean, string, FieldSet])[]): string {
  return managers
    .map((manager) => JSON.stringify(manager))
    .sort()
    .join(" ");
}
