import { isApiFault, isUnknownKind, type ApiFault } from "../../../src/kube/index.ts";
import { apiVersionOf } from "../../../src/core/object/index.ts";

/** An error as kubectl prints it. Models kubectl pkg/cmd/util/helpers.go StandardErrorMessage */
export function kubectlErrorText(error: unknown): string {
  if (isUnknownKind(error)) return `error: no matches for kind "${error.gvk.kind}" in version "${apiVersionOf(error.gvk)}"`;
  if (!isApiFault(error)) return `error: ${error instanceof Error ? error.message : String(error)}`;
  if (error.reason === "Invalid") return invalidText(error);
  return `Error from server (${error.reason}): ${error.explanation}`;
}

function invalidText({ details, explanation }: ApiFault): string {
  const title = `The ${details.kind ?? ""} "${details.name ?? ""}" is invalid`;
  const [cause, ...more] = details.causes;
  if (cause === undefined) return `${title}: ${explanation}`;
  if (more.length === 0) return `${title}: ${cause.field}: ${cause.message}`;
  return [`${title}: `, ...details.causes.map(({ field, message }) => `* ${field}: ${message}`)].join("\n");
}
