import { commandContext } from "../../component/command-context.ts";
import type { EventMatch, EventNodeItem, EventsView } from "../../../src/dashboard/api/index.ts";
import { pathOf } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { Candidates } from "./candidates.tsx";
import { commandsFor } from "./event-commands.ts";
import { nameOf } from "./object-text.ts";
import { ScriptFailures } from "./script-failures.tsx";

type Props = {
  readonly node: EventNodeItem | undefined;
  /** Nobody has chosen it: it is shown because it holds up the rest. */
  readonly isFirstCause: boolean;
  readonly view: EventsView;
};

/** What is known of a step of a flow. */
export function NodeDetails({ node, isFirstCause, view }: Props) {
  if (node === undefined) return null;
  const { step, title, state, word, because, ref, sinceMs, failures, source, cluster } = node;
  return (
    <aside class="flow-details" aria-label="Details">
      {isFirstCause ? <p class="quiet">The first that fails</p> : null}
      <h2>{ref === undefined ? title : `${ref.kind} ${ref.name}`}</h2>
      <p class="detail-state">
        <StateBadge state={state} {...(word === undefined ? {} : { word })} />
        {ref === undefined || ref.namespace === "" ? null : <span class="quiet">in {ref.namespace}</span>}
        {sinceMs === undefined ? null : (
          <span class="quiet">
            {sinceTexts[step] ?? "since"} <RelativeTime ms={sinceMs} />
          </span>
        )}
      </p>
      {because === undefined ? null : <p class="detail-because">{because}</p>}
      {failures === undefined ? null : <ScriptFailures failures={failures} />}
      {step === "EventReport" ? <Matches node={node} /> : null}
      {step === "EventReport" && source !== undefined && cluster !== undefined ? (
        <Candidates key={`${source} ${cluster.name}`} context={view.context} source={source} cluster={cluster} />
      ) : null}
      <Links node={node} context={view.context} />
      {commandsFor(node, { ...view, context: commandContext(view.context) }).map((command) => (
        <CopyCommand key={command} command={command} />
      ))}
    </aside>
  );
}

const sinceTexts: Partial<Record<EventNodeItem["step"], string>> = {
  EventReport: "changed",
  Profile: "made",
  ClusterSummary: "deployed",
};

function Links({ node, context }: { readonly node: EventNodeItem; readonly context: string }) {
  const { step, ref, cluster } = node;
  if (step === "Profile" && ref !== undefined && (ref.kind === "ClusterProfile" || ref.kind === "Profile"))
    return (
      <p>
        <a href={pathOf({ type: "profile", context, kind: ref.kind, namespace: ref.namespace, name: ref.name })}>
          The profile over all clusters
        </a>
      </p>
    );
  if (cluster === undefined) return null;
  return (
    <p>
      <a href={pathOf({ type: "cluster", context, ...cluster })}>
        Cluster {cluster.namespace}/{cluster.name}
      </a>
    </p>
  );
}

/** So many matches are named. */
const maxShown = 12;

/** What matches, the latest first. */
function Matches({ node }: { readonly node: EventNodeItem }) {
  const { matches = [], count = 0 } = node;
  if (count === 0) return <p class="quiet">No object matches in the cluster now.</p>;
  return (
    <>
      <h3>Matches</h3>
      <ul class="matches">
        {matches.slice(0, maxShown).map((match) => (
          <MatchRow key={nameOf(match.ref)} match={match} />
        ))}
      </ul>
      {count > maxShown ? <p class="quiet">and {count - Math.min(maxShown, matches.length)} more</p> : null}
    </>
  );
}

function MatchRow({ match: { ref, sinceMs } }: { readonly match: EventMatch }) {
  return (
    <li>
      <span class="mono">{nameOf(ref)}</span>
      {sinceMs === undefined ? null : (
        <span class="quiet">
          <RelativeTime ms={sinceMs} />
        </span>
      )}
    </li>
  );
}
