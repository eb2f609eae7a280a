import type { Answer, Request } from "../../core/exchange/index.ts";
import { jsonText } from "../../core/object/index.ts";
import type { ApiServer } from "../apiserver/index.ts";
import { openApiDocumentFor } from "../crd/index.ts";
import { openApiDocument, openApiHashes } from "../data/index.ts";
import { jsonAnswer } from "./answer.ts";
import { openApiV2Answer } from "./openapi-v2-answer.ts";

const prefix = "/openapi/v3";

/** Serves `/openapi/v2`, and `/openapi/v3` with the documents below it, those of CRDs included. */
export class OpenApiHandler {
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  answer(path: string, request: Request): Answer | undefined {
    if (path === "/openapi/v2") return openApiV2Answer(request, this.#server.catalog.custom());
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
    if (custom.length === 0) return { status: 404, headers: {}, body: [] };
    return jsonAnswer(200, jsonText(openApiDocumentFor(custom)));
  }

  #customPaths(): Set<string> {
    return new Set(this.#server.catalog.custom().map(({ group, version }) => `apis/${group}/${version}`));
  }
}
