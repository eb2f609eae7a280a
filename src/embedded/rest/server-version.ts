import type { Answer, Request } from "../../core/exchange/index.ts";
import { kubernetesVersion } from "../kubernetes-version.ts";
import { jsonAnswer } from "./answer.ts";
import { checkRouteAccepts } from "./negotiation.ts";
import { prettyJson } from "./response-encoder.ts";

/** What `/version` answers. */
export const serverVersion = {
  major: "1",
  minor: "35",
  emulationMajor: "1",
  emulationMinor: "35",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "34",
  gitVersion: kubernetesVersion,
  gitCommit: "sluice",
  gitTreeState: "clean",
  buildDate: "2026-08-20T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "embedded/any",
};

/** `/version`; undefined for other paths. */
export function versionAnswer(path: string, { headers }: Request): Answer | undefined {
  if (path !== "/version" && path !== "/version/") return undefined;
  checkRouteAccepts(headers["accept"] ?? "", ["application/json"]);
  return jsonAnswer(200, prettyJson(serverVersion));
}
