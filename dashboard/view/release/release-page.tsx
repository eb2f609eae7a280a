import { useEffect, useMemo } from "preact/hooks";
import { pathOf, type ReleaseHead, type ReleaseView } from "../../../src/dashboard/api/index.ts";
import { ReleaseActions } from "../../action/release-actions.tsx";
import { Notices } from "../../component/notices.tsx";
import { queryOf } from "../../location.ts";
import { commandContext } from "../../component/command-context.ts";
import { openViews } from "../../stream/view-stream.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { Comparison } from "./comparison.tsx";
import { ReleaseHeading } from "./release-heading.tsx";
import { ReleaseRun } from "./release-run.tsx";
import { useReleaseContent } from "./use-release-content.ts";

/** One release: its plan as a live graph, what it waits for, its timeline, and its other revisions. */
export function ReleasePage({ view }: { readonly view: ReleaseView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const content = useReleaseContent(items);
  const { head } = content;
  useTitle(view, head);
  const context = commandContext(view.context);
  const other = useMemo(() => Number(queryOf("compare")), [queryOf("compare")]);
  return (
    <div class="release">
      <Notices items={items} />
      {head === undefined ? (
        <NoRelease view={view} items={items} />
      ) : (
        <>
          <ReleaseHeading view={view} head={head}>
            <ReleaseActions context={view.context} head={head} />
          </ReleaseHeading>
          {Number.isInteger(other) && other > 0 ? (
            <Comparison view={view} head={head} other={other} context={context} />
          ) : (
            <ReleaseRun view={view} head={head} content={content} context={context} />
          )}
        </>
      )}
    </div>
  );
}

function NoRelease({ view, items }: { readonly view: ReleaseView; readonly items: ViewItems }) {
  const isTold = items.notices.value.length > 0;
  return (
    <div class="empty">
      <h1>{view.name}</h1>
      <p>{isTold ? "Nothing can be shown of it." : "Reading…"}</p>
    </div>
  );
}

function useTitle({ name }: ReleaseView, head: ReleaseHead | undefined): void {
  useEffect(() => {
    document.title = `${name}${head === undefined ? "" : ` · ${head.state}`} · Sluice`;
    return () => void (document.title = "Sluice");
  }, [name, head?.state]);
}
