import type { KubeObject } from "../../core/object/index.ts";
import { knownWord, knownWords } from "./helm-json.ts";
import type { ManifestText } from "./manifest-text.ts";
import {
  hookDeletePolicies,
  hookEvents,
  hookOutputLogPolicies,
  type Hook,
  type HookEvent,
  type HookRun,
  type Revision,
} from "./revision.ts";

const notRun: HookRun = { phase: "" };

/**
 * The hook record of an object by its Helm annotations; undefined for resources and for unknown events. Models helm
 * pkg/release/v1/util/manifest_sorter.go
 */
export function hookRecordOf(object: KubeObject, { source, text }: ManifestText): Hook | undefined {
  const { annotations = {} } = object.metadata;
  const words = wordsOf(annotations["helm.sh/hook"]).map((word) => (word === "test-success" ? "test" : word));
  const events = knownWords(hookEvents, words);
  if (events.length === 0) return undefined;
  const weight = annotations["helm.sh/hook-weight"] ?? "";
  return {
    name: object.metadata.name,
    kind: object.kind,
    path: source,
    manifest: text,
    events,
    weight: /^[-+]?\d+$/.test(weight) ? Number(weight) : 0,
    deletePolicies: knownWords(hookDeletePolicies, wordsOf(annotations["helm.sh/hook-delete-policy"])),
    outputLogPolicies: knownWords(hookOutputLogPolicies, wordsOf(annotations["helm.sh/hook-output-log-policy"])),
    lastRun: notRun,
  };
}

function wordsOf(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(",").map((word) => word.trim().toLowerCase());
}

/** The hook before it has run. */
export function withoutRun(hook: Hook): Hook {
  return { ...hook, lastRun: notRun };
}

/** The revision with a run of the hook at this index. */
export function withHookRun(revision: Revision, index: number, run: HookRun): Revision {
  return { ...revision, hooks: revision.hooks.map((hook, at) => (at === index ? { ...hook, lastRun: run } : hook)) };
}

/**
 * Whether a revision left out hooks that an upgrade runs, as one that was made with `--no-hooks`. Every other one has run
 * those that its operation and an upgrade have in common.
 */
export function hasSkippedHooks(revision: Revision): boolean {
  const operation = operationOf(revision);
  return revision.hooks.some((hook) => hook.lastRun.phase === "" && runsIn(hook, operation) && runsIn(hook, "upgrade"));
}

type HookedOperation = "install" | "upgrade" | "rollback";

/** The operation that made a revision. Only an install begins the time of its release. */
function operationOf({ description, firstDeployed, lastDeployed }: Revision): HookedOperation {
  if (description.startsWith("Rollback to ")) return "rollback";
  return firstDeployed === lastDeployed ? "install" : "upgrade";
}

function runsIn({ events }: Hook, operation: HookedOperation): boolean {
  return events.includes(`pre-${operation}`) || events.includes(`post-${operation}`);
}

/**
 * Whether this revision has run the hook successfully for the event, so that a continued operation skips it. A run for
 * the post event implies one for the pre event. Helm's records have no event: they count when only one event is
 * possible.
 */
export function hasHookSucceeded(hook: Hook, event: HookEvent): boolean {
  const { phase, event: last = onlyEventLike(hook, event) } = hook.lastRun;
  if (last === event) return phase === "Succeeded";
  return event.startsWith("pre-") && last === knownWord(hookEvents, event.replace("pre-", "post-"));
}

function onlyEventLike(hook: Hook, event: HookEvent): HookEvent | undefined {
  const operation = event.replace(/^(pre|post)-/, "");
  const alike = hook.events.filter((each) => each.endsWith(operation));
  return alike.length === 1 ? alike[0] : undefined;
}
