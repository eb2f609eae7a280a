import { useMemo, useRef } from "preact/hooks";
import type { ReleaseHead, ReleaseView } from "../../../src/dashboard/api/index.ts";
import { Graph } from "../../graph/index.ts";
import { queryOf, setQuery } from "../../location.ts";
import { TimelineChart, durationText } from "../../timeline/index.ts";
import { criticalNodes, graphEdgeOf, graphNodeOf, nodesByObject } from "./graph-content.ts";
import { ObjectPanel } from "./object-panel.tsx";
import { stages } from "./plan-order.ts";
import { releaseCommands } from "./release-commands.ts";
import { ReplayBar } from "./replay-bar.tsx";
import { nodesAt } from "./shown-states.ts";
import { timelineRowsOf } from "./timeline-rows.ts";
import type { ReleaseContent } from "./use-release-content.ts";
import { useReplay } from "./use-replay.ts";
import { useRunTime } from "./use-run-time.ts";
import { shownChain } from "./wait-chain.ts";
import { withWaits } from "./with-waits.ts";
import { WaitingPanel } from "./waiting-panel.tsx";

type ReleaseRunProps = {
  readonly view: ReleaseView;
  readonly head: ReleaseHead;
  readonly content: ReleaseContent;
  /** The context for commands; empty when the visitor's kubeconfig has another one. */
  readonly context: string;
};

/** The plan of a revision as a graph, and its time below: as it is now, or as it was at a time of its recording. */
export function ReleaseRun({ view, head, content, context }: ReleaseRunProps) {
  const { edges, rows } = content;
  const graph = useRef<HTMLElement>(null);
  const control = useReplay(view, head);
  const { replay, atMs } = control;
  const isReplayed = replay !== undefined && atMs !== undefined;
  const timeline = useMemo(() => (isReplayed ? pathUntil(content.timeline, atMs) : content.timeline), [content.timeline, isReplayed, atMs]);
  const { nodes, chains } = useMemo(() => {
    if (isReplayed) return withWaits(nodesAt(replay, atMs, content.nodes, edges), edges);
    return head.isLatest ? content : withWaits(content.nodes, edges);
  }, [replay, atMs, content, head.isLatest]);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const byObject = useMemo(() => nodesByObject(nodes), [nodes]);
  const [selected, cause] = [queryOf("object"), queryOf("cause")];
  const chain = shownChain(chains, byId, { selected, cause });
  const criticalPath = useMemo(() => criticalNodes(timeline, byObject), [timeline, byObject]);
  const time = useRunTime(timeline, isReplayed ? atMs : undefined);
  const node = byId.get(selected);
  const choice = node === undefined ? {} : { selected };
  const shared = { ...choice, criticalPath, onSelect: select };
  const graphNodes = useMemo(() => nodes.map((each) => graphNodeOf(each, view.namespace)), [nodes]);
  const graphEdges = useMemo(() => edges.map(graphEdgeOf), [edges]);
  const isRunning = timeline?.isRunning === true;
  const timelineRows = useMemo(
    () => timelineRowsOf(nodes, rows, { isRunning, ...(isReplayed ? { untilMs: atMs } : {}) }),
    [nodes, rows, isRunning, isReplayed, atMs],
  );
  const name = `${view.name}, revision ${head.revision}`;
  const revealed = node !== undefined ? { revealed: selected } : byId.has(cause) ? { revealed: cause } : {};
  return (
    <div class={byId.get(chain.at(-1) ?? "")?.state === "failed" ? "release-run is-failing" : "release-run"}>
      <section class="release-graph" aria-label="Plan" ref={graph}>
        <Graph label={`Plan of ${name}`} nodes={graphNodes} edges={graphEdges} stages={stages} chain={chain} {...revealed} {...shared} />
      </section>
      {node === undefined ? (
        <WaitingPanel
          nodes={nodes}
          byId={byId}
          byObject={byObject}
          chains={chains}
          cause={chain.at(-1)}
          timeline={timeline}
          commands={releaseCommands(view.name, head.revision, { context, namespace: view.namespace })}
          onChoose={(id) => setQuery("cause", id)}
          onSelect={select}
        />
      ) : (
        <ObjectPanel
          key={node.id}
          view={view}
          head={head}
          node={node}
          context={context}
          isReplayed={isReplayed}
          titleOf={(id) => byId.get(id)?.title ?? id}
          onSelect={(id) => {
            select(id);
            // The panel is gone, and with it the focus.
            if (id === undefined) graph.current?.querySelector<HTMLElement>("[role=listbox]")?.focus();
          }}
        />
      )}
      <section class="release-timeline" aria-labelledby="timeline-title">
        <div class="section-head">
          <h2 id="timeline-title">Timeline</h2>
          <span class="quiet">{timelineText(content, time.nowMs)}</span>
          <ReplayBar head={head} control={control} isRunning={isRunning} />
        </div>
        <TimelineChart label={`Timeline of ${name}`} rows={timelineRows} {...time} {...shared} />
      </section>
    </div>
  );
}

/** What the end has waited for, as far as it had begun by a time. */
function pathUntil(timeline: ReleaseContent["timeline"], ms: number): ReleaseContent["timeline"] {
  return timeline === undefined ? undefined : { ...timeline, criticalPath: timeline.criticalPath.filter(({ fromMs }) => fromMs <= ms) };
}

/** The address has the selection, so that a link shows the same. */
function select(id: string | undefined): void {
  setQuery("object", id);
}

function timelineText({ timeline }: ReleaseContent, nowMs: number | undefined): string {
  if (timeline === undefined) return "";
  const { status, lengthMs, isRunning, runs, leftOut } = timeline;
  const parts = [
    isRunning ? `runs since ${durationText(nowMs ?? lengthMs)}` : `${status} in ${durationText(lengthMs)}`,
    ...(runs.length > 1 ? [`${runs.length} runs`] : []),
    ...(leftOut.length > 0 ? [`left out: ${leftOut.join(", ")}`] : []),
  ];
  return parts.join(" · ");
}
