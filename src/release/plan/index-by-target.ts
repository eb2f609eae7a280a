import type { ObjectRef } from "../../object/index.ts";
import type { Target } from "../order/index.ts";

/** Finds the objects of a release that a target fits, without looking at all of them each time. */
export class TargetIndex<T extends { readonly ref: ObjectRef }> {
  readonly #all: readonly T[];
  readonly #byKind = new Map<string, T[]>();
  readonly #byName = new Map<string, T[]>();
  readonly #found = new Map<string, readonly T[]>();
  readonly #home: string;

  /** `home` is the namespace that an empty one in a target stands for. */
  constructor(all: readonly T[], home: string) {
    this.#all = all;
    this.#home = home;
    for (const item of all) {
      put(this.#byKind, item.ref.kind, item);
      put(this.#byName, `${item.ref.kind}/${item.ref.name}`, item);
    }
  }

  /** The same list for the same target, so that those who ask for many can share a step. */
  find(target: Target): readonly T[] {
    const text = targetText(target);
    let found = this.#found.get(text);
    if (found === undefined) this.#found.set(text, (found = this.#candidates(target).filter(({ ref }) => this.#fits(ref, target))));
    return found;
  }

  #candidates({ kind, name }: Target): readonly T[] {
    if (kind === undefined) return this.#all;
    return (name === undefined ? this.#byKind.get(kind) : this.#byName.get(`${kind}/${name}`)) ?? [];
  }

  #fits(ref: ObjectRef, { group, version, kind, namespace, name }: Target): boolean {
    return (
      (group === undefined || group === ref.group) &&
      (version === undefined || version === ref.version) &&
      (kind === undefined || kind === ref.kind) &&
      (name === undefined || name === ref.name) &&
      (namespace === undefined || ref.namespace === (namespace === "" && ref.namespace !== "" ? this.#home : namespace))
    );
  }
}

/** One text for one target. */
export function targetText({ group, version, kind, namespace, name, resource }: Target): string {
  return [resource ?? `${group ?? "*"}/${version ?? "*"}/${kind ?? "*"}`, namespace ?? "*", name ?? "*"].join("/");
}

function put<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
