import { useRef } from "preact/hooks";
import { pathOf, type ReleaseHead, type ReleaseView, type RevisionOutline } from "../../../src/dashboard/api/index.ts";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { visible } from "../../graph/shorten.ts";
import { stateOf } from "../overview/release-order.ts";

/** The revisions of a release, each with its own address, and each beside the one that is shown. */
export function RevisionMenu({ view, head }: { readonly view: ReleaseView; readonly head: ReleaseHead }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || menu.current?.open !== true) return;
    close();
    menu.current.querySelector("summary")?.focus();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) === false) close();
  };
  return (
    <details class="revision-menu" ref={menu} onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <summary>
        revision {head.revision}
        {head.isLatest ? "" : ` of ${head.revisions[0]?.revision ?? "?"}`}
      </summary>
      <ul onClick={close}>
        {head.revisions.map((outline) => (
          <Revision key={outline.revision} view={view} head={head} outline={outline} />
        ))}
      </ul>
    </details>
  );
}

type RevisionProps = { readonly view: ReleaseView; readonly head: ReleaseHead; readonly outline: RevisionOutline };

function Revision({ view, head, outline }: RevisionProps) {
  const { revision, state, description, atMs, isRecorded } = outline;
  const isShown = revision === head.revision;
  const { revision: _shown, ...latest } = view;
  const path = pathOf(revision === head.revisions[0]?.revision ? latest : { ...view, revision });
  const badge = stateOf(outline);
  return (
    <li>
      <a href={path} {...(isShown ? { "aria-current": "page" as const } : {})}>
        <b class="numeric">{revision}</b>
        <StateBadge state={badge} word={state} />
        <span class="quiet">{atMs === undefined ? "" : <RelativeTime ms={atMs} />}</span>
        <span class="quiet">{isRecorded ? "recorded" : ""}</span>
        <span class="quiet revision-description">{visible(description)}</span>
      </a>
      {isShown ? null : (
        <a href={`${pathOf({ ...view, revision: head.revision })}?compare=${revision}`} aria-label={`Compare with revision ${revision}`}>
          compare
        </a>
      )}
    </li>
  );
}
