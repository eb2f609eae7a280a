import { useComputed, useSignal } from "@preact/signals";
import {
  cellStates,
  pathOf,
  type ClusterIdentityAnswer,
  type ClusterView,
  type DeploymentItem,
  type FeatureOutline,
  type ReleaseOutline,
} from "../../../src/dashboard/api/index.ts";
import { Nothing } from "../../component/nothing.tsx";
import { StateBadge, StateShape } from "../../component/state-badge.tsx";
import { TriggerLink } from "../../component/trigger-link.tsx";
import { session } from "../../session.ts";
import { queryOf, setQuery } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { DeploymentDetail } from "./deployment-detail.tsx";

type Props = {
  readonly deployments: readonly DeploymentItem[];
  readonly view: ClusterView;
  readonly items: ViewItems;
  readonly isKnown: boolean;
};

/** The profiles of a cluster, those that fail first. Each opens to its features and releases. */
export function DeploymentTable({ deployments, view, items, isKnown }: Props) {
  const { context } = view;
  const uid = deployments.find(({ clusterUid }) => clusterUid !== undefined)?.clusterUid;
  const own = useSignal<string | undefined>(undefined);
  const open = queryOf("profile");
  const releasePath = useComputed(() => {
    const found = own.value;
    return found === undefined ? undefined : (release: ReleaseOutline) => pathOf({ type: "release", context: found, ...nameOf(release) });
  }).value;
  const hasReleases = deployments.some(({ releases }) => releases.length > 0);
  return (
    <section aria-labelledby="profiles-title">
      <div class="section-head">
        <h2 id="profiles-title">Profiles</h2>
        <span class="quiet numeric">{deployments.length}</span>
        {hasReleases && uid !== undefined ? <ContextFinder uid={uid} onFound={(name) => (own.value = name)} /> : null}
      </div>
      {deployments.length === 0 ? (
        <Nothing items={items}>{isKnown ? "No profile matches this cluster." : "Reading…"}</Nothing>
      ) : (
        <ul class="deployments">
          {deployments.toSorted(byUrgency).map((deployment, at) => {
            const { kind, namespace, name } = deployment.profile;
            const key = `${kind}/${namespace}/${name}`;
            const isOpen = open === key || (open === "" && at === 0 && deployment.state === "failed");
            return (
              <li key={key}>
                <div class="deployment-row">
                  <button
                    type="button"
                    class="plain"
                    aria-expanded={isOpen}
                    aria-label={`Details of ${name}`}
                    onClick={() => setQuery("profile", isOpen ? "none" : key)}
                  >
                    {isOpen ? "▾" : "▸"}
                  </button>
                  <StateBadge state={deployment.state} />
                  <a href={pathOf({ type: "profile", context, kind, namespace, name })}>{name}</a>
                  {deployment.trigger === undefined ? null : (
                    <span class="quiet">
                      made by <TriggerLink name={deployment.trigger} context={context} />
                    </span>
                  )}
                  <FeatureChips features={deployment.features} />
                  <span class="because quiet">{isOpen ? "" : (deployment.reason ?? "")}</span>
                </div>
                {isOpen ? (
                  <DeploymentDetail deployment={deployment} context={context} {...(releasePath === undefined ? {} : { releasePath })} />
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function nameOf({ namespace, name }: ReleaseOutline) {
  return { namespace, name };
}

/** How each feature is doing, in short. */
function FeatureChips({ features }: { readonly features: readonly FeatureOutline[] }) {
  return (
    <span class="feature-chips">
      {features.map(({ id, state, status }) => (
        <span key={id} class={`state state-${state}`} title={`${id}: ${status === "" ? "not deployed yet" : status}`}>
          <StateShape state={state} />
          <span class="quiet">{id}</span>
        </span>
      ))}
    </span>
  );
}

function byUrgency(a: DeploymentItem, b: DeploymentItem): number {
  return cellStates.indexOf(a.state) - cellStates.indexOf(b.state) || a.profile.name.localeCompare(b.profile.name);
}

/** Asks the contexts of the visitor which of them is this cluster, so that its releases can be shown. */
function ContextFinder({ uid, onFound }: { readonly uid: string; readonly onFound: (context: string) => void }) {
  const word = useSignal("");
  const info = session.value;
  const contexts = info?.signedIn === true ? info.contexts : [];
  const find = async () => {
    word.value = "Asking…";
    const answers = await Promise.all(contexts.map(({ name }) => identityOf(name)));
    const found = contexts[answers.indexOf(uid)]?.name;
    word.value = found === undefined ? "None of your contexts is this cluster." : `Releases lead to context ${found}.`;
    if (found !== undefined) onFound(found);
  };
  return (
    <span class="context-finder">
      <button type="button" class="button" onClick={() => void find()}>
        Find it among my contexts
      </button>
      <span class="quiet" aria-live="polite">
        {word.value}
      </span>
    </span>
  );
}

async function identityOf(context: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/api/c/${encodeURIComponent(context)}/identity`);
    return response.ok ? ((await response.json()) as ClusterIdentityAnswer).uid : undefined;
  } catch {
    return undefined;
  }
}
