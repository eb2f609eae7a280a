import {
  pathOf,
  type ClusterHeadItem,
  type ClusterView,
  type DeployedObjectItem,
  type DeploymentItem,
  type DryRunChangeItem,
  type FleetEventItem,
} from "../../../src/dashboard/api/index.ts";
import { openViews } from "../../stream/view-stream.ts";
import { ClusterHead } from "./cluster-head.tsx";
import { contextFlag } from "../../component/command-context.ts";
import { shellWord } from "../../component/shell-word.ts";
import { DeploymentTable } from "./deployment-table.tsx";
import { DriftSection } from "./drift-section.tsx";
import { EventTable } from "./event-table.tsx";
import { ObjectTable } from "./object-table.tsx";
import { SubjectPage } from "./subject-page.tsx";

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
  const commands = [
    `sluice show resources ${where}`,
    `sluice show events ${where}`,
    `kubectl get ${view.kind.toLowerCase()} ${shellWord(name)} -n ${shellWord(namespace)}${contextFlag(context)} -o yaml`,
  ];
  return (
    <SubjectPage context={context} items={items} head={<ClusterHead view={view} head={head} />} commands={commands}>
      <DeploymentTable deployments={deployments} view={view} items={items} isKnown={head !== undefined} />
      <DriftSection deployments={deployments} objects={objects} changes={changes} items={items} context={context} />
      <ObjectTable objects={objects} items={items} context={context} />
      <EventTable events={items.ofType<FleetEventItem>("event")} items={items} />
    </SubjectPage>
  );
}
