import { pathOf, type DeployedObjectItem, type DeploymentItem, type DryRunChangeItem } from "../../../src/dashboard/api/index.ts";
import { Nothing } from "../../component/nothing.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import type { ViewItems } from "../../stream/view-items.ts";

type Props = {
  readonly deployments: readonly DeploymentItem[];
  readonly objects: readonly DeployedObjectItem[];
  readonly changes: readonly DryRunChangeItem[];
  readonly items: ViewItems;
  readonly context: string;
};

/** Where the cluster differs from its profiles: what is missing there, and what dry runs would change. */
export function DriftSection({ deployments, objects, changes, items, context }: Props) {
  const missing = objects.filter(({ health }) => health === "missing");
  const repaired = deployments.filter(({ syncMode }) => syncMode === "ContinuousWithDriftDetection").length;
  return (
    <section aria-labelledby="drift-title">
      <div class="section-head">
        <h2 id="drift-title">Drift</h2>
        <span class="quiet">
          {repaired === 0
            ? "no profile here repairs drift by itself"
            : `${repaired} of ${deployments.length} profiles repair${repaired === 1 ? "s" : ""} drift at once`}
        </span>
      </div>
      {missing.length === 0 && changes.length === 0 ? (
        <Nothing items={items}>Nothing that was deployed is missing, and no dry run would change anything.</Nothing>
      ) : (
        <ul class="findings">
          {missing.map(({ kind, namespace, name, message = "" }) => (
            <li key={`${kind}/${namespace}/${name}`}>
              <div class="finding-head">
                <StateBadge state="failed" word="missing" />
                <b>
                  {kind} {namespace === "" ? name : `${namespace}/${name}`}
                </b>
              </div>
              <p>{message}</p>
            </li>
          ))}
          {changes.map((change) => (
            <Change key={`${change.profile.name}/${change.title}`} change={change} context={context} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Change({ change, context }: { readonly change: DryRunChangeItem; readonly context: string }) {
  const { action, title, profile, message = "" } = change;
  return (
    <li>
      <div class="finding-head">
        <StateBadge state="skipped" word={`would ${action.toLowerCase()}`} />
        <b>{title}</b>
        <a href={pathOf({ type: "profile", context, ...profile })}>{profile.name}</a>
      </div>
      {message === "" ? null : message.startsWith("--- ") ? <pre class="diff">{message}</pre> : <p>{message}</p>}
    </li>
  );
}
