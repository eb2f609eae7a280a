import { apiVersionOf, type Fields, type GroupVersionKind } from "../../core/object/index.ts";
import { badRequestError } from "../status-error.ts";
import { protobufCodec } from "./protobuf-codec.ts";

/** A body of protobuf in its JSON form. It names its kind itself, or is of the expected one. */
export function protobufBodyOf(bytes: Uint8Array, expected: GroupVersionKind): Fields {
  const { decodeBody, notRegistered, ProtobufFault, readEnvelope } = protobufCodec();
  let actual: GroupVersionKind | undefined;
  try {
    const { apiVersion, kind, raw } = readEnvelope(bytes);
    actual = withDefaults(apiVersion, kind, expected);
    // All options of a deletion are of one kind, whatever group they name.
    if (expected.kind === deleteOptions && actual.kind !== deleteOptions) throw notRegistered(apiVersionOf(actual), actual.kind);
    return decodeBody({ apiVersion: apiVersionOf(actual), kind: actual.kind, raw });
  } catch (error) {
    if (!(error instanceof ProtobufFault)) throw error;
    if (expected.kind === deleteOptions) throw badRequestError(error.message);
    if (actual === undefined) throw badRequestError(unrecognized(expected, error.message, bytes));
    const { kind, version } = actual;
    throw badRequestError(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${error.message}`);
  }
}

const deleteOptions = "DeleteOptions";

/** Models apimachinery pkg/runtime/serializer/protobuf copyKindDefaults. An apiVersion of three parts counts as none. */
function withDefaults(apiVersion: string, kind: string, expected: GroupVersionKind): GroupVersionKind {
  const [one = "", two, ...more] = apiVersion.split("/");
  const named = more.length > 0 ? "" : (two ?? one);
  const { group, version } = named === "" ? expected : { group: two === undefined ? "" : one, version: named };
  return { group, version, kind: kind === "" ? expected.kind : kind };
}

/** The error of a body in which no kind is found. */
export function unrecognized({ kind }: GroupVersionKind, why: string, bytes: Uint8Array): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${why} (${summaryOf(bytes)})`;
}

const longestSummary = 30;

/** Models apiserver pkg/endpoints/handlers/rest.go summarizeData */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const begin = Buffer.from(bytes.subarray(0, longestSummary));
  const more = bytes.length > longestSummary ? " ..." : "";
  return `${begin.toString(begin[0] === 0x7b ? "utf8" : "hex")}${more}`;
}
