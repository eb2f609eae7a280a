import type { StreamMessage } from "../api/index.ts";
import type { OpenView } from "../visitor/live-views.ts";

/** The items of a piece of a large view. */
const pieceItems = 500;

/** Where a reader of a view is: the number of the last change of which run. */
export type ViewPosition = { readonly id: string; readonly sequence: number };

/** Reads a view at the pace of its stream. It keeps no messages: what was missed is taken from the view when there is room for it. */
export class ViewReader {
  readonly #path: string;
  readonly #view: OpenView;
  #position: ViewPosition | undefined;
  #hasNotices = true;
  readonly #end: () => void;

  /** `onNews` is called whenever `messages` has something to give. `from` is where an earlier stream has ended. */
  constructor(path: string, view: OpenView, from: ViewPosition | undefined, onNews: () => void) {
    this.#path = path;
    this.#view = view;
    if (from?.id === view.id) this.#position = from;
    this.#end = view.live.subscribe({
      onChange: onNews,
      onNotices: () => {
        this.#hasNotices = true;
        onNews();
      },
    });
  }

  /** `ID.12`, or `-` before the first items. */
  get positionText(): string {
    return this.#position === undefined ? "-" : `${this.#position.id}.${this.#position.sequence}`;
  }

  /** What has not been read yet. Every message that is complete moves the position. */
  *messages(): Generator<StreamMessage> {
    const { live, id } = this.#view;
    const changes = this.#position === undefined ? undefined : live.changesAfter(this.#position.sequence);
    if (changes === undefined) {
      const { sequence } = live;
      const { items } = live;
      const lastFrom = Math.max(0, Math.ceil(items.length / pieceItems) - 1) * pieceItems;
      for (let from = 0; from < lastFrom; from += pieceItems)
        yield { type: "reset", view: this.#path, items: items.slice(from, from + pieceItems), more: true };
      this.#position = { id, sequence };
      yield { type: "reset", view: this.#path, items: items.slice(lastFrom) };
    }
    for (const { change, sequence } of changes ?? []) {
      const { set = [] } = change;
      // Whoever leaves in between gets all of the change again.
      for (let from = pieceItems; from < set.length; from += pieceItems)
        yield { type: "change", view: this.#path, set: set.slice(from, from + pieceItems) };
      this.#position = { id, sequence };
      yield { type: "change", view: this.#path, ...change, ...(set.length > pieceItems ? { set: set.slice(0, pieceItems) } : {}) };
    }
    if (!this.#hasNotices) return;
    this.#hasNotices = false;
    yield { type: "notices", view: this.#path, notices: live.notices };
  }

  close(): void {
    this.#end();
    this.#view.close();
  }
}
