import type { ClusterHeadItem, ClusterView } from "../../../src/dashboard/api/index.ts";
import { RedeployButton } from "../../action/redeploy-button.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { clusterWords } from "../fleet/cluster-words.ts";
import { Labels } from "./labels.tsx";

/** What the cluster is, and whether it can be reached. */
export function ClusterHead({ view, head }: { readonly view: ClusterView; readonly head: ClusterHeadItem | undefined }) {
  return (
    <header class="fleet-head">
      <h1>
        <span class="quiet">{view.kind}</span> {view.namespace}/{view.name}
      </h1>
      {head === undefined ? null : (
        <>
          <StateBadge
            state={head.isDeleting ? "progressing" : head.state}
            word={head.isDeleting ? "being deleted" : clusterWords[head.state]}
          />
          <ul class="head-facts">
            {head.version === undefined ? null : <li>Kubernetes {head.version}</li>}
            {head.downSinceMs === undefined ? null : (
              <li>
                down since <RelativeTime ms={head.downSinceMs} />
              </li>
            )}
            {head.registeredAtMs === undefined ? null : (
              <li>
                registered <RelativeTime ms={head.registeredAtMs} />
              </li>
            )}
            {head.agent === undefined ? null : <li>agent {head.agent}</li>}
          </ul>
          <RedeployButton
            context={view.context}
            request={{ type: "redeploy-cluster", kind: view.kind, namespace: view.namespace, name: view.name }}
          />
          <Labels labels={head.labels} />
          {head.message === undefined ? null : <p class="reason">{head.message}</p>}
        </>
      )}
    </header>
  );
}
