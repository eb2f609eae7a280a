import type { IncomingRequest } from "../../core/exchange/index.ts";
import type * as Protobuf from "../protobuf/index.ts";

type ProtobufCodec = typeof Protobuf;

let loaded: ProtobufCodec | undefined;

/** Whether a request needs the codec, which is not loaded yet. */
export function needsProtobuf({ headers }: IncomingRequest): boolean {
  return loaded === undefined && (mentionsProtobuf(headers["accept"]) || mentionsProtobuf(headers["content-type"]));
}

function mentionsProtobuf(header: string | undefined): boolean {
  return header !== undefined && header.toLowerCase().includes("application/vnd.kubernetes.protobuf");
}

/** Loads the codec. Most clusters never need it. */
export async function loadProtobuf(): Promise<void> {
  loaded = await import("../protobuf/index.ts");
}

/** The codec, which is loaded. */
export function protobufCodec(): ProtobufCodec {
  if (loaded === undefined) throw new Error("use the protobuf codec: it is not loaded");
  return loaded;
}
