import type { PlanInput } from "./input.ts";
import type { Leaver } from "./leaver.ts";
import { otherOwner } from "./owner.ts";

/** What is known when it is decided what goes. */
export type Circumstances = {
  readonly input: PlanInput;
  /** The uids of what the release wants: an object may go by another name of its kind. */
  readonly wantedUids: ReadonlySet<string>;
  /** The namespaces that the release still has objects in. */
  readonly inhabited: ReadonlySet<string>;
};

/** A reason to leave an object alone, in words a user can act on; nothing when it may be deleted. */
type Guard = (leaver: Leaver, around: Circumstances) => string | undefined;

const guards: readonly Guard[] = [isKept, isKeptThere, isForeign, isAnybodys, isWanted, holdsData, isHome, isInhabited];

export function objectionToDelete(leaver: Leaver, around: Circumstances): string | undefined {
  for (const guard of guards) {
    const objection = guard(leaver, around);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function isKept({ claims }: Leaver): string | undefined {
  if (claims.remove === "keep") return "sluice.dev/remove says keep";
  return claims.keep.delete ? "its manifest says that it is to be kept" : undefined;
}

/** Whoever writes it on the live object is heard too, as Helm does. */
function isKeptThere({ live }: Leaver): string | undefined {
  return live.annotations?.["helm.sh/resource-policy"] === "keep" ? "the live object says helm.sh/resource-policy: keep" : undefined;
}

function isForeign({ live }: Leaver, { input }: Circumstances): string | undefined {
  const other = otherOwner(live, input.release);
  return other === undefined ? undefined : `it belongs to ${other}`;
}

function isAnybodys({ claims }: Leaver): string | undefined {
  return claims.ownership === "anyone" ? "it belongs to no release" : undefined;
}

function isWanted({ live }: Leaver, { wantedUids }: Circumstances): string | undefined {
  return live.uid !== undefined && wantedUids.has(live.uid) ? "the release has it under another name of its kind" : undefined;
}

function holdsData({ ref, claims }: Leaver, { input }: Circumstances): string | undefined {
  if (ref.group !== "" || ref.kind !== "PersistentVolumeClaim" || isMeant(claims, input)) return undefined;
  return "it holds data: delete it with --delete-data";
}

function isHome({ ref }: Leaver, { input }: Circumstances): string | undefined {
  const home = ref.group === "" && ref.kind === "Namespace" && ref.name === input.release?.namespace;
  return home ? "it is the namespace of the release" : undefined;
}

function isInhabited({ ref }: Leaver, { inhabited }: Circumstances): string | undefined {
  const used = ref.group === "" && ref.kind === "Namespace" && inhabited.has(ref.name);
  return used ? "the release still has objects in it" : undefined;
}

/** Somebody said that data may go: for all of it, or by giving it a place in the deletion. */
function isMeant({ deletion }: Leaver["claims"], { options = {} }: PlanInput): boolean {
  return options.deleteData === true || deletion.phase !== undefined;
}

/** Definitions are asked last: whether they still have objects depends on what else goes. */
export function objectionToDefinition({ ref, claims, live }: Leaver, going: ReadonlySet<string>, input: PlanInput): string | undefined {
  if (ref.kind !== "CustomResourceDefinition" || isMeant(claims, input)) return undefined;
  const left = (live.inhabitants ?? []).filter((key) => !going.has(key)).length;
  if (left === 0) return undefined;
  return `there ${left === 1 ? "is 1 object" : `are ${left} objects`} of its kind: delete it with --delete-data`;
}
