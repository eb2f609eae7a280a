import { gvkOf, originOf } from "../../api/index.ts";
import type { Recording } from "../../../release/recording/index.ts";
import type { SharedCache, TraceSink } from "../context/index.ts";

type RecordedProfile = { readonly kind: string; readonly name: string; readonly uid: string };

/** Hands the story of a profile on, and names the profile where an event has brought it about. */
export function traceRecordings(cache: SharedCache, traces: TraceSink | undefined) {
  if (traces === undefined) return undefined;
  return (recording: Recording, { kind, name, uid }: RecordedProfile) => {
    const profile = kind === "ClusterProfile" ? cache.find(gvkOf("ClusterProfile"), "", name) : undefined;
    if (originOf(profile?.metadata.labels) === undefined) traces.addRecording(recording);
    else traces.addRecording(recording, uid);
  };
}
