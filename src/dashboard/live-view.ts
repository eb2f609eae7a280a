import { outageNotice, type Item, type ItemChange, type Notice } from "./api/index.ts";

/** How many changes are kept for those who come back, and how many items are in them. */
const [maxKept, maxKeptItems] = [1000, 20_000];

/** How a notice is told. */
export type NoticeOptions = {
  /** It says that the cluster does not answer, which is told once however many parts of a view notice it. Default false. */
  readonly isOutage?: boolean;
  /** It need not catch the eye. Default false. */
  readonly isQuiet?: boolean;
};

type KeptNotice = NoticeOptions & { readonly text: string };

type NumberedChange = { readonly sequence: number; readonly change: ItemChange };

/** Somebody who looks at a view. */
type LiveViewReader = {
  readonly onChange: (change: ItemChange, sequence: number) => void;
  readonly onNotices: (notices: readonly Notice[]) => void;
};

/** The items of a view as they are now, and its latest changes. */
export class LiveView {
  readonly #items = new Map<string, Item>();
  readonly #texts = new Map<string, string>();
  readonly #notices = new Map<string, KeptNotice>();
  readonly #readers = new Set<LiveViewReader>();
  readonly #kept: NumberedChange[] = [];
  #sequence = 0;
  #keptItems = 0;
  #hasNews = false;

  /** Whether anything was published or noticed yet, be it that there is nothing. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** The number of the latest change. */
  get sequence(): number {
    return this.#sequence;
  }

  get items(): readonly (readonly [key: string, item: Item])[] {
    return [...this.#items];
  }

  get notices(): readonly Notice[] {
    const outage = this.#notices.has(outageNotice) ? outageNotice : [...this.#notices].find(([, { isOutage }]) => isOutage === true)?.[0];
    return [...this.#notices]
      .filter(([key, { isOutage }]) => isOutage !== true || key === outage)
      .map(([key, { text, isQuiet }]) => ({ key, text, ...(isQuiet === true ? { quiet: true } : {}) }));
  }

  /** Takes in a change. What is as it was already is left out. */
  publish({ set = [], remove = [] }: ItemChange): void {
    const isFirst = !this.#hasNews;
    this.#hasNews = true;
    const removed = remove.filter((key) => this.#items.delete(key) && this.#texts.delete(key));
    const changed = set.filter(([key, item]) => this.#put(key, item));
    if (removed.length === 0 && changed.length === 0) {
      if (isFirst) for (const { onNotices } of this.#readers) onNotices(this.notices);
      return;
    }
    const change = { ...(changed.length === 0 ? {} : { set: changed }), ...(removed.length === 0 ? {} : { remove: removed }) };
    this.#keep({ sequence: ++this.#sequence, change });
    for (const { onChange } of this.#readers) onChange(change, this.#sequence);
  }

  /** Removes all items. */
  clear(): void {
    this.publish({ remove: [...this.#items.keys()] });
  }

  notice(key: string, text: string | undefined, options: NoticeOptions = {}): void {
    if (this.#notices.get(key)?.text === text) return;
    this.#hasNews = true;
    if (text === undefined) this.#notices.delete(key);
    else this.#notices.set(key, { text, ...options });
    for (const { onNotices } of this.#readers) onNotices(this.notices);
  }

  /** The changes after a number; undefined when they are not all kept. */
  changesAfter(sequence: number): readonly NumberedChange[] | undefined {
    if (sequence > this.#sequence || sequence < this.#sequence - this.#kept.length) return undefined;
    return this.#kept.slice(this.#kept.length - (this.#sequence - sequence));
  }

  /** Passes every further change to a reader, until the returned function is called. */
  subscribe(reader: LiveViewReader): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  #keep(numbered: NumberedChange): void {
    this.#kept.push(numbered);
    this.#keptItems += sizeOf(numbered);
    while (this.#kept.length > maxKept || this.#keptItems > maxKeptItems) this.#keptItems -= sizeOf(this.#kept.shift()!);
  }

  #put(key: string, item: Item): boolean {
    const text = JSON.stringify(item);
    if (this.#texts.get(key) === text) return false;
    this.#items.set(key, item);
    this.#texts.set(key, text);
    return true;
  }
}

function sizeOf({ change: { set = [], remove = [] } }: NumberedChange): number {
  return set.length + remove.length;
}
