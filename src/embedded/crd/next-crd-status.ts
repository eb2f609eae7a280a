import { equal, type KubeObject } from "../../core/object/index.ts";
import { approvalCondition } from "./api-approval.ts";
import { crdSpecOf, crdStatusOf, type CrdCondition, type CrdNames, type CrdStatus } from "./crd.ts";

/**
 * The status that a CRD should have beside the other CRDs of its cluster: its accepted names, and whether it is
 * established. The same status when nothing changes; conditions that change their status get the time `now`.
 *
 * Models apiextensions pkg/controller/status/naming_controller.go, pkg/controller/establish, pkg/controller/apiapproval
 */
export function nextCrdStatus(crd: KubeObject, others: readonly KubeObject[], now: string): CrdStatus {
  const status = crdStatusOf(crd);
  const { acceptedNames, condition } = acceptNames(crd, others);
  const conditions = [condition, establishedCondition(status, condition), approvalCondition(crd)];
  const next = { ...status, acceptedNames, conditions: withConditions(status.conditions ?? [], conditions, now) };
  return equal(next, status) ? status : next;
}

type TakenNames = { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> };

/** The accepted names of other CRDs of the group. */
function takenNames(crd: KubeObject, others: readonly KubeObject[]): TakenNames {
  const { group } = crdSpecOf(crd);
  const names = others
    .filter((other) => crdSpecOf(other).group === group && other.metadata.name !== crd.metadata.name)
    .map((other) => crdStatusOf(other).acceptedNames ?? {});
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const { plural = "", singular = "", shortNames = [], kind = "", listKind = "" } of names) {
    for (const name of [plural, singular, ...shortNames]) if (name !== "") resources.add(name);
    for (const name of [kind, listKind]) if (name !== "") kinds.add(name);
  }
  return { resources, kinds };
}

/** Accepts the names of a CRD that are free. Of several conflicts the last one is reported. */
function acceptNames(crd: KubeObject, others: readonly KubeObject[]): { acceptedNames: CrdNames; condition: CrdCondition } {
  const { names: wanted = {} } = crdSpecOf(crd);
  const had = crdStatusOf(crd).acceptedNames ?? {};
  const taken = takenNames(crd, others);
  let accepted: CrdNames = had;
  let condition: CrdCondition = { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" };
  const settle = (part: "plural" | "singular" | "kind" | "listKind", used: ReadonlySet<string>, reason: string): void => {
    const name = wanted[part] ?? "";
    if (name !== had[part] && used.has(name)) condition = nameConflict(reason, inUse(name));
    else accepted = { ...accepted, [part]: name };
  };
  settle("plural", taken.resources, "PluralConflict");
  settle("singular", taken.resources, "SingularConflict");
  const conflicts = (wanted.shortNames ?? []).filter((name) => !(had.shortNames ?? []).includes(name) && taken.resources.has(name));
  if (conflicts.length > 0) condition = nameConflict("ShortNamesConflict", joined(conflicts.map(inUse)));
  else accepted = replaced(accepted, "shortNames", wanted.shortNames);
  settle("kind", taken.kinds, "KindConflict");
  settle("listKind", taken.kinds, "ListKindConflict");
  return { acceptedNames: replaced(accepted, "categories", wanted.categories), condition };
}

function replaced(names: CrdNames, part: "shortNames" | "categories", value: readonly string[] | undefined): CrdNames {
  const { [part]: _dropped, ...rest } = names;
  return value === undefined ? rest : { ...rest, [part]: value };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

/** Several errors as one. Models apimachinery pkg/util/errors/errors.go */
function joined(messages: readonly string[]): string {
  return messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`;
}

function nameConflict(reason: string, message: string): CrdCondition {
  return { type: "NamesAccepted", status: "False", reason, message };
}

/** Once established, a CRD stays established. */
function establishedCondition({ conditions = [] }: CrdStatus, names: CrdCondition): CrdCondition {
  const before = conditions?.find((item) => item.type === "Established");
  if (before?.status === "True") return before;
  if (names.status === "True") {
    return { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" };
  }
  return before ?? { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
}

function withConditions(
  before: readonly CrdCondition[] | null,
  wanted: readonly (CrdCondition | undefined)[],
  now: string,
): readonly CrdCondition[] {
  let conditions = before ?? [];
  for (const condition of wanted) if (condition !== undefined) conditions = setCrdCondition(conditions, condition, now);
  return conditions;
}

/** Sets a condition. Models apiextensions pkg/apihelpers/helpers.go SetCRDCondition */
export function setCrdCondition(before: readonly CrdCondition[], wanted: CrdCondition, now: string): readonly CrdCondition[] {
  const { type, status, reason = "", message = "" } = wanted;
  const old = before.find((item) => item.type === type);
  const lastTransitionTime = old?.status === status && old.lastTransitionTime !== undefined ? old.lastTransitionTime : now;
  const next: CrdCondition = { type, status, lastTransitionTime, reason, message };
  return old === undefined ? [...before, next] : before.map((item) => (item === old ? next : item));
}

/** The Terminating condition of a CRD while its objects are deleted, and after. Models apiextensions pkg/controller/finalizer */
export const terminatingConditions: Readonly<Record<"inProgress" | "completed", CrdCondition>> = {
  inProgress: {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  },
  completed: { type: "Terminating", status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" },
};
