import { readProfile, type ProfileSpec, type ReadResult } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

/** Caches the result for an object, which is never mutated. */
const known = new WeakMap<KubeObject, ReadResult<ProfileSpec>>();

/** Reads the spec of a profile with all defaults, so that defaults of the API server make no difference. */
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
