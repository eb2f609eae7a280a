import { readProfile, type ProfileSpec, type ReadResult } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

/** An object is never changed, so what was read of it stays true. */
const known = new WeakMap<KubeObject, ReadResult<ProfileSpec>>();

/** A profile's spec as it is understood: what a server adds by default makes no difference. */
export function readProfileSpec(profile: KubeObject): ReadResult<ProfileSpec> {
  const found = known.get(profile) ?? readUncached(profile);
  known.set(profile, found);
  return found;
}

function readUncached(profile: KubeObject): ReadResult<ProfileSpec> {
  const reading = readProfile(profile);
  if (reading.state === "invalid") return reading;
  const { metadata: _metadata, kind: _kind, ...value } = reading.value;
  return { ...reading, value };
}
