import type { Answer } from "../../core/exchange/index.ts";
import type { ApiServer } from "../apiserver/index.ts";
import { serverVersion } from "./server-version.ts";

/** The media type of the text format of Prometheus, as the API server names it. */
const contentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** `/metrics`: how many objects are stored of each resource, and the version. What a real server counts beyond that is not counted here. */
export function metricsAnswer({ catalog, store }: ApiServer): Answer {
  const objects = catalog
    .all()
    .filter(({ verbs }) => verbs.includes("list"))
    .map(({ key, plural, group }) => `apiserver_resource_objects{group="${group}",resource="${plural}"} ${store.list(key).length}`)
    .toSorted();
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = serverVersion;
  const labels = Object.entries({
    build_date: buildDate,
    compiler,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    git_version: gitVersion,
    go_version: goVersion,
    major,
    minor,
    platform,
  });
  const lines = [
    "# HELP apiserver_resource_objects [ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
    "# TYPE apiserver_resource_objects gauge",
    ...objects,
    "# HELP kubernetes_build_info [ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    "# TYPE kubernetes_build_info gauge",
    `kubernetes_build_info{${labels.map(([name, value]) => `${name}="${value}"`).join(",")}} 1`,
  ];
  return { status: 200, headers: { "content-type": contentType }, body: [`${lines.join("\n")}\n`] };
}
