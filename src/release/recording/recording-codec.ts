import { gunzipSync, gzipSync } from "node:zlib";
import { Fault } from "../../core/fault/index.ts";
import { isFields, listAt, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import { recordingVersion, type Recording } from "./recording.ts";
import { shortenings } from "./shorten-recording.ts";

/** The most that a recording takes in its Secret, compressed. */
const maxRecordingBytes = 256 * 1024;
/** Far more than a recording that fits unpacks to, and small enough to be refused safely. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/** The recording as compressed JSON. Leaves out the least telling parts until it fits. */
export function encodeRecording(recording: Recording, maxBytes = maxRecordingBytes): Buffer {
  let shortened = recording;
  for (const shorten of [undefined, ...shortenings]) {
    shortened = shorten?.(shortened) ?? shortened;
    const packed = gzipSync(JSON.stringify(shortened), { level: 1 });
    if (packed.length <= maxBytes) return packed;
  }
  throw new Fault("store the recording", `it takes more than ${maxBytes} bytes without any step`, { final: true });
}

/** Reads what `encodeRecording` wrote, and says what to do about everything else. `what` names it: `the recording of …`. */
export function decodeRecording(bytes: Uint8Array, what: string): Recording {
  const refused = (why: string) => new Fault(`read ${what}`, why, { final: true });
  const damaged = "it is cut short or damaged: choose another revision; the next deploy writes a new one";
  const content = fieldsIn(bytes);
  if (content === undefined) throw refused(damaged);
  const version = numberAt(content, "version");
  if (version === undefined) throw refused(damaged);
  if (version !== recordingVersion)
    throw refused(`it is of version ${version}, and this sluice reads version ${recordingVersion}: read it with the sluice that wrote it`);
  if (!isRecording(content)) throw refused(damaged);
  return content;
}

function fieldsIn(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes }).toString("utf8"));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // Neither compressed nor JSON: the caller refuses it.
  }
}

/** Checks every field that is computed with; who can write the Secret can write any text. */
function isRecording(content: Fields): content is Recording {
  const runs = listAt(content, "runs");
  return isSubject(content["subject"]) && runs.length > 0 && runs.every(isRun);
}

function isSubject(subject: unknown): boolean {
  const has = (...fields: readonly string[]) => fields.every((field) => stringAt(subject, field) !== undefined);
  if (stringAt(subject, "type") === "profile") return has("profile", "cluster", "feature");
  return stringAt(subject, "type") === "release" && has("name", "namespace") && numberAt(subject, "revision") !== undefined;
}

function isRun(run: Fields): boolean {
  const { steps, pods } = run;
  if (stringAt(run, "operation") === undefined || !areTimes(run, "startedAtMs", "seenAtMs")) return false;
  return Array.isArray(steps) && Array.isArray(pods) && steps.every(isStep) && pods.every(isPod);
}

function isStep(step: unknown): boolean {
  if (!isFields(step)) return false;
  const texts = ["id", "verb", "ref.kind", "ref.name", "ref.namespace", "ref.group"];
  if (!texts.every((path) => stringAt(step, path) !== undefined) || !areTimes(step, "startedAtMs")) return false;
  if (step["endedAtMs"] !== undefined && !areTimes(step, "endedAtMs")) return false;
  const { waits, after } = step;
  if (after !== undefined && (stringAt(after, "id") === undefined || stringAt(after, "because") === undefined)) return false;
  return Array.isArray(waits) && waits.every((wait) => areTimes(wait, "atMs") && stringAt(wait, "because") !== undefined);
}

function isPod(pod: unknown): boolean {
  const texts = ["name", "namespace", "owner.kind", "owner.name"];
  return (
    texts.every((path) => stringAt(pod, path) !== undefined) &&
    areTimes(pod, "createdAtMs") &&
    isFields(pod) &&
    Array.isArray(pod["containers"])
  );
}

function areTimes(value: unknown, ...fields: readonly string[]): boolean {
  return fields.every((field) => Number.isFinite(numberAt(value, field)));
}
