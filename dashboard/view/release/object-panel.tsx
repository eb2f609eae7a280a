import type { ObjectDetail, ReleaseHead, ReleaseNode, ReleaseView } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { visible } from "../../graph/shorten.ts";
import { ConditionList, EventList, LogList } from "./object-lists.tsx";
import { DiffText, PlainText } from "./plain-text.tsx";
import { objectCommands } from "./release-commands.ts";
import { objectPath } from "./request-path.ts";
import { useRequest } from "./use-request.ts";

type ObjectPanelProps = {
  readonly view: ReleaseView;
  readonly head: ReleaseHead;
  readonly node: ReleaseNode;
  /** The context for commands; empty when the visitor's kubeconfig has another one. */
  readonly context: string;
  /** The time of a replay is shown: the live object is another. */
  readonly isReplayed: boolean;
  readonly titleOf: (id: string) => string;
  readonly onSelect: (id: string | undefined) => void;
};

/** All about one object. It is asked for again when its item changes. */
export function ObjectPanel({ view, head, node, context, isReplayed, titleOf, onSelect }: ObjectPanelProps) {
  const { ref, title, because, waitsFor } = node;
  const version = isReplayed ? undefined : JSON.stringify(node);
  const { content, problem } = useRequest<ObjectDetail>(ref === undefined ? undefined : objectPath(view, ref, head.revision), version);
  return (
    <aside
      class="release-panel is-object"
      aria-label={`About ${visible(title)}`}
      onKeyDown={({ key }) => (key === "Escape" ? onSelect(undefined) : undefined)}
    >
      <div class="panel-head">
        <h2>{visible(title)}</h2>
        <button type="button" class="plain" aria-label="Close" title="Close (Escape)" onClick={() => onSelect(undefined)}>
          ✕
        </button>
      </div>
      <p class="quiet panel-kind">{kindText(node, view.namespace)}</p>
      <StateBadge state={node.state} />
      {because === undefined ? null : <p class="because">{visible(because)}</p>}
      {waitsFor === undefined ? null : (
        <p>
          Waits for{" "}
          <button type="button" class="link" onClick={() => onSelect(waitsFor.id)}>
            {visible(titleOf(waitsFor.id))}
          </button>
          <span class="quiet"> {visible(waitsFor.because)}</span>
        </p>
      )}
      {problem === undefined ? null : <p class="notice bad">{visible(problem)}</p>}
      {isReplayed || !head.isLatest ? <p class="notice">What follows is how it is now.</p> : null}
      {ref === undefined ? null : content === undefined ? (
        <p class="quiet">{problem === undefined ? "Reading…" : ""}</p>
      ) : (
        <Detail detail={content} node={node} />
      )}
      {ref === undefined ? null : (
        <details open>
          <summary>Commands</summary>
          {objectCommands(view.name, ref, content?.logs ?? [], { context, namespace: view.namespace }).map((command) => (
            <CopyCommand key={command} command={command} />
          ))}
        </details>
      )}
    </aside>
  );
}

function kindText({ ref, stage, rank, hook, role, change }: ReleaseNode, home: string): string {
  const parts = [
    ref === undefined ? "all before it have to pass" : ref.kind,
    ref === undefined || ref.namespace === "" || ref.namespace === home ? "" : `in ${ref.namespace}`,
    hook === true ? "hook" : "",
    role === "external" ? "not of this release" : role === "removal" ? "removed" : "",
    `stage ${stage}`,
    `rank ${rank}`,
    change ?? "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function Detail({ detail, node }: { readonly detail: ObjectDetail; readonly node: ReleaseNode }) {
  const { health, createdAtMs, conditions, events, logs, diff, yaml, notices } = detail;
  const isOtherwise = health.because !== undefined && health.because !== node.because;
  return (
    <>
      <p class="health">
        Health: <StateBadge state={health.state} />
        {isOtherwise ? <span>: {visible(health.because!)}</span> : null}
        {createdAtMs === undefined ? null : (
          <span class="quiet">
            , created <RelativeTime ms={createdAtMs} />
          </span>
        )}
      </p>
      {notices.map((text) => (
        <p key={text} class="notice">
          {visible(text)}
        </p>
      ))}
      <LogList logs={logs} />
      <EventList events={events} />
      <ConditionList conditions={conditions} />
      {diff === undefined ? null : (
        <details open={diff.change !== "unchanged" && diff.change !== "created"}>
          <summary>
            Against revision {diff.before}: {diff.change}
          </summary>
          {diff.lines.length === 0 ? (
            <p class="quiet">The manifest is the same.</p>
          ) : (
            <DiffText lines={diff.lines} label={`Against revision ${diff.before}`} />
          )}
        </details>
      )}
      {yaml === undefined ? null : (
        <details>
          <summary>YAML</summary>
          <PlainText lines={yaml.trimEnd().split("\n")} label="YAML" />
        </details>
      )}
    </>
  );
}
