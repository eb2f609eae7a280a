import type { FleetClusterRef, OccurrenceOutline } from "../../view/index.ts";

/** What one status or one Event says, of one cluster or of none. */
export type Occurrence = Omit<OccurrenceOutline, "state" | "clusters"> & {
  readonly state: "failing" | "failed" | "noted";
  /** A status says so now. Otherwise an Event has told of it. */
  readonly current: boolean;
  /** The message without the object that it is about: other objects fail for the same cause. Default: the message. */
  readonly cause?: string;
};

/** Tells whether two messages are the same or one contains the other. Some begin with a location, and long ones are truncated. */
export function isSameMessage(one: string, other: string): boolean {
  const [a, b] = [withoutEllipsis(one), withoutEllipsis(other)];
  if (a === "" || b === "") return false;
  return a.includes(b) || b.includes(a) || (b !== other && a.startsWith(b.slice(b.indexOf(": ") + 2)));
}

function withoutEllipsis(message: string): string {
  return message.replace(/…$/, "");
}

/** The key of an object in indexes. */
export function objectKey({ kind, namespace, name }: OccurrenceOutline["object"]): string {
  return `${kind}/${namespace}/${name}`;
}

export function timeOf({ time = "" }: Pick<Occurrence, "time">): number {
  return Date.parse(time) || 0;
}

export function isSameCluster(a: FleetClusterRef | undefined, b: FleetClusterRef | undefined): boolean {
  return a?.namespace === b?.namespace && a?.name === b?.name;
}
