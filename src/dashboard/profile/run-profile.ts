import { escapeFieldValue } from "../../core/object/index.ts";
import { clusterProfileNameLabel, gvkOf, labelValue, profileNameLabel } from "../../sveltos/api/index.ts";
import type { ProfileView } from "../api/index.ts";
import { eventItems, eventKind, reduceEvent } from "../cluster/fleet-event.ts";
import { ObjectStore } from "../cluster/object-store.ts";
import { PublishedItems } from "../cluster/published-items.ts";
import { followKinds } from "../follow-kinds.ts";
import { reduceFleetObject } from "../fleet/reduce-fleet-object.ts";
import type { ViewContext } from "../view-context.ts";
import { ProfileClusters } from "./profile-clusters.ts";
import { contentItems } from "./profile-content.ts";
import { dependencyItems, reduceDependency } from "./profile-dependencies.ts";
import { profileHeadOf } from "./profile-head.ts";

/** Shows one profile: how far its roll-out has come, where it fails and why, and what it deploys. */
export async function runProfile(view: ProfileView, context: ViewContext): Promise<void> {
  const { kind, namespace, name } = view;
  const [own, others, summaries, events] = [new ObjectStore(), new ObjectStore(), new ObjectStore(), new ObjectStore()];
  const published = new PublishedItems(context.publish);
  const clusters = new ProfileClusters();
  let [isRead, areSummariesRead] = [true, true];
  const flush = () => {
    const profile = own.first;
    const title = namespace === "" ? name : `${namespace}/${name}`;
    context.notice("profile", profile === undefined && isRead ? `There is no ${kind} ${title}.` : undefined);
    published.replace([
      ...(profile === undefined ? [] : [["head", profileHeadOf(profile)] as const, ...contentItems(profile)]),
      ...clusters.items(profile, summaries.all, areSummariesRead),
      ...dependencyItems(view, others.all),
      ...eventItems(events.all),
    ]);
  };
  const place = namespace === "" ? {} : { namespace };
  const label = kind === "Profile" ? profileNameLabel : clusterProfileNameLabel;
  const about = `involvedObject.kind=${kind},involvedObject.name=${escapeFieldValue(name)}`;
  await followKinds(
    [
      {
        target: gvkOf(kind),
        selection: { ...place, fieldSelector: `metadata.name=${escapeFieldValue(name)}` },
        onChange: own.change,
        onRead: (word) => (isRead = word === "read"),
      },
      { target: gvkOf(kind), selection: place, transform: reduceDependency, onChange: others.change },
      {
        target: gvkOf("ClusterSummary"),
        selection: { ...place, labelSelector: `${label}=${labelValue(name)}` },
        transform: reduceFleetObject,
        onChange: summaries.change,
        onRead: (word) => (areSummariesRead = word === "read"),
      },
      {
        target: eventKind,
        selection: { namespace: namespace === "" ? "default" : namespace, fieldSelector: about },
        transform: reduceEvent,
        onChange: events.change,
      },
    ],
    context,
    flush,
  );
}
