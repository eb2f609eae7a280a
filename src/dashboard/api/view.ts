import type { EventCluster, TriggerKind } from "./events-items.ts";

/** What is deploying, failing and drifting in all that the visitor may see of a context. */
export type OverviewView = { readonly type: "overview"; readonly context: string };

/** One release; a revision of it, or the latest. */
export type ReleaseView = {
  readonly type: "release";
  readonly context: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision?: number;
};

/** Clusters by profiles, of a management cluster. */
export type FleetView = { readonly type: "fleet"; readonly context: string };

/** One cluster of a fleet. `kind` is SveltosCluster, or Cluster of Cluster API. */
export type ClusterView = {
  readonly type: "cluster";
  readonly context: string;
  readonly kind: "SveltosCluster" | "Cluster";
  readonly namespace: string;
  readonly name: string;
};

/** One profile of a fleet. A ClusterProfile has no namespace. */
export type ProfileView = {
  readonly type: "profile";
  readonly context: string;
  readonly kind: "ClusterProfile" | "Profile";
  readonly namespace: string;
  readonly name: string;
};

/** The way of events to what they deploy, of a management cluster: all, or those of a trigger, of a cluster or of both. */
export type EventsView = {
  readonly type: "events";
  readonly context: string;
  readonly trigger?: { readonly kind: TriggerKind; readonly name: string };
  readonly cluster?: EventCluster;
};

/** What the visitor has started in a context, and the place to run a saved plan from. */
export type ActionsView = { readonly type: "actions"; readonly context: string };

/** What a page shows. The path of its URL says the same, and is what a stream is asked for. */
export type View = OverviewView | ReleaseView | FleetView | ClusterView | ProfileView | EventsView | ActionsView;

/** Stands in a path for the namespace of what has none. */
const noNamespace = "-";

/** The path of a view, below the context that it is about: `/c/prod/releases/shop/web`. */
export function pathOf(view: View): string {
  return `/c/${[view.context, ...wordsOf(view)].map(encodeURIComponent).join("/")}`;
}

function wordsOf(view: View): readonly string[] {
  switch (view.type) {
    case "overview":
      return [];
    case "release":
      return ["releases", view.namespace, view.name, ...(view.revision === undefined ? [] : [String(view.revision)])];
    case "fleet":
      return ["fleet"];
    case "cluster":
      return ["clusters", view.kind, view.namespace, view.name];
    case "profile":
      return ["profiles", view.kind, view.namespace === "" ? noNamespace : view.namespace, view.name];
    case "events":
      return ["events", ...triggerWords(view), ...clusterWords(view)];
    case "actions":
      return ["actions"];
  }
}

function triggerWords({ trigger }: EventsView): readonly string[] {
  return trigger === undefined ? [] : ["triggers", trigger.kind, trigger.name];
}

function clusterWords({ cluster }: EventsView): readonly string[] {
  return cluster === undefined ? [] : ["clusters", cluster.kind, cluster.namespace, cluster.name];
}

/** The view at a path; undefined when there is none. */
export function viewAt(path: string): View | undefined {
  const words = decoded(path);
  if (words === undefined || words[0] !== "c") return undefined;
  const [, context, type, ...rest] = words;
  if (context === undefined || context === "" || rest.includes("")) return undefined;
  return viewOf(context, type, rest);
}

function viewOf(context: string, type: string | undefined, rest: readonly string[]): View | undefined {
  const [first = "", second = "", third = ""] = rest;
  if (type === undefined) return { type: "overview", context };
  if ((type === "fleet" || type === "actions") && rest.length === 0) return { type, context };
  if (type === "events") return eventsAt(context, rest);
  if (type === "releases" && rest.length === 2) return { type: "release", context, namespace: first, name: second };
  if (type === "releases" && rest.length === 3 && /^[1-9]\d{0,8}$/.test(third))
    return { type: "release", context, namespace: first, name: second, revision: Number(third) };
  if (rest.length !== 3) return undefined;
  if (type === "clusters" && (first === "SveltosCluster" || first === "Cluster"))
    return { type: "cluster", context, kind: first, namespace: second, name: third };
  if (type === "profiles" && (first === "ClusterProfile" || first === "Profile"))
    return { type: "profile", context, kind: first, namespace: second === noNamespace ? "" : second, name: third };
  return undefined;
}

/** What comes after `events`: the words of a trigger, then those of a cluster. */
function eventsAt(context: string, words: readonly string[]): EventsView | undefined {
  const [first, triggerKind, triggerName = ""] = words;
  if (first !== "triggers") return eventsIn({ type: "events", context }, words);
  if ((triggerKind !== "EventTrigger" && triggerKind !== "EventBasedAddOn") || triggerName === "") return undefined;
  return eventsIn({ type: "events", context, trigger: { kind: triggerKind, name: triggerName } }, words.slice(3));
}

function eventsIn(view: EventsView, [word, kind, namespace = "", name = "", ...more]: readonly string[]): EventsView | undefined {
  if (word === undefined) return view;
  if (word !== "clusters" || (kind !== "SveltosCluster" && kind !== "Cluster") || name === "" || more.length > 0) return undefined;
  return { ...view, cluster: { kind, namespace, name } };
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return path.split("/").slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
