import type { DeploymentItem, FeatureOutline, ReleaseOutline } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { TriggerLink } from "../../component/trigger-link.tsx";
import { contextFlag } from "../../component/command-context.ts";
import { shellWord } from "../../component/shell-word.ts";

type Props = {
  readonly deployment: DeploymentItem;
  readonly context: string;
  /** The reason is shown already. */
  readonly isReasonKnown?: boolean;
  /** The path of a release's page; absent when none is known. */
  readonly releasePath?: (release: ReleaseOutline) => string;
};

/** A profile in a cluster: each of its features, its releases, and commands that say more. */
export function DeploymentDetail({ deployment, context, isReasonKnown = false, releasePath }: Props) {
  const { reason, features, releases, dependencies, syncMode, summary, trigger } = deployment;
  return (
    <div class="deployment-detail">
      {reason === undefined || isReasonKnown ? null : <p class="reason">{reason}</p>}
      <dl class="facts">
        <dt>Sync mode</dt>
        <dd>{syncMode}</dd>
        {trigger === undefined ? null : (
          <>
            <dt>Made by</dt>
            <dd>
              <TriggerLink name={trigger} context={context} />
            </dd>
          </>
        )}
        {dependencies === undefined ? null : (
          <>
            <dt>Depends on</dt>
            <dd>{dependencies}</dd>
          </>
        )}
      </dl>
      {features.length === 0 ? null : <Features features={features} reason={reason} />}
      {releases.length === 0 ? null : <Releases releases={releases} {...(releasePath === undefined ? {} : { releasePath })} />}
      {summary === undefined ? null : (
        <div class="commands">
          <h3>ClusterSummary</h3>
          <CopyCommand
            command={`sluice why ClusterSummary/${shellWord(summary.name)} -n ${shellWord(summary.namespace)}${contextFlag(context)}`}
          />
          <CopyCommand
            command={`kubectl get clustersummary ${shellWord(summary.name)} -n ${shellWord(summary.namespace)}${contextFlag(context)} -o yaml`}
          />
        </div>
      )}
    </div>
  );
}

const featureNames: Readonly<Record<string, string>> = { Helm: "Helm charts", Resources: "Resources", Kustomize: "Kustomizations" };

function Features({ features, reason }: { readonly features: readonly FeatureOutline[]; readonly reason: string | undefined }) {
  return (
    <ul class="features" aria-label="Features">
      {features.map(({ id, status, state, message, appliedAtMs, consecutiveFailures }) => (
        <li key={id}>
          <div class="feature-head">
            <b>{featureNames[id] ?? id}</b>
            <StateBadge state={state} word={status === "" ? "not deployed yet" : status} />
            {appliedAtMs === undefined ? null : (
              <span class="quiet">
                <RelativeTime ms={appliedAtMs} />
              </span>
            )}
            {consecutiveFailures === undefined ? null : <span class="quiet">{consecutiveFailures} failures in a row</span>}
          </div>
          {message === undefined || message === reason ? null : <p class="reason">{message}</p>}
        </li>
      ))}
    </ul>
  );
}

function Releases({
  releases,
  releasePath,
}: {
  readonly releases: readonly ReleaseOutline[];
  readonly releasePath?: (release: ReleaseOutline) => string;
}) {
  return (
    <ul class="features" aria-label="Helm releases">
      {releases.map((release) => {
        const { namespace, name, chart, version, state, message } = release;
        const title = `${namespace}/${name}`;
        return (
          <li key={title}>
            <div class="feature-head">
              <span>release {releasePath === undefined ? <b>{title}</b> : <a href={releasePath(release)}>{title}</a>}</span>
              <StateBadge state={state} word={state === "ready" ? "managed" : "failed"} />
              <span class="quiet">{[chart, version].filter((part) => part !== undefined).join(" ")}</span>
            </div>
            {message === undefined ? null : <p class="reason">{message}</p>}
          </li>
        );
      })}
    </ul>
  );
}
