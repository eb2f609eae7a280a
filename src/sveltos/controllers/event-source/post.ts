import type { Match } from "../../evaluate/index.ts";
import { Observer } from "../../watch/index.ts";
import type { EventSource } from "../../api/index.ts";
import type { Link } from "../../fleet/index.ts";
import { AgentLease } from "./agent-lease.ts";
import { Relay, type RelayNews } from "./relay.ts";
import { Told } from "./told.ts";

/** What is kept of a cluster for as long as it is ours and its connection lasts. */
export class Post {
  readonly link: Link;
  readonly agent: AgentLease;
  /** Aborts when the cluster is not ours any more, or has another connection. */
  readonly signal: AbortSignal;
  /** What was reported of each EventSource, while it is evaluated from here. */
  readonly told = new Told();
  readonly #stop = new AbortController();
  #watch: { readonly observer: Observer; readonly stop: AbortController } | undefined;
  #sources: ReadonlyMap<string, EventSource> = new Map();
  #relay: { readonly relay: Relay; readonly stop: AbortController } | undefined;
  /** What an agent had here, before us or since, is gone: it would be out of date when one comes back. */
  isSwept = false;

  constructor(link: Link, changed: () => void, signal: AbortSignal) {
    this.link = link;
    this.signal = AbortSignal.any([signal, link.signal, this.#stop.signal]);
    this.agent = new AgentLease(link.cluster, changed, this.signal);
  }

  close(because: string): void {
    this.#stop.abort(new Error(because));
  }

  /** Evaluates these EventSources from here. */
  observe(
    sources: readonly EventSource[],
    lastOf: (eventSource: string) => readonly Match[],
    changed: (eventSource: string) => void,
  ): void {
    this.#relay?.stop.abort(new Error("there is no agent any more"));
    this.#relay = undefined;
    this.#sources = new Map(sources.map((source) => [source.metadata.name, source]));
    if (this.#watch === undefined) {
      const stop = new AbortController();
      const observer = new Observer(this.link.cluster, { changed }, AbortSignal.any([this.signal, stop.signal]));
      this.#watch = { observer, stop };
    }
    this.#watch.observer.follow(sources, lastOf);
  }

  /** Leaves the evaluation to an agent, and follows what it says. */
  relay(changed: (news: RelayNews | undefined) => void): Relay {
    this.#watch?.stop.abort(new Error("an agent evaluates the events"));
    this.#watch = undefined;
    this.#sources = new Map();
    this.told.clear();
    if (this.#relay === undefined) {
      const stop = new AbortController();
      this.#relay = { relay: new Relay(this.link.cluster, changed, AbortSignal.any([this.signal, stop.signal])), stop };
      this.isSwept = false;
    }
    return this.#relay.relay;
  }

  /** What is carried from an agent, while there is one. */
  get relayed(): Relay | undefined {
    return this.#relay?.relay;
  }

  /** Events are evaluated from here. */
  get isObserving(): boolean {
    return this.#watch !== undefined;
  }

  /** An EventSource that is evaluated from here, and by what. */
  find(eventSource: string): { readonly source: EventSource; readonly observer: Observer } | undefined {
    const source = this.#sources.get(eventSource);
    return source && this.#watch && { source, observer: this.#watch.observer };
  }
}
