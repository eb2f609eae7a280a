import { connection, streamProblem } from "../stream/view-stream.ts";
import type { ViewItems } from "../stream/view-items.ts";

/** What the visitor has to know about a view: what may not be read, and whether news arrive. */
export function Notices({ items }: { readonly items: ViewItems }) {
  const notices = items.notices.value;
  const isLost = connection.value === "lost";
  return (
    <ul class="notices" aria-live="polite">
      {isLost ? (
        <li class="notice bad">
          {streamProblem.value === "" ? "The dashboard does not answer." : streamProblem.value} What is shown may be old; the page connects
          again by itself.
        </li>
      ) : null}
      {connection.value === "over" ? (
        <li class="notice">
          The run is over, and its dashboard has ended with it. What is shown is the end; <code>sluice dashboard</code> shows more.
        </li>
      ) : null}
      {notices.map(({ key, text, quiet }) => (
        <li class={quiet === true ? "notice is-quiet" : "notice"} key={key}>
          {text}
        </li>
      ))}
    </ul>
  );
}
