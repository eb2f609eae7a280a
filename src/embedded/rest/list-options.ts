import { fieldForbidden, fieldNotSupported, type FieldError } from "../field-error.ts";
import { invalidError } from "../status-error.ts";
import { booleanParameter, integerParameter } from "./query-parameters.ts";

/** The options of a list or a watch, without its selectors. Empty strings where the request has none. */
export type ListOptions = {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continue: string;
  /** 0: no limit. */
  readonly limit: number;
  /** 0: the server's own. */
  readonly timeoutSeconds: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
};

/** Models apiserver pkg/endpoints/handlers/get.go ListResource */
export function listOptionsOf(query: URLSearchParams, { watch }: { readonly watch: boolean }): ListOptions {
  const allowWatchBookmarks = booleanParameter(query, "allowWatchBookmarks") ?? false;
  const timeoutSeconds = integerParameter(query, "timeoutSeconds") ?? 0;
  // A negative limit is none.
  const limit = Math.max(0, integerParameter(query, "limit") ?? 0);
  const sendInitialEvents = booleanParameter(query, "sendInitialEvents");
  const [resourceVersion, resourceVersionMatch, token] = ["resourceVersion", "resourceVersionMatch", "continue"].map(
    (name) => query.get(name) ?? "",
  ) as [string, string, string];
  const given = { resourceVersion, resourceVersionMatch, continue: token, limit, timeoutSeconds, allowWatchBookmarks, sendInitialEvents };
  const options = watch ? withWatchDefaults(given) : given;
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidError({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  return options;
}

/** A watch from no version on begins with all objects. Models apimachinery pkg/apis/meta/internalversion/defaults.go */
function withWatchDefaults(options: ListOptions): ListOptions {
  if (options.sendInitialEvents !== undefined || options.resourceVersionMatch !== "") return options;
  const fromAny = options.resourceVersion === "" || options.resourceVersion === "0";
  return fromAny ? { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } : options;
}

const match = "resourceVersionMatch";

/** Models apimachinery pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions */
function listErrors(options: ListOptions): readonly FieldError[] {
  const { resourceVersion, resourceVersionMatch } = options;
  const errors: FieldError[] = [];
  if (resourceVersionMatch !== "") {
    if (resourceVersion === "") errors.push(fieldForbidden(match, `${match} is forbidden unless resourceVersion is provided`));
    if (options.continue !== "") errors.push(fieldForbidden(match, `${match} is forbidden when continue is provided`));
    if (resourceVersionMatch !== "Exact" && resourceVersionMatch !== "NotOlderThan")
      errors.push(fieldNotSupported(match, resourceVersionMatch, ["Exact", "NotOlderThan", ""]));
    if (resourceVersionMatch === "Exact" && resourceVersion === "0")
      errors.push(fieldForbidden(match, `${match} "exact" is forbidden for resourceVersion "0"`));
  }
  if (options.sendInitialEvents !== undefined) errors.push(fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

/** Models validateWatchOptions of the same file. */
function watchErrors({ resourceVersionMatch, sendInitialEvents, ...options }: ListOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  const isNotOlder = resourceVersionMatch === "NotOlderThan";
  if (sendInitialEvents !== undefined && !isNotOlder)
    errors.push(fieldForbidden(match, `sendInitialEvents requires setting ${match} to NotOlderThan`));
  if (resourceVersionMatch === "") return errors;
  if (sendInitialEvents === undefined)
    errors.push(fieldForbidden(match, `${match} is forbidden for watch unless sendInitialEvents is provided`));
  if (!isNotOlder) errors.push(fieldNotSupported(match, resourceVersionMatch, ["NotOlderThan"]));
  if (options.continue !== "") errors.push(fieldForbidden(match, `${match} is forbidden when continue is provided`));
  return errors;
}
