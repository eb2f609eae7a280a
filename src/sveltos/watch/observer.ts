import type { EventSource, ResourceSelector } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, equal, type GroupVersionKind } from "../../core/object/index.ts";
import { Evaluation, type Findings, type Match } from "../evaluate/index.ts";
import type { Reader } from "./feed.ts";
import { KindWatch } from "./kind-watch.ts";

export type ObserverOptions = {
  /** Called with the name of an EventSource whose findings may be others than before; what changes together is told once. */
  readonly changed: (eventSource: string) => void;
};

/** How things stand with an EventSource. */
export type Observed = {
  readonly findings: Findings;
  /** Every kind that it looks at has been read, or is not served. Where not, what is not found may well be there. */
  readonly isComplete: boolean;
  /** How many objects were judged for it by this look. */
  readonly judged: number;
  /** Objects that are left for the next time, because the script takes too long. Nobody is told when that is. */
  readonly waiting: number;
};

/** An EventSource that is followed. */
type Followed = { readonly source: EventSource; readonly reader: Reader; readonly kinds: ReadonlyMap<string, readonly ResourceSelector[]> };

/** Looks at one cluster for EventSources, by one watch for each kind of objects, until the signal aborts. */
export class Observer {
  readonly #cluster: Cluster;
  readonly #changed: (eventSource: string) => void;
  readonly #signal: AbortSignal;
  readonly #followed = new Map<string, Followed>();
  readonly #watches = new Map<string, KindWatch>();
  #judgedBefore = 0;

  constructor(cluster: Cluster, { changed }: ObserverOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#changed = changed;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** How many objects have been judged so far, by all EventSources. */
  get judged(): number {
    return [...this.#followed.values()].reduce((sum, { reader }) => sum + reader.evaluation.judged, this.#judgedBefore);
  }

  /**
   * Follows these EventSources from now on, and no others. One that is followed already and says the same goes on; one
   * that says something else begins anew with what matched until now. `lastOf` is what matched a new one when somebody
   * looked last.
   */
  follow(sources: readonly EventSource[], lastOf: (eventSource: string) => readonly Match[]): void {
    if (this.#signal.aborted) return;
    const wanted = new Map(sources.map((source) => [source.metadata.name, source]));
    for (const [name, { reader }] of this.#followed) {
      if (wanted.has(name)) continue;
      this.#judgedBefore += reader.evaluation.judged;
      this.#followed.delete(name);
    }
    for (const [name, source] of wanted) this.#begin(name, source, lastOf);
    this.#serve();
    for (const name of wanted.keys()) this.#tell(name);
  }

  /** Judges what has changed. Undefined for what is not followed, and until there has been an answer for every kind. */
  look(eventSource: string): Observed | undefined {
    const followed = this.#followed.get(eventSource);
    if (followed === undefined || !this.#isSettled(followed)) return undefined;
    const { reader, kinds } = followed;
    const before = reader.evaluation.judged;
    const findings = reader.evaluation.findings();
    const isComplete = [...kinds.keys()].every((kind) => this.#watches.get(kind)?.isKnown(reader));
    return { findings, isComplete, judged: reader.evaluation.judged - before, waiting: reader.evaluation.waiting };
  }

  #begin(name: string, source: EventSource, lastOf: (eventSource: string) => readonly Match[]): void {
    const before = this.#followed.get(name);
    if (before !== undefined && saysTheSame(before.source, source)) return;
    const last = before === undefined ? lastOf(name) : (this.look(name)?.findings.matches ?? lastOf(name));
    this.#judgedBefore += before?.reader.evaluation.judged ?? 0;
    const { clock, random } = this.#cluster;
    const world = { now: () => Math.floor(clock.now() / 1000), random };
    const reader = { evaluation: new Evaluation(source, { last, world }), changed: () => this.#tell(name) };
    this.#followed.set(name, { source, reader, kinds: Map.groupBy(source.selectors, kindKey) });
  }

  #serve(): void {
    const looking = new Map<string, { readonly kind: GroupVersionKind; readonly readers: Map<Reader, readonly ResourceSelector[]> }>();
    for (const { reader, kinds } of this.#followed.values()) {
      for (const [key, selectors] of kinds) {
        const { group, version, kind } = selectors[0]!;
        if (!looking.has(key)) looking.set(key, { kind: { group, version, kind }, readers: new Map() });
        looking.get(key)?.readers.set(reader, selectors);
      }
    }
    for (const [key, watch] of this.#watches) {
      if (looking.has(key)) continue;
      watch.close();
      this.#watches.delete(key);
    }
    for (const [key, { kind, readers }] of looking) this.#watchOf(key, kind).serve(readers);
  }

  #watchOf(key: string, kind: GroupVersionKind): KindWatch {
    let watch = this.#watches.get(key);
    if (watch === undefined) this.#watches.set(key, (watch = new KindWatch(this.#cluster, kind)));
    return watch;
  }

  #tell(name: string): void {
    const followed = this.#followed.get(name);
    if (followed !== undefined && !this.#signal.aborted && this.#isSettled(followed)) this.#changed(name);
  }

  #isSettled({ reader, kinds }: Followed): boolean {
    return [...kinds.keys()].every((kind) => this.#watches.get(kind)?.isSettled(reader));
  }

  #close(): void {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    this.#followed.clear();
  }
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Whether findings are the same by both; whether they are collected is for those who report them. */
function saysTheSame(one: EventSource, other: EventSource): boolean {
  return one.aggregatedSelection === other.aggregatedSelection && equal(one.selectors, other.selectors);
}
