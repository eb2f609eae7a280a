import type { Answer } from "../../core/exchange/index.ts";
import type { ApiGroup } from "../data/index.ts";
import { jsonAnswer } from "./answer.ts";
import { healthPaths } from "./health-checks.ts";
import { prettyJson } from "./response-encoder.ts";

const fixed = ["/api", "/api/v1", "/apis", "/apis/", "/metrics", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"];

/** `/`: every path that the server answers. Models apiserver pkg/server/routes/index.go */
export function rootAnswer(groups: readonly ApiGroup[]): Answer {
  const named = groups.filter(({ name }) => name !== "");
  const ofGroups = named.flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)]);
  const paths = [...fixed, ...ofGroups, ...healthPaths()].toSorted();
  return jsonAnswer(200, prettyJson({ paths }));
}
