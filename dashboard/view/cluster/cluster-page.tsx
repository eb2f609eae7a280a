import {
  pathOf,
  type ClusterHeadItem,
  type ClusterView,
  type DeployedObjectItem,
  type DeploymentItem,
  type DryRunChangeItem,
  type FleetEventItem,
} from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { Notices } from "../../component/notices.tsx";
import { openViews } from "../../stream/view-stream.ts";
import { ClusterHead } from "./cluster-head.tsx";
import { contextFlag } from "../../component/command-context.ts";
import { shellWord } from "../../component/shell-word.ts";
import { DeploymentTable } from "./deployment-table.tsx";
import { DriftSection } from "./drift-section.tsx";
import { EventTable } from "./event-table.tsx";
import { ObjectTable } from "./object-table.tsx";

/** One cluster of the fleet: its profiles, what they have deployed there and how it is doing, drift, and Events. */
export function ClusterPage({ view }: { readonly view: ClusterView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const [head] = items.ofType<ClusterHeadItem>("head");
  const deployments = items.ofType<DeploymentItem>("deployment");
  const objects = items.ofType<DeployedObjectItem>("object");
  const changes = items.ofType<DryRunChangeItem>("change");
  const { context, namespace, name } = view;
  const where = `--cluster ${shellWord(`${namespace}/${name}`)}${contextFlag(context)}`;
  return (
    <div class="fleet-page">
      <nav class="crumbs" aria-label="Where this is">
        <a href={pathOf({ type: "fleet", context })}>Fleet</a> <span aria-hidden="true">/</span>
      </nav>
      <ClusterHead view={view} head={head} />
      <Notices items={items} />
      <DeploymentTable deployments={deployments} view={view} isKnown={head !== undefined} />
      <DriftSection deployments={deployments} objects={objects} changes={changes} context={context} />
      <ObjectTable objects={objects} context={context} />
      <EventTable events={items.ofType<FleetEventItem>("event")} />
      <section aria-labelledby="commands-title">
        <div class="section-head">
          <h2 id="commands-title">The same in a terminal</h2>
        </div>
        <div class="commands">
          <CopyCommand command={`sluice show resources ${where}`} />
          <CopyCommand command={`sluice show events ${where}`} />
          <CopyCommand
            command={`kubectl get ${view.kind.toLowerCase()} ${shellWord(name)} -n ${shellWord(namespace)}${contextFlag(context)} -o yaml`}
          />
        </div>
      </section>
    </div>
  );
}
