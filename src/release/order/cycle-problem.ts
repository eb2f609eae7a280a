import type { Problem } from "../../core/fault/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import type { Ordered } from "./ordering-constraints.ts";
import type { CycleLink } from "./resolve-cycles.ts";

type Member = Ordered<LocatedManifest>;

/** Describes a cycle object by object, with the reason of each step. Its position is that of the cycle's first annotation. */
export function cycleProblem(links: readonly CycleLink[], memberOf: (key: string) => Member): Problem {
  const first = links.find(({ need }) => need !== undefined)!;
  const steps = links.map((link) => stepText(link, memberOf));
  return {
    at: positionOf(memberOf(first.from), first.need!.because),
    message: `${titleOf(memberOf(first.from).ref)}: ${first.need!.because} closes a cycle: ${steps.join("; ")}: take one of these away`,
  };
}

function stepText({ from, to, need }: CycleLink, memberOf: (key: string) => Member): string {
  const [one, other] = [memberOf(from), memberOf(to)];
  const whom = from === to ? "itself" : titleOf(other.ref);
  if (need !== undefined) return `${titleOf(one.ref)} waits for ${whom} (${need.because} at ${positionOf(one, need.because)})`;
  return `${titleOf(one.ref)} comes after ${whom} (${placeReason(one, other)})`;
}

/** Why one object comes after another by stage, rank or sorting. */
export function placeReason(one: Member, other: Member): string {
  if (one.constraints.stage !== other.constraints.stage || one.constraints.hook !== other.constraints.hook)
    return `${stageText(one)} come after ${stageText(other)}`;
  if (one.constraints.rank !== other.constraints.rank) return `rank ${rankText(one)} is after rank ${rankText(other)}`;
  if (one.constraints.hook) return "hooks run one at a time, by weight and name";
  const wait = annotationOf(other, ["kots.io/wait-for-ready", "kots.io/wait-for-properties"]);
  return wait === undefined ? "it is sorted after it" : `${wait} holds back all that is sorted after it`;
}

function stageText({ constraints, item }: Member): string {
  if (constraints.hook) return `${constraints.stage} hooks (helm.sh/hook ${item.object.metadata.annotations?.["helm.sh/hook"] ?? ""})`;
  return constraints.stage === "crds" ? "CRDs" : "main resources";
}

function rankText(member: Member): string {
  const key = annotationOf(member, ["werf.io/weight", "kots.io/creation-phase", "helm.sh/hook-weight"]);
  return key === undefined ? `${member.constraints.rank}` : `${member.constraints.rank} (${key})`;
}

function annotationOf({ item }: Member, keys: readonly string[]): string | undefined {
  return keys.find((key) => item.object.metadata.annotations?.[key] !== undefined);
}

function positionOf({ item }: Member, key: string): string {
  return positionText(item.positionOf(`metadata.annotations[${JSON.stringify(key)}]`));
}
