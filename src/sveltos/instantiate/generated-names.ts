import { generatedName } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { contentKey, eventKey, type LabelMap } from "./origin.ts";

type ContentKind = "ConfigMap" | "Secret";

/** Names of generated objects: the ones that they have already, found by labels, and new ones by chance. */
export class GeneratedNames {
  private readonly known = new Map<string, string>();
  private readonly random: () => number;

  constructor(existing: readonly KubeObject[], random: () => number) {
    this.random = random;
    for (const { kind, metadata } of existing.filter(isStaying).toSorted(byAge)) {
      const key = keyFor(kind, metadata.labels);
      if (!this.known.has(key)) this.known.set(key, metadata.name);
    }
  }

  profile(labels: LabelMap): string {
    return this.nameFor(keyFor("ClusterProfile", labels));
  }

  content(kind: ContentKind, labels: LabelMap): string {
    return this.nameFor(keyFor(kind, labels));
  }

  /** Tells whether an object has the name that would be given to it now. */
  isNameOf({ kind, metadata }: KubeObject): boolean {
    return this.known.get(keyFor(kind, metadata.labels)) === metadata.name;
  }

  private nameFor(key: string): string {
    const name = this.known.get(key) ?? generatedName(this.random);
    this.known.set(key, name);
    return name;
  }
}

/** The labels of the template and of the EventSource are on a profile too, but may change without its becoming another. */
function keyFor(kind: string, labels: LabelMap | undefined): string {
  return `${kind} ${kind === "ClusterProfile" ? eventKey(labels) : contentKey(labels)}`;
}

/** What is being deleted is not taken up again: once it is gone, so would be what it stands for. */
function isStaying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** Of several with the same labels the oldest is the one; the others are stale. */
function byAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const [first, second] = [`${a.creationTimestamp ?? ""} ${a.name}`, `${b.creationTimestamp ?? ""} ${b.name}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
