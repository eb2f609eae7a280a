import type { Answer } from "../../core/exchange/index.ts";
import { listAt, stringAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import { fieldInvalid as invalidField } from "../field-error.ts";
import { badRequestError, invalidError, notFoundError } from "../status-error.ts";
import { EventStream } from "./event-stream.ts";
import { containerNameOf } from "./pod-container.ts";
import type { RequestScope } from "./request-scope.ts";

type PodLogOptions = {
  readonly container: string;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
};

/** The logs of containers. */
export type PodLogSource = {
  /** The log of a container up to now; undefined before it has run. */
  readonly printed: (pod: KubeObject, options: PodLogOptions) => string | undefined;
  /** When the container prints its next line, if it does. */
  readonly nextAt: (pod: KubeObject, container: string) => number | undefined;
};

/** Serves `pods/NAME/log`. Models pkg/registry/core/pod/strategy.go LogLocation */
export function logAnswer(scope: RequestScope, logs: PodLogSource): Answer {
  const { server, resource, target, query } = scope;
  const pod = server.read(resource.key, target.namespace, target.name);
  if (pod === undefined) throw notFoundError(resource, target.name);
  checkOptions(target.name, query);
  const options = optionsOf(query, containerNameOf(pod, query.get("container") ?? ""));
  const text = logs.printed(pod, options);
  if (text === undefined) throw badRequestError(options.previous ? noPrevious(pod, options.container) : waiting(pod, options.container));
  const follows = isTrue(query.get("follow")) && !options.previous;
  return { status: 200, headers: { "content-type": "text/plain" }, body: follows ? followed(scope, logs, pod, options, text) : [text] };
}

function optionsOf(query: URLSearchParams, container: string): PodLogOptions {
  const number = (name: string) => (query.has(name) ? { [name]: Number(query.get(name)) } : {});
  const sinceTime = query.get("sinceTime");
  return {
    container,
    previous: isTrue(query.get("previous")),
    timestamps: isTrue(query.get("timestamps")),
    ...number("tailLines"),
    ...number("sinceSeconds"),
    ...number("limitBytes"),
    ...(sinceTime === null ? {} : { sinceTime }),
  };
}

function isTrue(value: string | null): boolean {
  return value === "true" || value === "1";
}

/** Streams the log up to now, then each new line, until the container has ended or its pod is deleted. */
function followed(
  { server, resource, request }: RequestScope,
  logs: PodLogSource,
  pod: KubeObject,
  options: PodLogOptions,
  text: string,
): EventStream {
  const { container, timestamps } = options;
  const whole = { container, timestamps, previous: false };
  let live = pod;
  let sentLength = logs.printed(pod, whole)?.length ?? 0;
  let cancelTimer: (() => void) | undefined;
  const look = () => {
    const now = logs.printed(live, whole) ?? "";
    if (now.length > sentLength) stream.write(now.slice(sentLength));
    sentLength = now.length;
    if (hasEnded(live, container)) return stream.end();
    const next = logs.nextAt(live, container);
    cancelTimer?.();
    if (next !== undefined) cancelTimer = server.clock.after(next - server.clock.now(), look);
  };
  const cancelNews = server.store.subscribe(resource.key, ({ type, object }) => {
    if (object.metadata.uid !== pod.metadata.uid) return;
    live = object;
    look();
    if (type === "DELETED") stream.end();
  });
  const stream = new EventStream(request.signal, () => {
    cancelNews();
    cancelTimer?.();
  });
  stream.write(text);
  look();
  return stream;
}

/** Whether the followed run has ended. */
function hasEnded(pod: KubeObject, container: string): boolean {
  const statuses = [...listAt(pod, "status.containerStatuses"), ...listAt(pod, "status.initContainerStatuses")];
  const status = statuses.find(({ name }) => name === container);
  return valueAt(status, "state.running") === undefined;
}

function noPrevious(pod: KubeObject, container: string): string {
  return `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} not found`;
}

/** Models pkg/apis/core/validation/validation.go ValidatePodLogOptions */
function checkOptions(pod: string, query: URLSearchParams): void {
  const negative = query.has("tailLines") && Number(query.get("tailLines")) < 0;
  if (negative)
    throw invalidError({ group: "", kind: "PodLogOptions" }, pod, [
      invalidField("tailLines", Number(query.get("tailLines")), "must be greater than or equal to 0"),
    ]);
}

/** Models pkg/kubelet/kubelet_pods.go validateContainerLogStatus */
function waiting(pod: KubeObject, container: string): string {
  const status = listAt(pod, "status.containerStatuses").find(({ name }) => name === container);
  const reason = stringAt(status, "state.waiting.reason", "ContainerCreating");
  return `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is waiting to start: ${reason}`;
}
