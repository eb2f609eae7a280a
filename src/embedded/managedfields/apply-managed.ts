import { equal, isKubeObject, type KubeObject } from "../../core/object/index.ts";
import { conflictReportOf, type ConflictReport } from "./conflict-report.ts";
import { decodeManagedFields, encodeManagedFields, managerIdentifierOf } from "./managed-fields-entry.ts";
import { setDifference, hasPath, isEmptySet, fieldSetOf } from "./field-set.ts";
import { lastAppliedFields, withLastApplied } from "./last-applied.ts";
import { liveOrBlank, rulesFor, stripMeta, titleOfKind, titleOfObject, withManagedFields, type ManagedWrite } from "./managed-kind.ts";
import type { ManagedFields, VersionedSet } from "./versioned-set.ts";
import { managersAfterWrite } from "./update-managed.ts";
import { updaterApply, type UpdaterApplyResult, type FieldConflict } from "./updater.ts";
import { typedErrorText, validateTyped } from "./validate-typed.ts";

type ManagedApply = ManagedWrite & {
  /** The applied configuration, as it was sent. */
  readonly config: KubeObject;
  /** Takes over fields that other managers own. Default false. */
  readonly force?: boolean;
};

export type ManagedApplyResult =
  /** The merged object, before defaulting and admission; the live object itself when nothing changes. */
  | { readonly state: "applied"; readonly object: KubeObject }
  | ({ readonly state: "conflicting" } & ConflictReport)
  | { readonly state: "rejected"; readonly code: 400 | 500; readonly message: string };

/** The live object with the applied configuration merged into it, or the conflicts. Models FieldManager.Apply */
export function applyManaged(request: ManagedApply): ManagedApplyResult {
  const { live, config } = request;
  const rejection = rejectionOf(request);
  if (rejection !== undefined) return rejection;
  const before = decodedOrProblem(live);
  if (typeof before === "string") return { state: "rejected", code: 500, message: before };
  const result = applyAllowingKubectl(request, startOf(request, before));
  if (result.conflicts !== undefined) return { state: "conflicting", ...conflictReportOf(result.conflicts) };

  const merged = result.object?.value ?? liveOrBlank(request).value;
  if (!isKubeObject(merged)) return rejected(500, `failed to convert new typed object (${titleOfObject(config)}) to object`);
  const managers = ownedAfter(request, result.managers, before, result.object !== undefined);
  const object = withManagedFields(merged, encodeManagedFields(managers, live?.metadata.managedFields));
  return { state: "applied", object: request.manager === "kubectl" ? withLastApplied(object, config) : object };
}

/** Updates the applier's entry: strips unmanaged fields, and changes its time only if the object changes. */
function ownedAfter(request: ManagedApply, managers: ManagedFields, before: ManagedFields, changed: boolean): ManagedFields {
  const identifier = identifierFor(request);
  const result = new Map<string, VersionedSet>(managers);
  const own = stripMeta(managers, identifier);
  const last = before.get(identifier);
  if (own === undefined) result.delete(identifier);
  else if (!changed && last !== undefined && last.version === own.version && equal(last.set, own.set)) result.set(identifier, last);
  else result.set(identifier, changed ? { ...own, time: request.time } : own);
  return result;
}

function rejected(code: 400 | 500, message: string): ManagedApplyResult {
  return { state: "rejected", code, message };
}

function rejectionOf({ kind, live, config }: ManagedApply): ManagedApplyResult | undefined {
  if (config.apiVersion !== kind.apiVersion || config.kind !== kind.kind)
    return rejected(400, `invalid object type: ${titleOfKind(config.apiVersion, config.kind)}`);
  const { managedFields = null } = config.metadata ?? {};
  if (managedFields !== null) return rejected(400, "metadata.managedFields must be nil");
  const errors = validateTyped(config, kind.type);
  if (errors.length > 0) return rejected(500, `failed to create typed patch object (${titleOfObject(config)}): ${typedErrorText(errors)}`);
  const broken = live === undefined ? [] : validateTyped(live, kind.type, { duplicates: true });
  if (live === undefined || broken.length === 0) return undefined;
  return rejected(500, `failed to create typed live object (${titleOfObject(live)}): ${typedErrorText(broken)}`);
}

function decodedOrProblem(live: KubeObject | undefined): ManagedFields | string {
  try {
    return decodeManagedFields(live?.metadata.managedFields);
  } catch (problem) {
    if (problem instanceof SyntaxError) return `failed to decode managed fields: ${problem.message}`;
    throw problem;
  }
}

function identifierFor({ manager, kind: { apiVersion }, subresource }: ManagedApply): string {
  return managerIdentifierOf({ manager: manager === "" ? "unknown" : manager, operation: "Apply", apiVersion, subresource });
}

/** Fields that existed before any manager was tracked belong to `before-first-apply`. Models internal/skipnonapplied.go */
function startOf(request: ManagedApply, before: ManagedFields): ManagedFields {
  const { kind, live, subresource } = request;
  if (before.size > 0 || live === undefined) return before;
  const identifier = managerIdentifierOf({ manager: "before-first-apply", operation: "Update", apiVersion: kind.apiVersion, subresource });
  return managersAfterWrite(request, liveOrBlank({ ...request, live: undefined }), { value: live, type: kind.type }, before, identifier);
}

/** kubectl may take over without a conflict what it applied before by client-side apply. Models internal/lastappliedmanager.go */
function applyAllowingKubectl(request: ManagedApply, start: ManagedFields): UpdaterApplyResult {
  const { live, kind, manager, force = false } = request;
  const result = applyOnce(request, start, force);
  if (result.conflicts === undefined || manager !== "kubectl" || live === undefined) return result;
  const allowed = lastAppliedFields(live, kind);
  if (allowed === undefined) return result;
  const wanted = fieldSetOf(...result.conflicts.map(({ path }) => path));
  if (isEmptySet(setDifference(wanted, allowed))) return applyOnce(request, start, true);
  return { conflicts: result.conflicts.filter(({ path }: FieldConflict) => !hasPath(allowed, path)) };
}

function applyOnce(request: ManagedApply, managers: ManagedFields, force: boolean): UpdaterApplyResult {
  const { kind, config } = request;
  const applied = { value: config, type: kind.type };
  return updaterApply(liveOrBlank(request), applied, kind.apiVersion, managers, identifierFor(request), { ...rulesFor(request), force });
}
