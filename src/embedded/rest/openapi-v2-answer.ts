import { createHash } from "node:crypto";
import type { Answer, Request } from "../../core/exchange/index.ts";
import { isFields, jsonText, type Fields } from "../../core/object/index.ts";
import type { ServedResource } from "../apiserver/index.ts";
import { openApiV2PartsFor } from "../crd/index.ts";
import { openApiV2 } from "../data/index.ts";
import { documentWith, encodeDocument } from "../openapi-v2/index.ts";
import { acceptedType } from "./negotiation.ts";

const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** client-go names it with an @, which is not legal in a media type, so that servers answer with the other spelling. */
const offered = ["application/json", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", protobufType] as const;

/**
 * Answers `/openapi/v2`: the built-in kinds and custom resources in one document. It is made anew for each request, because it is
 * large and rarely requested. Models k8s.io/kube-openapi pkg/handler/handler.go
 */
export function openApiV2Answer({ headers }: Request, custom: readonly ServedResource[]): Answer {
  const mediaType = acceptedType(headers["accept"] ?? "", offered);
  const vary = { vary: "Accept" };
  if (mediaType === undefined) return { status: 406, headers: vary, body: [] };
  const builtIn = openApiV2();
  const document = custom.length === 0 ? undefined : documentWith(parsed(builtIn), openApiV2PartsFor(custom));
  const text = document === undefined ? builtIn : jsonText(document);
  const etag = `"${createHash("sha512").update(text).digest("hex").toUpperCase()}"`;
  if (headers["if-none-match"] === etag) return { status: 304, headers: { ...vary, etag }, body: [] };
  if (mediaType === "application/json") return { status: 200, headers: { ...vary, etag, "content-type": mediaType }, body: [text] };
  const bytes = encodeDocument(document ?? parsed(builtIn));
  return { status: 200, headers: { ...vary, etag, "content-type": protobufType }, body: [bytes] };
}

function parsed(text: string): Fields {
  const document: unknown = JSON.parse(text);
  return isFields(document) ? document : {};
}
