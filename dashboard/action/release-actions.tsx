import { useRef } from "preact/hooks";
import type { ReleaseHead, RevisionOutline } from "../../src/dashboard/api/index.ts";
import { RelativeTime } from "../component/relative-time.tsx";
import { connection } from "../stream/view-stream.ts";
import { askAbout } from "./asked-action.ts";
import { isCarriedOn, isRolledBackTo } from "./release-choices.ts";

/** What a visitor can do to a release, for its head: nothing more when the dashboard has ended with its run. */
export function ReleaseActions({ context, head }: { readonly context: string; readonly head: ReleaseHead }) {
  const { namespace, name } = head;
  if (connection.value === "over") return null;
  const redeploy = () => void askAbout(context, { type: "redeploy", namespace, name });
  const isInterrupted = isCarriedOn(head);
  return (
    <div class="actions" role="group" aria-label={`Actions on release ${name}`}>
      <button type="button" class={isInterrupted ? "button strong" : "button"} onClick={redeploy}>
        {isInterrupted ? "Carry on…" : "Redeploy…"}
      </button>
      <RollbackMenu context={context} head={head} />
    </div>
  );
}

/** The revisions that a release can go back to. */
function RollbackMenu({ context, head }: { readonly context: string; readonly head: ReleaseHead }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { namespace, name, revisions } = head;
  const targets = revisions.filter((revision) => isRolledBackTo(revision, revisions));
  if (targets.length === 0) return null;
  const close = () => {
    menu.current?.removeAttribute("open");
    menu.current?.querySelector("summary")?.focus();
  };
  const choose = (to: number) => {
    close();
    void askAbout(context, { type: "rollback", namespace, name, to });
  };
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };
  const closeOutside = (event: FocusEvent) => {
    if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget) === true))
      menu.current?.removeAttribute("open");
  };
  return (
    <details class="menu" ref={menu} onKeyDown={closeByKey} onFocusOut={closeOutside}>
      <summary class="button">Roll back…</summary>
      <ul>
        {targets.map((target) => (
          <li key={target.revision}>
            <button type="button" class="plain" onClick={() => choose(target.revision)}>
              <Target {...target} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Target({ revision, state, description, atMs }: RevisionOutline) {
  return (
    <>
      <span class="numeric">to revision {revision}</span>{" "}
      <span class="quiet">
        {state}, {description}
        {atMs === undefined ? null : (
          <>
            , <RelativeTime ms={atMs} />
          </>
        )}
      </span>
    </>
  );
}
