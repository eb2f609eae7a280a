/**
 * The protobuf encoding of built-in kinds: bodies of `application/vnd.kubernetes.protobuf` to and from plain objects, as
 * they are in JSON.
 *
 * A table of the messages, made of the Kubernetes modules, says how; the library only reads and writes the wire format.
 * It knows no custom resources, which have no protobuf, and no requests.
 */
export { decodeBody, notRegistered, readEnvelope } from "./decode-body.ts";
export { encodeEvent, encodeList, encodeObject } from "./encode-object.ts";
export { ProtobufFault } from "./wire-reader.ts";
