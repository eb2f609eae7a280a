import { generatedName } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { contentKey, eventKey, type LabelMap } from "./generated-labels.ts";

type ContentKind = "ConfigMap" | "Secret";

/** The names of generated objects: an existing object is found by its labels; a new one gets a random name. */
export class GeneratedNames {
  readonly #known = new Map<string, string>();
  readonly #random: () => number;

  constructor(existing: readonly KubeObject[], random: () => number) {
    this.#random = random;
    for (const { kind, metadata } of existing.filter(isStaying).toSorted(byAge)) {
      const key = keyFor(kind, metadata.labels);
      if (!this.#known.has(key)) this.#known.set(key, metadata.name);
    }
  }

  profile(labels: LabelMap): string {
    return this.#nameFor(keyFor("ClusterProfile", labels));
  }

  content(kind: ContentKind, labels: LabelMap): string {
    return this.#nameFor(keyFor(kind, labels));
  }

  /** Whether an object has the name that it would get now. */
  isNameOf({ kind, metadata }: KubeObject): boolean {
    return this.#known.get(keyFor(kind, metadata.labels)) === metadata.name;
  }

  #nameFor(key: string): string {
    const name = this.#known.get(key) ?? generatedName(this.#random);
    this.#known.set(key, name);
    return name;
  }
}

/** A profile keeps its name when its template or EventSource changes, although labels name both. */
function keyFor(kind: string, labels: LabelMap | undefined): string {
  return `${kind} ${kind === "ClusterProfile" ? eventKey(labels) : contentKey(labels)}`;
}

/** The name of an object that is being deleted is not reused. */
function isStaying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** Of several objects with the same labels the oldest keeps its name; the others are stale. */
function byAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const [first, second] = [`${a.creationTimestamp ?? ""} ${a.name}`, `${b.creationTimestamp ?? ""} ${b.name}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
