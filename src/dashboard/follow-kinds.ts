import type { KubeObject } from "../core/object/index.ts";
import {
  ConnectionFault,
  isApiFault,
  isForbidden,
  isUnknownKind,
  type InformerEvent,
  type KindOrResource,
  type ObjectChange,
  type Selection,
} from "../kube/index.ts";
import { refusedNotice } from "./api/index.ts";
import type { ViewContext } from "./view-context.ts";

/** A kind that a view is made from. */
type FollowedKind = {
  readonly target: KindOrResource;
  readonly selection?: Selection;
  /** Reduces each object to what is shown. */
  readonly transform?: (object: KubeObject) => KubeObject;
  readonly onChange: (change: ObjectChange) => void;
  /** Said when the cluster does not serve the kind. Default: nothing, it has no objects. */
  readonly unserved?: string;
  /** Its objects are shown while more of them are being read: `flush` does not wait for all. Default: it does. */
  readonly isShownByPage?: boolean;
  /** Hears whether all objects have been read, as far as the visitor may, and when none may be read. */
  readonly onRead?: (reading: "read" | "refused") => void;
};

/** Changes come in bursts: those within this time are shown together. */
const gatherMs = 40;
/** While a long list is being read, what has arrived is shown this often at most, and in a part of the time. */
const [pageMs, pause] = [200, 6];

/**
 * Follows kinds until the signal of the context aborts. `flush` is called when all of them are known and after every change,
 * those of a moment together. What may not be read is none, and a notice says so; it is there again with the right to it.
 */
export async function followKinds(kinds: readonly FollowedKind[], context: ViewContext, flush: () => void): Promise<void> {
  const { cluster, signal } = context;
  const unknown = new Set(kinds.filter(({ isShownByPage }) => isShownByPage !== true));
  const refusals = new Refusals(context.notice);
  const isReading = new Set(kinds.filter(({ isShownByPage }) => isShownByPage === true));
  let cancel: (() => void) | undefined;
  let nextPageMs = pageMs;
  const show = () => {
    const startedAt = cluster.clock.now();
    flush();
    nextPageMs = Math.max(pageMs, (cluster.clock.now() - startedAt) * pause);
  };
  const onChange = () => {
    if (unknown.size > 0) return;
    cancel ??= cluster.clock.after(isReading.size > 0 ? nextPageMs : gatherMs, () => {
      cancel = undefined;
      show();
    });
  };
  signal.addEventListener("abort", () => cancel?.(), { once: true });
  const onKnown = (kind: FollowedKind) => {
    const isFirst = unknown.delete(kind) || isReading.delete(kind);
    if (isFirst && unknown.size === 0) show();
  };
  await Promise.all(kinds.map((kind) => followKind(kind, context, { onChange, onKnown: () => onKnown(kind), refusals })));
}

type Listener = { readonly onChange: () => void; readonly onKnown: () => void; readonly refusals: Refusals };

/** What the visitor may not read of a view, in one notice: whoever may read some of a fleet is not to be told of each of the rest. */
class Refusals {
  readonly #notice: ViewContext["notice"];
  readonly #parts = new Map<FollowedKind, string>();

  constructor(notice: ViewContext["notice"]) {
    this.#notice = notice;
  }

  /** Says where a kind may not be read; undefined stands for everywhere. */
  set(kind: FollowedKind, namespaces: readonly (string | undefined)[]): void {
    const named = namespaces.filter((namespace) => namespace !== undefined);
    if (namespaces.length === 0) this.#parts.delete(kind);
    else this.#parts.set(kind, `${kind.target.kind}${named.length === 0 ? "" : ` in ${named.join(", ")}`}`);
    const parts = [...new Set(this.#parts.values())];
    const text = parts.length === 0 ? undefined : `You may not read ${parts.join("; ")}: what they say is missing here.`;
    this.#notice(refusedNotice, text, { isQuiet: true });
  }
}

async function followKind(
  followed: FollowedKind,
  { informers, notice, signal }: ViewContext,
  { onChange: onAnyChange, onKnown, refusals }: Listener,
): Promise<void> {
  const { target, selection = {}, transform, onChange, unserved, onRead } = followed;
  const key = `${target.kind}.${target.group}`;
  const informer = informers.use(target, { ...selection, byPage: true, ...(transform === undefined ? {} : { transform }) }, signal);
  for await (const event of untilAborted(informer, signal)) {
    if (event.type === "interrupted" || event.type === "synced") {
      const because = event.type === "synced" ? undefined : event.because;
      refusals.set(followed, informer.refused);
      notice(key, isUnknownKind(because) ? unserved : becauseText(target.kind, because));
      if (because === undefined || isUnknownKind(because)) onRead?.("read");
      else if (isRefusal(because) && !informer.isRead) onRead?.("refused");
      onKnown();
    } else onChange(event);
    onAnyChange();
  }
}

/** Of a cluster that does not answer, all views are told at once, and of what may not be read with the rest of it. */
function becauseText(kind: string, because: Error | undefined): string | undefined {
  if (because === undefined || because instanceof ConnectionFault || isRefusal(because)) return undefined;
  return `${kind} objects are as they were before: ${because.message}`;
}

function isRefusal(because: Error): boolean {
  return isApiFault(because) && isForbidden(because);
}

/** An informer is shared, and may go on after this view. */
async function* untilAborted(informer: AsyncIterable<InformerEvent>, signal: AbortSignal) {
  const reader = informer[Symbol.asyncIterator]();
  const end = () => void reader.return?.();
  signal.addEventListener("abort", end, { once: true });
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}
