import type { Request } from "../../core/exchange/index.ts";
import type { ApiServer, ServedResource } from "../apiserver/index.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { ObjectTransform, TransformContext } from "./object-transform.ts";
import type { RequestTarget } from "./request-target.ts";
import type { ResponseEncoder } from "./response-encoder.ts";

/** A resource request, as all handlers need it. */
export type RequestScope = {
  readonly server: ApiServer;
  readonly resource: ServedResource;
  readonly target: RequestTarget;
  readonly query: URLSearchParams;
  readonly request: Request;
  /** Writes the answer in the media type that the request accepts. */
  readonly encoder: ResponseEncoder;
  /** What the client wants to see instead of whole objects. */
  readonly transform: ObjectTransform | undefined;
  readonly user: UserInfo;
  /** Warns the client, whether the request succeeds or not. */
  readonly warn: (message: string) => void;
};

/** What a transform of the request's objects needs to know. */
export function transformContextOf({ resource, server }: RequestScope): TransformContext {
  return { resource, now: server.clock.now() };
}
