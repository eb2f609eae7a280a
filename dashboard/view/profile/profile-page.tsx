import {
  pathOf,
  type FleetEventItem,
  type FleetReasonItem,
  type ProfileClusterItem,
  type ProfileContentItem,
  type ProfileDependencyItem,
  type ProfileHeadItem,
  type ProfileView,
} from "../../../src/dashboard/api/index.ts";
import { openViews } from "../../stream/view-stream.ts";
import { contextFlag } from "../../component/command-context.ts";
import { shellWord } from "../../component/shell-word.ts";
import { EventTable } from "../cluster/event-table.tsx";
import { SubjectPage } from "../cluster/subject-page.tsx";
import { failureGroups } from "./failure-groups.ts";
import { FailureList } from "./failure-list.tsx";
import { ProfileFacts, ProfileHead } from "./profile-head.tsx";
import { ClusterTable, ContentList, DependencyList } from "./profile-lists.tsx";
import { RollOut } from "./roll-out.tsx";

/** One profile: its roll-out, where it fails and why, what it deploys and where. */
export function ProfilePage({ view }: { readonly view: ProfileView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const [head] = items.ofType<ProfileHeadItem>("head");
  const clusters = items.ofType<ProfileClusterItem>("cluster");
  const { context, kind, namespace, name } = view;
  const place = `${namespace === "" ? "" : ` -n ${shellWord(namespace)}`}${contextFlag(context)}`;
  const commands = [
    `sluice why ${kind}/${shellWord(name)}${place}`,
    `sluice show addons --profile ${shellWord(`${kind}/${name}`)}${contextFlag(context)}`,
    `kubectl get ${kind.toLowerCase()} ${shellWord(name)}${place} -o yaml`,
  ];
  return (
    <SubjectPage context={context} items={items} head={<ProfileHead view={view} head={head} />} commands={commands}>
      <RollOut clusters={clusters} head={head} />
      <FailureList groups={failureGroups(clusters, items.ofType<FleetReasonItem>("reason"))} items={items} context={context} />
      <DependencyList dependencies={items.ofType<ProfileDependencyItem>("dependency")} context={context} />
      <ContentList contents={items.ofType<ProfileContentItem>("content")} items={items} />
      {head === undefined ? null : <ProfileFacts head={head} />}
      <ClusterTable clusters={clusters} items={items} context={context} />
      <EventTable events={items.ofType<FleetEventItem>("event")} items={items} />
    </SubjectPage>
  );
}
