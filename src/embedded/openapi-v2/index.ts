/**
 * OpenAPI v2 documents, which kubectl validates Lists and explains kinds with: the keys in the order of an API server, and the
 * protobuf of client-go. It does not know requests, nor where documents come from.
 */
export { documentWith } from "./document-with.ts";
export { encodeDocument } from "./encode-document.ts";
export { orderedDocument } from "./ordered-document.ts";
