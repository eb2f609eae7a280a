import { equal, keyOf, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { narrowedTo } from "../../release/deploy/index.ts";
import { readLive, type LiveQuery, type LiveState } from "../../release/live/index.ts";

type Facts = NonNullable<ReturnType<LiveState["facts"]["get"]>>;
type Known = { readonly manifest: KubeObject | undefined; readonly content: string; readonly fact: Facts };

/**
 * Whether live objects are as their manifests want them. An object that has every field of its manifest is; of another one a
 * dry run decides, once for each content that it has.
 */
export class OutcomeCache {
  readonly #known = new Map<string, Known>();
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  async read(items: readonly LiveQuery[]): Promise<LiveState["facts"]> {
    const facts = new Map<string, Facts>();
    const unknown: { readonly item: LiveQuery; readonly content: string }[] = [];
    for (const item of items) {
      const key = keyOf(item.ref);
      const live = await this.#cluster.find(item.ref, { signal: this.#signal });
      const content = live === undefined ? "" : contentVersionOf(live);
      const known = this.#known.get(key);
      if (known !== undefined && known.manifest === item.manifest && known.content === content) facts.set(key, known.fact);
      else if (live !== undefined && hasAllOf(live, item.manifest)) this.#keep(item, content, asWanted, facts);
      else unknown.push({ item, content });
    }
    if (unknown.length === 0) return facts;
    const asked = await readLive(
      unknown.map(({ item }) => item),
      this.#cluster,
      { signal: this.#signal, manager: "helm", force: true },
    );
    for (const { item, content } of unknown) {
      const fact = asked.facts.get(keyOf(item.ref));
      if (fact !== undefined) this.#keep(item, content, fact, facts);
    }
    return facts;
  }

  #keep(item: LiveQuery, content: string, fact: Facts, facts: Map<string, Facts>): void {
    this.#known.set(keyOf(item.ref), { manifest: item.manifest, content, fact });
    facts.set(keyOf(item.ref), fact);
  }
}

const asWanted: Facts = { exists: true, dryRun: { outcome: "unchanged" } };

function hasAllOf(live: KubeObject, manifest: KubeObject | undefined): boolean {
  return manifest !== undefined && equal(narrowedTo(live, manifest), manifest);
}

/** What changes when the content of an object does, but not when its status does, where the server tells the two apart. */
function contentVersionOf({ metadata }: KubeObject): string {
  const { uid, generation, resourceVersion, labels, annotations } = metadata;
  return generation === undefined ? `${uid} ${resourceVersion}` : JSON.stringify([uid, generation, labels, annotations]);
}
