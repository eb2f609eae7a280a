import type { Answer } from "../../exchange/index.ts";
import { listAt, stringAt, type KubeObject } from "../../object/index.ts";
import { invalid as invalidField } from "../field-error.ts";
import { badRequest, invalid, notFound } from "../refusal.ts";
import type { Write } from "./write.ts";

export type LogOptions = {
  readonly container: string;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
};

/** What a pod's container has written so far; nothing at all while it has not run. */
export type Logs = (pod: KubeObject, options: LogOptions) => string | undefined;

/** Answers `pods/NAME/log`. Models pkg/registry/core/pod/strategy.go LogLocation */
export function logAnswer({ server, resource, target, query }: Write, logs: Logs): Answer {
  const pod = server.read(resource.key, target.namespace, target.name);
  if (pod === undefined) throw notFound(resource, target.name);
  const number = (name: string) => (query.has(name) ? { [name]: Number(query.get(name)) } : {});
  checkOptions(target.name, query);
  const container = containerOf(pod, query.get("container") ?? "");
  const previous = query.get("previous") === "true";
  const text = logs(pod, {
    container,
    previous,
    timestamps: query.get("timestamps") === "true",
    ...number("tailLines"),
    ...number("sinceSeconds"),
  });
  if (text === undefined)
    throw badRequest(
      previous
        ? `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(target.name)} not found`
        : waiting(pod, container),
    );
  return { status: 200, headers: { "content-type": "text/plain" }, body: [text] };
}

/** Models pkg/apis/core/validation/validation.go ValidatePodLogOptions */
function checkOptions(pod: string, query: URLSearchParams): void {
  const negative = query.has("tailLines") && Number(query.get("tailLines")) < 0;
  if (negative)
    throw invalid({ group: "", kind: "PodLogOptions" }, pod, [
      invalidField("tailLines", Number(query.get("tailLines")), "must be greater than or equal to 0"),
    ]);
}

/** Models pkg/kubelet/kubelet_pods.go validateContainerLogStatus */
function waiting(pod: KubeObject, container: string): string {
  const status = listAt(pod, "status.containerStatuses").find(({ name }) => name === container);
  const reason = stringAt(status, "state.waiting.reason", "ContainerCreating");
  return `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is waiting to start: ${reason}`;
}

function containerOf(pod: KubeObject, asked: string): string {
  const named = (path: string) => listAt(pod, path).map(({ name }) => String(name));
  const [main, init] = [named("spec.containers"), named("spec.initContainers")];
  const { name } = pod.metadata;
  if (asked !== "") {
    if ([...main, ...init].includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  if (main.length === 1) return main[0]!;
  const choices = `choose one of: [${main.join(" ")}]${init.length > 0 ? ` or one of the init containers: [${init.join(" ")}]` : ""}`;
  throw badRequest(`a container name must be specified for pod ${name}, ${choices}`);
}
