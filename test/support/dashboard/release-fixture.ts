import assert from "node:assert/strict";
import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Exchange, Request } from "../../../src/core/exchange/index.ts";
import { LiveView } from "../../../src/dashboard/live-view.ts";
import { runRelease } from "../../../src/dashboard/release/run-release.ts";
import { SharedInformers } from "../../../src/dashboard/shared-informers.ts";
import type { Item, ReleaseItem } from "../../../src/dashboard/api/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../../src/embedded/index.ts";
import { connect, thisMachine, type Cluster } from "../../../src/kube/index.ts";
import { networkOpener } from "../../../src/sveltos/fleet/index.ts";
import { readManifests } from "../../../src/lang/yaml/index.ts";
import { deploy } from "../../../src/release/deploy/index.ts";

type ItemOf<T extends ReleaseItem["type"]> = Extract<ReleaseItem, { type: T }>;

/** A cluster in virtual time, in which a release is deployed and looked at. */
export class ReleaseFixture {
  readonly clock = new VirtualClock();
  readonly exchange: Exchange;
  readonly cluster: Cluster;
  /** What visitors have asked the cluster for. */
  readonly requested: string[] = [];
  /** Changes the answers that visitors get. */
  answer: (request: Request, real: Exchange) => ReturnType<Exchange> = (request, real) => real(request);
  readonly #visitor: Cluster;

  constructor(behaviour: readonly object[] = []) {
    this.exchange = startEmbeddedCluster({ clock: this.clock, behaviour: parseBehaviour(behaviour).behaviour }).exchange;
    this.cluster = connect(this.exchange, { clock: this.clock });
    const watched: Exchange = (request) => {
      this.requested.push(`${request.method} ${request.path}`);
      return this.answer(request, this.exchange);
    };
    this.#visitor = connect(watched, { clock: this.clock });
  }

  get visitor(): Cluster {
    return this.#visitor;
  }

  /** Starts a deploy, and resolves when it has ended or was killed. */
  deploy(yaml: string, { signal = new AbortController().signal, name = "web" } = {}): Promise<void> {
    const { manifests, problems } = readManifests(yaml, "web.yaml");
    assert.deepEqual(problems, []);
    const recording = { onWarning: () => undefined };
    const options = { signal, identity: "tester", hasDied: () => true, recording };
    const events = deploy({ release: { name, namespace: "default" }, manifests }, this.cluster, options);
    const follow = async () => {
      for (let next = await events.next(); next.done !== true;) next = await events.next();
    };
    return follow().catch(() => undefined);
  }

  /** Looks at a release. */
  open({ name = "web", revision, signal = new AbortController().signal }: { name?: string; revision?: number; signal?: AbortSignal } = {}) {
    const live = new LiveView();
    const view = { type: "release", context: "test", namespace: "default", name, ...(revision === undefined ? {} : { revision }) } as const;
    const running = runRelease(view, {
      cluster: this.#visitor,
      informers: new SharedInformers(this.#visitor),
      openManaged: networkOpener(thisMachine(), this.cluster.clock),
      publish: live.publish.bind(live),
      notice: live.notice.bind(live),
      signal,
    });
    running.catch((error: unknown) => live.notice("thrown", String(error)));
    return new OpenedView(live);
  }
}

class OpenedView {
  readonly live: LiveView;

  constructor(live: LiveView) {
    this.live = live;
  }

  ofType<T extends ReleaseItem["type"]>(type: T): readonly ItemOf<T>[] {
    return this.live.items.map(([, item]) => item).filter((item: Item): item is ItemOf<T> => item.type === type);
  }

  get head(): ItemOf<"head"> | undefined {
    return this.ofType("head")[0];
  }

  /** `deployment/web progressing: 0 of 1 replicas`, in the order of the plan. */
  get nodes(): readonly string[] {
    return this.ofType("node").map(({ title, state, because }) => `${title} ${state}${because === undefined ? "" : `: ${because}`}`);
  }

  /** `job/migrate -(ready)-> deployment/web` */
  get edges(): readonly string[] {
    const titles = new Map(this.ofType("node").map(({ id, title }) => [id, title]));
    return this.ofType("edge").map(({ from, to, gate }) => `${titles.get(from)} -(${gate})-> ${titles.get(to)}`);
  }

  get notices(): readonly string[] {
    return this.live.notices.map(({ text }) => text);
  }
}
