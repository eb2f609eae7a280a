import { isAtWork, type ActionItem } from "../api/index.ts";

/** So many that have ended are kept for the visitor to read. */
const maxEnded = 20;

type ActionListReader = (changed: { readonly set?: ActionItem; readonly remove?: string }) => void;

/** The actions of one visitor in one cluster: those at work, and the latest that have ended. */
export class ActionList {
  readonly #items = new Map<string, ActionItem>();
  readonly #readers = new Set<ActionListReader>();

  get items(): readonly ActionItem[] {
    return [...this.#items.values()];
  }

  find(id: string): ActionItem | undefined {
    return this.#items.get(id);
  }

  /** Adds an action, or changes it. */
  put(item: ActionItem): void {
    this.#items.set(item.id, item);
    for (const reader of this.#readers) reader({ set: item });
    const ended = this.items.filter((each) => !isAtWork(each));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#remove(id);
  }

  /** Puts an action away that has ended. */
  dismiss(id: string): void {
    const found = this.#items.get(id);
    if (found !== undefined && !isAtWork(found)) this.#remove(id);
  }

  /** Passes every further change to a reader, until the returned function is called. */
  subscribe(reader: ActionListReader): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  #remove(id: string): void {
    this.#items.delete(id);
    for (const reader of this.#readers) reader({ remove: id });
  }
}
