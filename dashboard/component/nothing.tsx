import type { ComponentChildren } from "preact";
import { refusedNotice } from "../../src/dashboard/api/index.ts";
import type { ViewItems } from "../stream/view-items.ts";

/** Says that a list is empty. Of a view of which not all may be read, nobody knows: a notice says what is missing. */
export function Nothing({ items, children }: { readonly items: ViewItems; readonly children: ComponentChildren }) {
  const isAllRead = !items.notices.value.some(({ key }) => key === refusedNotice);
  return <p class="empty">{isAllRead ? children : "There is nothing here that you may read."}</p>;
}
