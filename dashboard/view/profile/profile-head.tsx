import type { ProfileHeadItem, ProfileView } from "../../../src/dashboard/api/index.ts";
import { RedeployButton } from "../../action/redeploy-button.tsx";
import { ListTable } from "../../component/list-table.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { TriggerLink } from "../../component/trigger-link.tsx";
import { Labels } from "../cluster/labels.tsx";

/** What the profile is, which clusters it selects, and what is wrong with it. */
export function ProfileHead({ view, head }: { readonly view: ProfileView; readonly head: ProfileHeadItem | undefined }) {
  return (
    <header class="fleet-head">
      <h1>
        <span class="quiet">{view.kind}</span> {view.namespace === "" ? view.name : `${view.namespace}/${view.name}`}
      </h1>
      {head === undefined ? null : (
        <>
          {head.isDeleting ? <StateBadge state="progressing" word="being deleted" /> : null}
          {head.isPaused ? <StateBadge state="skipped" word="paused" /> : null}
          <ul class="head-facts">
            <li>{head.syncMode}</li>
            {head.createdAtMs === undefined ? null : (
              <li>
                created <RelativeTime ms={head.createdAtMs} />
              </li>
            )}
            {head.trigger === undefined ? null : (
              <li>
                made by <TriggerLink name={head.trigger} context={view.context} />
              </li>
            )}
          </ul>
          <RedeployButton
            context={view.context}
            request={{ type: "redeploy-profile", kind: view.kind, namespace: view.namespace, name: view.name }}
          />
          <Labels labels={head.labels} />
          {head.message === undefined ? null : <p class="reason bad">{head.message}</p>}
        </>
      )}
    </header>
  );
}

/** How the profile chooses clusters and what it does there. */
export function ProfileFacts({ head }: { readonly head: ProfileHeadItem }) {
  const selected = [...(head.selector === "" ? [] : [head.selector]), ...head.references];
  return (
    <section aria-labelledby="facts-title">
      <div class="section-head">
        <h2 id="facts-title">Settings</h2>
      </div>
      <dl class="facts framed">
        <dt>Clusters</dt>
        <dd>{selected.length === 0 ? "it selects none" : selected.map((text) => <code key={text}>{text}</code>)}</dd>
        <dt>Sync mode</dt>
        <dd>{head.syncMode}</dd>
        <dt>maxUpdate</dt>
        <dd>{head.maxUpdate ?? "all at once"}</dd>
        <dt>Tier</dt>
        <dd class="numeric">{head.tier}</dd>
        <dt>Without a match</dt>
        <dd>{head.stopMatchingBehavior === "LeavePolicies" ? "what it has deployed stays" : "what it has deployed is withdrawn"}</dd>
        <dt>On a conflict</dt>
        <dd>{head.continueOnConflict ? "the rest is deployed" : "it stops"}</dd>
      </dl>
      {head.conditions.length === 0 ? null : (
        <ListTable label="Conditions" class="conditions" columns={["Condition", "Status", "Reason", "Since", "Message"]}>
          {head.conditions.map(({ type, status, reason, atMs, message }) => (
            <tr key={type}>
              <td>{type}</td>
              <td>{status}</td>
              <td>{reason}</td>
              <td class="quiet nowrap">{atMs === undefined ? "" : <RelativeTime ms={atMs} />}</td>
              <td class="message">{message}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  );
}
