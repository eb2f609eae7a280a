/** One thing that a view shows. Plain JSON; its `type` says what it is. */
export type Item = { readonly type: string };

/** A change of a view's items. Keys are unique in the view. */
export type ItemChange = { readonly set?: readonly (readonly [key: string, item: Item])[]; readonly remove?: readonly string[] };

/** What a visitor has to know about a view: something that may not be read, a cluster that does not answer. */
export type Notice = {
  readonly key: string;
  readonly text: string;
  /** It is as it should be, and need not catch the eye. */
  readonly quiet?: true;
};

/** The key of the notice that says that the cluster does not answer. */
export const outageNotice = "outage";

/** The key of the notice that says what the visitor may not read. */
export const refusedNotice = "refused";

/**
 * A message of a stream about one view, by its path. The first one is a `reset`; `more` says that the items go on in the next
 * one. A `change` follows whatever came before it.
 */
export type StreamMessage =
  | { readonly type: "reset"; readonly view: string; readonly items: readonly (readonly [key: string, item: Item])[]; readonly more?: true }
  | ({ readonly type: "change"; readonly view: string } & ItemChange)
  /** All notices that hold now. */
  | { readonly type: "notices"; readonly view: string; readonly notices: readonly Notice[] };
