import type { Answer, Request } from "../../core/exchange/index.ts";
import type { ApiServer } from "../apiserver/index.ts";
import { openApiDocumentFor } from "../crd/index.ts";
import { openApiDocument, openApiHashes } from "../data/index.ts";
import { jsonAnswer, plainAnswer } from "./answer.ts";
import { serverVersion } from "./server-version.ts";

const prefix = "/openapi/v3";

/**
 * Serves `/openapi/v3` and the documents below it, those of CRDs included. `/openapi/v2` contains only the version:
 * kubectl requests it to validate a List, and leaves unknown kinds to the server.
 */
export class OpenApiHandler {
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  answer(path: string, request: Request): Answer | undefined {
    if (path === "/openapi/v2") return oldDocument(request);
    if (path === prefix || path === `${prefix}/`) return this.#index();
    return path.startsWith(`${prefix}/`) ? this.#document(path.slice(prefix.length + 1)) : undefined;
  }

  #index(): Answer {
    const { catalog } = this.#server;
    const builtIn = [...openApiHashes()].map(([path, hash]) => [path, hash] as const);
    const custom = [...this.#customPaths()].map((path) => [path, String(catalog.generation)] as const);
    const paths = Object.fromEntries(
      [...builtIn, ...custom].map(([path, hash]) => [path, { serverRelativeURL: `${prefix}/${path}?hash=${hash}` }]),
    );
    return jsonAnswer(200, JSON.stringify({ paths }));
  }

  #document(path: string): Answer {
    const builtIn = openApiDocument(path);
    if (builtIn !== undefined) return { status: 200, headers: { "content-type": "application/json" }, body: [builtIn] };
    const custom = this.#server.catalog.custom().filter(({ group, version }) => `apis/${group}/${version}` === path);
    if (custom.length === 0) return plainAnswer(404, "404 page not found\n");
    return jsonAnswer(200, JSON.stringify(openApiDocumentFor(custom)));
  }

  #customPaths(): Set<string> {
    return new Set(this.#server.catalog.custom().map(({ group, version }) => `apis/${group}/${version}`));
  }
}

/** Clients request it with an @ and servers answer without one, since @ is not legal in a media type. */
const oldProtobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
const oldProtobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

function oldDocument({ headers }: Request): Answer {
  const info = { title: "Kubernetes", version: serverVersion.gitVersion };
  if (!oldProtobuf.test(headers["accept"] ?? "")) return jsonAnswer(200, JSON.stringify({ swagger: "2.0", info, paths: {} }));
  const body = [...protobufText(1, "2.0"), ...protobufField(2, [...protobufText(1, info.title), ...protobufText(2, info.version)])];
  return { status: 200, headers: { "content-type": oldProtobufType }, body: [Uint8Array.from(body)] };
}

function protobufText(field: number, text: string): readonly number[] {
  return protobufField(field, [...Buffer.from(text)]);
}

/** A field with a length, which is short here. */
function protobufField(field: number, bytes: readonly number[]): readonly number[] {
  return [(field << 3) | 2, bytes.length, ...bytes];
}
