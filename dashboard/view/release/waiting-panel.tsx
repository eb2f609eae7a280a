import type { NodeState, ReleaseChain, ReleaseNode, ReleaseTimeline } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { StateBadge, StateShape } from "../../component/state-badge.tsx";
import { visible } from "../../graph/shorten.ts";
import { durationText } from "../../timeline/index.ts";
import { objectKey } from "./graph-content.ts";

type WaitingPanelProps = {
  readonly nodes: readonly ReleaseNode[];
  readonly byId: ReadonlyMap<string, ReleaseNode>;
  readonly byObject: ReadonlyMap<string, readonly ReleaseNode[]>;
  readonly chains: readonly ReleaseChain[];
  /** The cause whose chain is drawn. */
  readonly cause: string | undefined;
  readonly timeline: ReleaseTimeline | undefined;
  readonly commands: readonly string[];
  readonly onChoose: (cause: string) => void;
  readonly onSelect: (id: string) => void;
};

/** What a release waits for: how many objects are in which state, the first causes, and what has taken the time. */
export function WaitingPanel(props: WaitingPanelProps) {
  return (
    <aside class="release-panel" aria-label="What it waits for">
      <StateCounts nodes={props.nodes} />
      <FirstCauses {...props} />
      <CriticalPath {...props} />
      <section class="panel-commands" aria-label="Commands">
        <h2>Commands</h2>
        {props.commands.map((command) => (
          <CopyCommand key={command} command={command} />
        ))}
      </section>
    </aside>
  );
}

const states: readonly NodeState[] = ["failed", "progressing", "waiting", "skipped", "gone", "ready"];

function StateCounts({ nodes }: { readonly nodes: readonly ReleaseNode[] }) {
  const counts = Map.groupBy(
    nodes.filter(({ ref }) => ref !== undefined),
    ({ state }) => state,
  );
  return (
    <ul class="state-counts" aria-label="Objects by state">
      {states.map((state) => {
        const count = counts.get(state)?.length ?? 0;
        return count === 0 ? null : (
          <li key={state}>
            <StateBadge state={state} word={`${count} ${state}`} />
          </li>
        );
      })}
    </ul>
  );
}

function FirstCauses({ chains, byId, cause, onChoose, onSelect }: WaitingPanelProps) {
  return (
    <section class="first-causes" aria-labelledby="causes-title">
      <h2 id="causes-title">First causes</h2>
      {chains.length === 0 ? <p class="quiet">Nothing is held up.</p> : null}
      <ul class="causes">
        {chains.map((chain) => (
          <li key={chain.cause} class={chain.cause === cause ? "is-chosen" : ""}>
            <button type="button" class="cause" aria-pressed={chain.cause === cause} onClick={() => onChoose(chain.cause)}>
              <CauseTitle node={byId.get(chain.cause)} id={chain.cause} />
              <span class="numeric">{waitText(chain.blocked)}</span>
              <span class="cause-reason">{visible(chain.because)}</span>
            </button>
            {chain.cause === cause ? <ChainSteps chain={chain} byId={byId} onSelect={onSelect} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function waitText(count: number): string {
  return count === 1 ? "1 object waits" : `${count} objects wait`;
}

function CauseTitle({ node, id }: { readonly node: ReleaseNode | undefined; readonly id: string }) {
  return (
    <b class={`state-${node?.state ?? "waiting"}`}>
      <StateShape state={node?.state ?? "waiting"} /> <span>{visible(node?.title ?? id)}</span>
    </b>
  );
}

type ChainStepsProps = {
  readonly chain: ReleaseChain;
  readonly byId: ReadonlyMap<string, ReleaseNode>;
  readonly onSelect: (id: string) => void;
};

/** Longer chains are drawn, not told. */
const maxSteps = 12;

/** The way from what waits to the cause. */
function ChainSteps({ chain, byId, onSelect }: ChainStepsProps) {
  return (
    <ol class="chain-steps" aria-label="From what waits to the first cause">
      {chain.nodes.slice(-maxSteps).map((id) => (
        <li key={id}>
          <button type="button" class="link" onClick={() => onSelect(id)}>
            {visible(byId.get(id)?.title ?? id)}
          </button>
        </li>
      ))}
    </ol>
  );
}

function CriticalPath({ timeline, byObject, onSelect }: WaitingPanelProps) {
  // The records of the release are on the path too, and are no objects of the plan.
  const path = (timeline?.criticalPath ?? []).filter(({ ref }) => byObject.has(objectKey(ref)));
  if (timeline === undefined || path.length === 0) return null;
  return (
    <section aria-labelledby="path-title">
      <h2 id="path-title">{timeline.isRunning ? "Critical path so far" : "Critical path"}</h2>
      <ol class="critical-path">
        {path.map(({ ref, fromMs, toMs, because, after }, at) => {
          const node = byObject.get(objectKey(ref))![0]!;
          return (
            <li key={at}>
              <span class="numeric">{durationText(toMs - fromMs)}</span>
              <span>
                <button type="button" class="link" onClick={() => onSelect(node.id)}>
                  {visible(`${ref.kind.toLowerCase()}/${ref.name}`)}
                </button>
                <span class="quiet">
                  {visible([after === undefined ? "" : ` after ${after}`, because ?? ""].filter((part) => part !== "").join(": "))}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
