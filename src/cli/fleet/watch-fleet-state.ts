import { sleep } from "../../core/clock/index.ts";
import { isApiFault, isUnknownKind, runInformer, type Cluster, type Informer, type Lister } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../core/object/index.ts";
import { watchController, type ControllerAbsence } from "../../sveltos/fleet/index.ts";
import { eventKind, ownEvents, watchedKinds, type FleetState } from "./read-fleet-state.ts";
import { unreadableText, type OnUnreadable } from "../../sveltos/inspect/index.ts";

/** Changes of a fleet come in bursts: those within this time are looked at together. */
const gatherMs = 250;

/**
 * The state of a fleet, first when all of it is known and then after every change, until the signal aborts. A kind that may
 * not be read counts as empty, and `onUnreadable` is told once.
 */
export async function* watchFleetState(hub: Cluster, onUnreadable: OnUnreadable, signal: AbortSignal): AsyncGenerator<FleetState> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const changes = new ChangeSignal();
  const listers = new Map<string, Lister>();
  const open = new Set(watchedKinds.map(({ kind }) => kind));
  const settle = (kind: string) => {
    open.delete(kind);
    changes.notify();
  };
  const informers = watchedKinds.map((gvk) => watchKind(gvk, hub, { listers, settle, onUnreadable, signal: either }));
  let controller: { readonly absence: ControllerAbsence | undefined } | undefined;
  const following = (async () => {
    for await (const absence of watchController(hub, either)) {
      controller = { absence };
      changes.notify();
    }
  })();
  const ended = Promise.all([...informers, following]);
  ended.catch((error: unknown) => changes.fail(error));
  signal.addEventListener("abort", () => changes.fail(signal.reason), { once: true });
  try {
    for (;;) {
      await changes.next();
      if (open.size > 0 || controller === undefined) continue;
      yield { ...stateIn(listers), absence: controller.absence };
      await sleep(hub.clock, gatherMs, signal);
    }
  } finally {
    stop.abort();
    await ended.catch(() => undefined); // the reader has got this error, or has stopped
  }
}

type KindWatch = {
  readonly listers: Map<string, Lister>;
  readonly settle: (kind: string) => void;
  readonly onUnreadable: OnUnreadable;
  readonly signal: AbortSignal;
};

async function watchKind(gvk: GroupVersionKind, hub: Cluster, { listers, settle, onUnreadable, signal }: KindWatch): Promise<void> {
  const { kind } = gvk;
  const selection = kind === eventKind.kind ? { fieldSelector: ownEvents } : {};
  let isReported = false;
  const read = async (informer: Informer) => {
    listers.set(kind, informer.lister);
    let isKnown = false;
    for await (const event of informer) {
      isKnown ||= event.type === "synced" || (event.type === "interrupted" && isUnknownKind(event.because));
      if (isKnown) settle(kind);
    }
  };
  await runInformer(
    hub,
    gvk,
    { ...selection, transform: withoutBulk, signal },
    {
      read,
      onInterrupted: (because) => {
        listers.delete(kind);
        settle(kind);
        if (isReported) return;
        isReported = true;
        onUnreadable(unreadableText(kind, isApiFault(because) ? because.explanation : because.message));
      },
    },
  );
}

/** The parts that grow with a fleet, and that no occurrence is read from. */
function withoutBulk(object: KubeObject): KubeObject {
  const { spec, status } = object as { spec?: object; status?: object };
  if (object.kind === "EventReport") return { ...object, spec: { ...spec, resources: undefined, matchingResources: undefined } };
  return object.kind === "ClusterSummary" ? { ...object, status: { ...status, releases: undefined } } : object;
}

function stateIn(listers: ReadonlyMap<string, Lister>): FleetState {
  const all = (kind: string) => [...(listers.get(kind)?.all() ?? [])];
  return {
    objects: watchedKinds.filter(({ kind }) => kind !== eventKind.kind).flatMap(({ kind }) => all(kind)),
    events: all(eventKind.kind),
  };
}

/** Remembers that something has changed until somebody waits for it. */
class ChangeSignal {
  #next = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | undefined;

  notify(): void {
    this.#next.resolve();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#next.resolve();
  }

  async next(): Promise<void> {
    await this.#next.promise;
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#next = Promise.withResolvers();
  }
}
