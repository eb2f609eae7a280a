import { numberAt, type Fields, type KubeObject } from "../core/object/index.ts";
import type { HealthSignal } from "./health-signal.ts";
import type { SignalWeight } from "./signal-weight.ts";
import { splitWords } from "./split-words.ts";

const wants = new Set("desired expected total wanted requested".split(" "));
const haves = new Set("ready available current healthy updated running".split(" "));

type Counted = { readonly noun: string; readonly name: string; readonly count: number };

const daemonCounts = ["updatedNumberScheduled", "numberReady", "numberAvailable"];
const replicaCounts = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"];

/** Interprets the replica counts of a workload, for every kind that counts like the built-in ones. */
export function replicaSignals(object: KubeObject): readonly HealthSignal[] {
  const scheduled = numberAt(object, "status.desiredNumberScheduled");
  const wanted = scheduled ?? numberAt(object, "spec.replicas");
  if (wanted === undefined) return [];
  const counts = scheduled === undefined ? replicaCounts : daemonCounts;
  const open = lackOf(object, wanted, counts) ?? (scheduled === undefined ? surplusOf(object, wanted) : undefined);
  if (open !== undefined) return [open];
  const counted = counts.slice(-2).find((name) => numberAt(object, `status.${name}`) !== undefined);
  return counted === undefined ? [] : [{ hint: "good", weight: "part", because: `${counted} is ${wanted}` }];
}

/** Whether a count is compared with the spec instead of with other counts. */
export function isReplicaCount(name: string, object: KubeObject): boolean {
  return /replicas$/i.test(name) && numberAt(object, "spec.replicas") !== undefined;
}

function lackOf(object: KubeObject, wanted: number, names: readonly string[]): HealthSignal | undefined {
  for (const name of names) {
    const count = numberAt(object, `status.${name}`, wanted);
    const enough = name.startsWith("updated") ? wanted - partitionOf(object) : wanted;
    if (count < enough) return { hint: "busy", weight: "claim", because: `${name}: ${count} of ${enough}` };
  }
  return undefined;
}

function partitionOf(object: KubeObject): number {
  return numberAt(object, "spec.updateStrategy.partition", numberAt(object, "spec.updateStrategy.rollingUpdate.partition", 0));
}

function surplusOf(object: KubeObject, wanted: number): HealthSignal | undefined {
  const surplus = numberAt(object, "status.replicas", 0) - wanted;
  return surplus > 0 ? { hint: "busy", weight: "claim", because: `${surplus} replicas to stop` } : undefined;
}

/** Compares counts with expected counts: readyMembers with members, availableNodes with expectedNodes. */
export function countSignals(
  fields: Fields,
  weight: SignalWeight,
  isCovered: (name: string) => boolean = () => false,
): readonly HealthSignal[] {
  const counted = Object.entries(fields)
    .filter(([name]) => !isCovered(name))
    .flatMap(([name, value]) => (typeof value === "number" ? [countedAs(name, value)] : fractionIn(name, value)));
  return counted.flatMap(({ name, noun, count }) => {
    if (wants.has(modifierOf(name)))
      return isMissed(name, noun, counted) ? [busy(`${name} is ${count}, and none is there yet`, weight)] : [];
    const wanted = wantedOf(noun, counted) ?? (haves.has(noun) ? onlyWantIn(counted) : undefined);
    if (wanted === undefined || !haves.has(modifierOf(name))) return [];
    const because = `${name}: ${count} of ${wanted}`;
    return [count < wanted ? busy(because, weight) : { hint: "good", weight: "part", because }];
  });
}

function busy(because: string, weight: SignalWeight): HealthSignal {
  return { hint: "busy", weight, because };
}

/** Whether something is expected and its count is missing: Go omits zero. */
function isMissed(name: string, noun: string, counted: readonly Counted[]): boolean {
  const expected =
    noun !== "" && ["desired", "expected"].includes(modifierOf(name)) && counted.some((each) => each.name === name && each.count > 0);
  return expected && !counted.some((each) => (each.noun === noun || haves.has(each.noun)) && !wants.has(modifierOf(each.name)));
}

function countedAs(name: string, count: number): Counted {
  const words = splitWords(name);
  const known = wants.has(words[0] ?? "") || haves.has(words[0] ?? "");
  return { name, count, noun: words.slice(known ? 1 : 0).join(" ") };
}

function modifierOf(name: string): string {
  return splitWords(name)[0] ?? "";
}

function wantedOf(noun: string, counted: readonly Counted[]): number | undefined {
  const same = counted.filter((each) => each.noun === noun && each.noun !== "" && !haves.has(modifierOf(each.name)));
  return (same.find(({ name }) => wants.has(modifierOf(name))) ?? same[0])?.count;
}

/** The expected count when there is only one: `currentHealthy` does not name its noun, `expectedMachines` does. */
function onlyWantIn(counted: readonly Counted[]): number | undefined {
  const expected = counted.filter(({ name }) => wants.has(modifierOf(name)));
  return expected.length === 1 ? expected[0]?.count : undefined;
}

/** Reads `1/3` as a count and an expected count. */
function fractionIn(name: string, value: unknown): readonly Counted[] {
  const [, have, wanted] = /^(\d+)\/(\d+)$/.exec(typeof value === "string" ? value : "") ?? [];
  if (have === undefined || wanted === undefined) return [];
  return [
    { name: `ready ${name}`, noun: `fraction ${name}`, count: Number(have) },
    { name: `desired ${name}`, noun: `fraction ${name}`, count: Number(wanted) },
  ];
}
