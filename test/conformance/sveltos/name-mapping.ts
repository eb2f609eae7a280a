import { isFields, refOf, type KubeObject } from "../../../src/core/object/index.ts";
import type { FleetState } from "./recorded-scenario.ts";

/** Patterns of the random parts of names and uids, in the record and here. */
const families = [
  { recorded: /RANDOM\d+/g, here: "[0-9a-z]{20}" },
  { recorded: /UID\d+/g, here: "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}" },
];
const randomHere = /\bsveltos-[0-9a-z]{20}\b/g;
const randomRecorded = /\bsveltos-RANDOM\d+\b/g;

/**
 * Maps random names here to those of the record, one to one, by labels, contents and references. The mapping lasts for a whole
 * scenario, so an object that changes its name by mistake shows up as a difference.
 */
export class NameMapping {
  readonly #recordedOf = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The state with the record's names. */
  rename(recorded: FleetState, got: FleetState): FleetState {
    for (const cluster of ["management", ...Object.keys(recorded)]) this.#match(recorded[cluster] ?? [], got[cluster] ?? []);
    for (const [cluster, objects] of Object.entries(recorded)) this.#align(objects, got[cluster] ?? []);
    return mapState(got, (object) => this.#renamed(object));
  }

  /** Pairs objects with unmapped random names. Profiles come first: their contents map the names that they reference. */
  #match(recorded: readonly KubeObject[], got: readonly KubeObject[]): void {
    for (const kind of ["ClusterProfile", "Profile", "ConfigMap", "Secret"]) {
      const theirs = recorded.filter((object) => object.kind === kind && isFree(object, randomRecorded, this.#taken));
      const ours = got.filter((object) => object.kind === kind && isFree(object, randomHere, this.#recordedOf));
      for (const [their, our] of this.#bestPairs(theirs, ours)) this.#learn(their, our);
    }
  }

  #bestPairs(theirs: readonly KubeObject[], ours: readonly KubeObject[]): readonly (readonly [KubeObject, KubeObject])[] {
    const seen = theirs.map((their) => ({ their, leaves: leavesOf(their, randomRecorded) }));
    const scored = ours.flatMap((our) => {
      const leaves = leavesOf(this.#renamed(our), randomHere);
      return seen.map((each) => ({ their: each.their, our, score: likeness(each.leaves, leaves) }));
    });
    const pairs: [KubeObject, KubeObject][] = [];
    for (const { their, our, score } of scored.toSorted((a, b) => b.score - a.score)) {
      if (score > 0.5 && !pairs.some((pair) => pair[0] === their || pair[1] === our)) pairs.push([their, our]);
    }
    return pairs;
  }

  /** Objects of the same name map the random parts inside them. */
  #align(recorded: readonly KubeObject[], got: readonly KubeObject[]): void {
    const theirs = new Map(recorded.map((object) => [titleFor(object), object]));
    for (const our of got) {
      const their = theirs.get(titleFor(this.#renamed(our)));
      if (their !== undefined) this.#learn(their, our);
    }
  }

  #learn(recorded: unknown, got: unknown): void {
    if (typeof recorded === "string" && typeof got === "string") this.#learnText(recorded, got);
    else if (Array.isArray(recorded) && Array.isArray(got)) recorded.forEach((item, index) => this.#learn(item, got[index]));
    else if (isFields(recorded) && isFields(got)) for (const key of Object.keys(recorded)) this.#learn(recorded[key], got[key]);
  }

  /** Texts that agree except for random parts map those parts, unless they are mapped already. */
  #learnText(recorded: string, got: string): void {
    for (const { recorded: token, here } of families) {
      const tokens = recorded.match(token);
      if (tokens === null) continue;
      const pattern = recorded.split(token).map(escaped).join(`(${here})`);
      const found = new RegExp(`^${pattern}$`, "s").exec(this.#renamedText(got, tokens));
      tokens.forEach((name, index) => this.#put(found?.[index + 1], name));
    }
  }

  /** Replaces mapped names, except those that are searched for. */
  #renamedText(text: string, except: readonly string[]): string {
    let renamed = text;
    for (const [here, recorded] of this.#recordedOf) if (!except.includes(recorded)) renamed = renamed.replaceAll(here, recorded);
    return renamed;
  }

  #put(here: string | undefined, recorded: string): void {
    if (here === undefined || this.#recordedOf.has(here) || this.#taken.has(recorded)) return;
    this.#recordedOf.set(here, recorded);
    this.#taken.add(recorded);
  }

  #renamed(object: KubeObject): KubeObject {
    let text = JSON.stringify(object);
    for (const [here, recorded] of this.#recordedOf) text = text.replaceAll(here, recorded);
    return JSON.parse(text) as KubeObject;
  }
}

function isFree({ metadata: { name } }: KubeObject, random: RegExp, known: { has(name: string): boolean }): boolean {
  const [found] = name.match(random) ?? [];
  return found === name && !known.has(found.slice("sveltos-".length));
}

/** Every value with its path, as text, with random names blanked. */
function leavesOf(object: KubeObject, random: RegExp): ReadonlySet<string> {
  const leaves = new Set<string>();
  const walk = (value: unknown, at: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${at}[${index}]`));
    else if (isFields(value)) for (const [key, item] of Object.entries(value)) walk(item, `${at}.${key}`);
    else leaves.add(`${at}=${String(value).replaceAll(random, "*")}`);
  };
  walk({ ...object, status: undefined }, "");
  return leaves;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * one.intersection(other).size) / (one.size + other.size);
}

function titleFor(object: KubeObject): string {
  const { group, kind, namespace, name } = refOf(object);
  return `${group} ${kind} ${namespace}/${name}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function mapState(state: FleetState, change: (object: KubeObject) => KubeObject): FleetState {
  return Object.fromEntries(Object.entries(state).map(([cluster, objects]) => [cluster, objects.map(change)]));
}
