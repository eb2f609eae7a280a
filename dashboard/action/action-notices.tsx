import { isAtWork, type ActionItem, type ActionState } from "../../src/dashboard/api/index.ts";
import { RelativeTime } from "../component/relative-time.tsx";
import { StateBadge, type State } from "../component/state-badge.tsx";
import { actionsOf } from "../stream/view-stream.ts";
import { dismissAction } from "./action-client.ts";

const states: Readonly<Record<ActionState, State>> = {
  running: "progressing",
  waiting: "waiting",
  succeeded: "ready",
  failed: "failed",
  refused: "skipped",
  interrupted: "skipped",
};

/** The actions that the visitor has started: those at work, and how the others have ended. */
export function ActionNotices({ context }: { readonly context: string }) {
  const actions = actionsOf(context).ofType<ActionItem>("action");
  return (
    <ul class="action-notices" aria-label="Your actions" aria-live="polite">
      {actions.toReversed().map((action) => (
        <ActionNotice key={action.id} action={action} context={context} />
      ))}
    </ul>
  );
}

function ActionNotice({ action, context }: { readonly action: ActionItem; readonly context: string }) {
  const { id, title, state, because, path, startedAtMs, endedAtMs } = action;
  return (
    <li class={`action-notice is-${state}`}>
      <StateBadge state={states[state]} word={state} />
      <a href={path}>{title}</a>
      <span class="because">{because}</span>
      <span class="quiet">
        <RelativeTime ms={endedAtMs ?? startedAtMs} />
      </span>
      {isAtWork(action) ? null : (
        <button type="button" class="plain" onClick={() => void dismissAction(context, id)} aria-label={`Put away: ${title}`}>
          Put away
        </button>
      )}
    </li>
  );
}
