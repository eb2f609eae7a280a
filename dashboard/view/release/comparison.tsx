import { pathOf, type ObjectTimes, type ReleaseHead, type ReleaseView, type RevisionComparison } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { goTo } from "../../location.ts";
import { visible } from "../../graph/shorten.ts";
import { durationText } from "../../timeline/index.ts";
import { objectKey } from "./graph-content.ts";
import { DiffText } from "./plain-text.tsx";
import { comparisonCommands } from "./release-commands.ts";
import { requestPath } from "./request-path.ts";
import { useRequest } from "./use-request.ts";

type ComparisonProps = { readonly view: ReleaseView; readonly head: ReleaseHead; readonly other: number; readonly context: string };

/** Two revisions beside each other: what has changed in their objects, and what took longer or shorter. */
export function Comparison({ view, head, other, context }: ComparisonProps) {
  const { namespace, name } = view;
  const [before, after] = [Math.min(other, head.revision), Math.max(other, head.revision)];
  const { content, problem } = useRequest<RevisionComparison>(requestPath("comparison", view, { namespace, name, before, after }));
  return (
    <section class="comparison" aria-label={`Revision ${before} beside revision ${after}`}>
      <div class="section-head">
        <h2>
          Revision {before} → {after}
        </h2>
        <OtherRevision view={view} head={head} other={other} />
        <a href={pathOf(view)}>Back to the graph</a>
      </div>
      {problem === undefined ? null : <p class="notice bad">{visible(problem)}</p>}
      {content === undefined ? <p class="quiet">{problem === undefined ? "Reading…" : ""}</p> : <Compared comparison={content} />}
      {comparisonCommands(name, before, after, { context, namespace }).map((command) => (
        <CopyCommand key={command} command={command} />
      ))}
    </section>
  );
}

function OtherRevision({ view, head, other }: Omit<ComparisonProps, "context">) {
  return (
    <label class="quiet">
      beside{" "}
      <select
        class="field"
        value={String(other)}
        onChange={({ currentTarget }) => goTo(`${pathOf(view)}?compare=${currentTarget.value}`, { replace: true })}
      >
        {head.revisions
          .filter(({ revision }) => revision !== head.revision)
          .map(({ revision, state }) => (
            <option key={revision} value={String(revision)}>
              revision {revision} ({state})
            </option>
          ))}
      </select>
    </label>
  );
}

/** More changed objects are told by their names first. */
const shownOpen = 12;
const signs = { created: "+", updated: "~", deleted: "−", unchanged: "=" } as const;

function Compared({ comparison }: { readonly comparison: RevisionComparison }) {
  const { before, after, objects, times, notices } = comparison;
  return (
    <>
      {notices.map((text) => (
        <p key={text} class="notice">
          {visible(text)}
        </p>
      ))}
      <div class="comparison-parts">
        <section aria-labelledby="objects-title">
          <h3 id="objects-title">Objects: {objects.length === 0 ? "no difference" : `${objects.length} changed`}</h3>
          {objects.map(({ ref, change, lines }) => (
            <details key={objectKey(ref)} open={objects.length <= shownOpen}>
              <summary>
                <span class={`change is-${change}`}>
                  {signs[change]} {change}
                </span>{" "}
                {visible(`${ref.kind.toLowerCase()}/${ref.name}`)}
              </summary>
              <DiffText lines={lines} label={`${ref.kind} ${ref.name}: revision ${before} beside ${after}`} />
            </details>
          ))}
        </section>
        {times === undefined ? null : <Times times={times} before={before} after={after} />}
      </div>
    </>
  );
}

type TimesProps = { readonly times: NonNullable<RevisionComparison["times"]>; readonly before: number; readonly after: number };

function Times({ times, before, after }: TimesProps) {
  const { beforeMs, afterMs, slower, faster, added, removed } = times;
  const longestMs = Math.max(1, ...[...slower, ...faster, ...added, ...removed].flatMap((each) => [each.beforeMs, each.afterMs]));
  const groups = [
    ["slower", slower],
    ["faster", faster],
    ["only in the later one", added],
    ["only in the earlier one", removed],
  ] as const;
  return (
    <section aria-labelledby="times-title">
      <h3 id="times-title">
        Time: {durationText(beforeMs)} → {durationText(afterMs)}
      </h3>
      <div class="table-frame" tabIndex={0} role="region" aria-labelledby="times-title">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Object</th>
              <th scope="col">Revision {before}</th>
              <th scope="col">Revision {after}</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {groups.flatMap(([word, rows]) =>
              rows.map((row) => <TimesRow key={`${word} ${objectKey(row.ref)}`} row={row} word={word} longestMs={longestMs} />),
            )}
          </tbody>
        </table>
        {groups.every(([, rows]) => rows.length === 0) ? <p class="more quiet">No object took half a second more or less.</p> : null}
      </div>
    </section>
  );
}

function TimesRow({ row, word, longestMs }: { readonly row: ObjectTimes; readonly word: string; readonly longestMs: number }) {
  const { ref, beforeMs, afterMs, because = "" } = row;
  const isOnlyLater = word === "only in the later one";
  const isOnlyEarlier = word === "only in the earlier one";
  return (
    <tr>
      <td>{visible(`${ref.kind.toLowerCase()}/${ref.name}`)}</td>
      <td>{isOnlyLater ? "" : <Length ms={beforeMs} longestMs={longestMs} />}</td>
      <td>{isOnlyEarlier ? "" : <Length ms={afterMs} longestMs={longestMs} />}</td>
      <td class="quiet">{visible([word, because].filter((part) => part !== "").join(": "))}</td>
    </tr>
  );
}

function Length({ ms, longestMs }: { readonly ms: number; readonly longestMs: number }) {
  return (
    <span class="length numeric">
      <span style={{ width: `${(ms / longestMs) * 4}rem` }} />
      {durationText(ms)}
    </span>
  );
}
