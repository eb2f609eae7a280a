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
import { CopyCommand } from "../../component/copy-command.tsx";
import { Notices } from "../../component/notices.tsx";
import { openViews } from "../../stream/view-stream.ts";
import { contextFlag } from "../../component/command-context.ts";
import { shellWord } from "../../component/shell-word.ts";
import { EventTable } from "../cluster/event-table.tsx";
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
  return (
    <div class="fleet-page">
      <nav class="crumbs" aria-label="Where this is">
        <a href={pathOf({ type: "fleet", context })}>Fleet</a> <span aria-hidden="true">/</span>
      </nav>
      <ProfileHead view={view} head={head} />
      <Notices items={items} />
      <RollOut clusters={clusters} head={head} />
      <FailureList groups={failureGroups(clusters, items.ofType<FleetReasonItem>("reason"))} context={context} />
      <DependencyList dependencies={items.ofType<ProfileDependencyItem>("dependency")} context={context} />
      <ContentList contents={items.ofType<ProfileContentItem>("content")} />
      {head === undefined ? null : <ProfileFacts head={head} />}
      <ClusterTable clusters={clusters} context={context} />
      <EventTable events={items.ofType<FleetEventItem>("event")} />
      <section aria-labelledby="commands-title">
        <div class="section-head">
          <h2 id="commands-title">The same in a terminal</h2>
        </div>
        <div class="commands">
          <CopyCommand command={`sluice why ${kind}/${shellWord(name)}${place}`} />
          <CopyCommand command={`sluice show addons --profile ${shellWord(`${kind}/${name}`)}${contextFlag(context)}`} />
          <CopyCommand command={`kubectl get ${kind.toLowerCase()} ${shellWord(name)}${place} -o yaml`} />
        </div>
      </section>
    </div>
  );
}
