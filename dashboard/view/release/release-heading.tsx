import type { ComponentChildren } from "preact";
import type { ReleaseHead, ReleaseView } from "../../../src/dashboard/api/index.ts";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { visible } from "../../graph/shorten.ts";
import { RevisionMenu } from "./revision-menu.tsx";

type ReleaseHeadingProps = {
  readonly view: ReleaseView;
  readonly head: ReleaseHead;
  /** What can be done with the release. */
  readonly children?: ComponentChildren;
};

/** Which release is shown, how it is, who works on it, and its other revisions. */
export function ReleaseHeading({ view, head, children }: ReleaseHeadingProps) {
  const { name, namespace, state, status, description, chart } = head;
  return (
    <header class="release-heading">
      <div class="release-title">
        <h1>{name}</h1>
        <span class="quiet">in {namespace}</span>
        <RevisionMenu view={view} head={head} />
        {chart === undefined ? null : <span class="quiet">{chart}</span>}
        {/* It comes last: its words differ in length. */}
        <span role="status">
          <StateBadge state={status} word={state} />
        </span>
      </div>
      <div class="release-actions">{children}</div>
      <p class="release-description quiet" title={visible(description)}>
        <span>{visible(description)}</span>
        <Holder head={head} />
      </p>
    </header>
  );
}

function Holder({ head: { holder } }: { readonly head: ReleaseHead }) {
  if (holder === undefined) return null;
  const { name, sinceMs, isSilent } = holder;
  return (
    <span class={isSilent ? "state-failed" : "quiet"} title={`The Lease of the release is held by ${visible(name)}`}>
      {isSilent ? "not heard of: " : "at work: "}
      {visible(name)}, began <RelativeTime ms={sinceMs} />
    </span>
  );
}
