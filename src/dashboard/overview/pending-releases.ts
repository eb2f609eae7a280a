import type { Item, OverviewRelease, ReleaseItem } from "../api/index.ts";
import { runRelease } from "../release/run-release.ts";
import type { ViewContext } from "../view-context.ts";

/** So many releases that are being deployed are looked into; the others are counted. */
const maxFollowed = 5;

type Followed = { readonly items: Map<string, ReleaseItem>; readonly stop: AbortController; text: string | undefined };

/** What releases that are being deployed wait for, as their own views tell it. */
export class PendingReleases {
  readonly #context: ViewContext;
  readonly #onChange: (key: string) => void;
  readonly #followed = new Map<string, Followed>();

  constructor(context: ViewContext, onChange: (key: string) => void) {
    this.#context = context;
    this.#onChange = onChange;
    context.signal.addEventListener("abort", () => this.follow(new Map()), { once: true });
  }

  /** Follows the latest of these, and no others. */
  follow(pending: ReadonlyMap<string, OverviewRelease>): void {
    const latest = [...pending].toSorted(([, a], [, b]) => b.updatedAtMs - a.updatedAtMs).slice(0, maxFollowed);
    const wanted = new Map(this.#context.signal.aborted ? [] : latest);
    for (const [key, { stop }] of this.#followed) {
      if (wanted.has(key)) continue;
      this.#followed.delete(key);
      stop.abort(new Error("it is not followed any more"));
    }
    for (const [key, release] of wanted) if (!this.#followed.has(key)) this.#start(key, release);
  }

  /** What a release waits for; undefined when that is not known. */
  waitOf(key: string): string | undefined {
    return this.#followed.get(key)?.text;
  }

  #start(key: string, { namespace, name }: OverviewRelease): void {
    const followed: Followed = { items: new Map(), stop: new AbortController(), text: undefined };
    this.#followed.set(key, followed);
    const publish: ViewContext["publish"] = ({ set = [], remove = [] }) => {
      for (const each of remove) followed.items.delete(each);
      for (const [each, item] of set) if (isReleaseItem(item)) followed.items.set(each, item);
      const text = waitIn([...followed.items.values()]);
      if (text === followed.text) return;
      followed.text = text;
      this.#onChange(key);
    };
    const context = { ...this.#context, publish, notice: () => undefined, signal: followed.stop.signal };
    // Without what it waits for it is still shown as what it is.
    runRelease({ type: "release", context: "", namespace, name }, context).catch(() => undefined);
  }
}

function isReleaseItem(item: Item): item is ReleaseItem {
  return item.type === "node" || item.type === "chain";
}

/** The first cause that holds up most; else the first object that is not ready. */
function waitIn(items: readonly ReleaseItem[]): string | undefined {
  const nodes = items.filter((item) => item.type === "node");
  const [chain] = items.filter((item) => item.type === "chain").toSorted((a, b) => b.blocked - a.blocked);
  const failed = nodes.find(({ state }) => state === "failed");
  const node = nodes.find(({ id }) => id === (failed?.id ?? chain?.cause)) ?? nodes.find(({ state }) => state === "progressing");
  if (node === undefined) return undefined;
  const because = node.because ?? chain?.because ?? "";
  const done = nodes.filter(({ state }) => state === "ready" || state === "gone").length;
  const progress = `${done} of ${nodes.filter(({ role }) => role !== "join").length} are ready`;
  return `${progress}; waits for ${node.title}${because === "" ? "" : `: ${because}`}`;
}
