import type { Problem } from "../../core/fault/index.ts";
import { keyOf, mapAt, stringAt, titleOf } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import type { Ordered } from "./ordering-constraints.ts";
import type { DroppedNeed } from "./resolve-cycles.ts";
import { placeReason } from "./cycle-problem.ts";
import { podReferences, podTemplateOf } from "./pod-references.ts";
import { comesBefore, sequenceOf, type SequencePosition } from "./operation-sequence.ts";

type Member = Ordered<LocatedManifest>;

/** Warns about waits that can never end, because what would end them comes later. */
export function endlessWaits(
  ordered: readonly Member[],
  dropped: readonly DroppedNeed[],
  memberOf: (key: string) => Member,
): readonly Problem[] {
  return [...dropped.flatMap((drop) => missingNeed(drop, memberOf)), ...waitsBeforeUsers(ordered)];
}

/** An object that must be applied or ready before the object that it depends on exists. */
function missingNeed({ from, need }: DroppedNeed, memberOf: (key: string) => Member): readonly Problem[] {
  const [member, other] = [memberOf(from), memberOf(keyOf(need.on))];
  const reason = `${titleOf(other.ref)}, ${need.because}, comes only after it (${placeReason(other, member)})`;
  const remedy = `give ${titleOf(other.ref)} an earlier place`;
  if (need.hard === "to be applied") return [warning(member, `it cannot be applied: ${reason}: ${remedy}`)];
  if (need.hard === "no" || !isAwaited(member)) return [];
  return [warning(member, `the wait for it never ends: ${reason}: ${remedy}`)];
}

function isAwaited({ constraints }: Member): boolean {
  return constraints.tracking.blocking && constraints.gates.some(({ until }) => until !== "applied" && until !== "present");
}

function warning({ item, ref }: Member, message: string): Problem {
  return { at: positionText(item.at), message: `${titleOf(ref)}: ${message}` };
}

/** Services whose pods come later, and volume claims that bind to their first consumer. */
function waitsBeforeUsers(ordered: readonly Member[]): readonly Problem[] {
  const suspects = ordered.filter((member) => isAwaited(member) && (isService(member) || isClaim(member)));
  if (suspects.length === 0) return [];
  const { positions } = sequenceOf(ordered, "install");
  const workloads = ordered.filter(({ item }) => podTemplateOf(item.object) !== undefined);
  const lateClasses = new Set(ordered.filter(bindsLate).map(({ ref }) => ref.name));
  return suspects.flatMap((suspect) => {
    if (isClaim(suspect) && !lateClasses.has(stringAt(suspect.item.object, "spec.storageClassName", ""))) return [];
    const users = workloads.filter((workload) => workload.ref.namespace === suspect.ref.namespace && uses(workload, suspect));
    const place = positions.get(keyOf(suspect.ref));
    if (place === undefined || users.length === 0 || !users.every((user) => follows(place, positions.get(keyOf(user.ref))))) return [];
    const what = isService(suspect) ? "its pods come" : "it is bound for its first consumer, and that comes";
    return [
      warning(
        suspect,
        `the wait for it never ends: ${what} only after it, from ${titleOf(users[0]!.ref)} (${placeReason(users[0]!, suspect)}): wait for ${titleOf(users[0]!.ref)} instead`,
      ),
    ];
  });
}

function follows(place: SequencePosition, user: SequencePosition | undefined): boolean {
  return user !== undefined && comesBefore(place, user);
}

/** Only KOTS requires pods behind a ready Service. */
function isService({ ref, constraints }: Member): boolean {
  return ref.group === "" && ref.kind === "Service" && constraints.gates.some(({ until }) => until === "kots-ready");
}

function isClaim({ ref }: Member): boolean {
  return ref.group === "" && ref.kind === "PersistentVolumeClaim";
}

function bindsLate({ ref, item }: Member): boolean {
  return ref.kind === "StorageClass" && stringAt(item.object, "volumeBindingMode") === "WaitForFirstConsumer";
}

function uses(workload: Member, used: Member): boolean {
  const pod = podTemplateOf(workload.item.object)!;
  if (isClaim(used)) return podReferences(pod.spec).some(({ kind, name }) => kind === "PersistentVolumeClaim" && name === used.ref.name);
  const selector = Object.entries(mapAt(used.item.object, "spec.selector"));
  return selector.length > 0 && selector.every(([label, value]) => pod.labels[label] === value);
}
