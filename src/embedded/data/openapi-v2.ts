import { readPacked } from "./packed-file.ts";

/** The OpenAPI v2 document of the built-in kinds, as JSON. Unpacked each time: it is large and rarely requested. */
export function openApiV2(): string {
  return readPacked("openapi-v2.json.br");
}
