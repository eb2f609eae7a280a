import { listAt, type KubeObject } from "../../core/object/index.ts";
import { badRequestError } from "../status-error.ts";

/** The container that a request names, or the only one. Models pkg/registry/core/pod/strategy.go */
export function containerNameOf(pod: KubeObject, asked: string): string {
  const named = (path: string) => listAt(pod, path).map(({ name }) => String(name));
  const [main, init, ephemeral] = [named("spec.containers"), named("spec.initContainers"), named("spec.ephemeralContainers")];
  const { name } = pod.metadata;
  if (asked !== "") {
    if ([...main, ...init, ...ephemeral].includes(asked)) return asked;
    throw badRequestError(`container ${asked} is not valid for pod ${name}`);
  }
  if (main.length === 1) return main[0]!;
  const choices = `choose one of: [${main.join(" ")}]${init.length > 0 ? ` or one of the init containers: [${init.join(" ")}]` : ""}`;
  throw badRequestError(`a container name must be specified for pod ${name}, ${choices}`);
}
