import { effect, signal } from "@preact/signals";
import { pathOf, viewAt, type StreamMessage } from "../../src/dashboard/api/index.ts";
import { onSessionEnded, session } from "../session.ts";
import { ViewItems } from "./view-items.ts";

/** Whether the dashboard's server answers: the browser connects again by itself. `over`: the run that it was there for has ended. */
export const connection = signal<"connecting" | "open" | "lost" | "over">("connecting");

/** Why the server refuses to send news; empty when it does not. */
export const streamProblem = signal("");

/** How long the page waits before it asks again for what was refused. */
const refusedMs = 10_000;

type OpenStream = {
  readonly paths: readonly string[];
  readonly views: ReadonlyMap<string, ViewItems>;
  /** Absent while nobody sees the page. */
  source: EventSource | undefined;
};

/** All views of a page come on one connection, for a browser has few. */
let open: OpenStream | undefined;

/** What the visitor has started, by context. It is shown beside every view, and stays while views change. */
const actions = new Map<string, ViewItems>();

/** The actions that the visitor has started in a context. They arrive with the views of that context. */
export function actionsOf(context: string): ViewItems {
  const items = actions.get(context) ?? new ViewItems();
  actions.set(context, items);
  return items;
}

/** The items of views, by their paths. Asking for others than before ends the old stream and opens another one. */
export function openViews(wanted: readonly string[]): ReadonlyMap<string, ViewItems> {
  const context = viewAt(wanted[0] ?? "")?.context;
  const beside = context === undefined ? [] : [pathOf({ type: "actions", context })];
  const paths = [...new Set([...wanted, ...beside])];
  if (open?.paths.join("\n") === paths.join("\n")) return open.views;
  open?.source?.close();
  const views = new Map(paths.map((path) => [path, beside.includes(path) ? actionsOf(context ?? "") : new ViewItems()]));
  open = { paths, views, source: connect(paths, views) };
  return views;
}

/** What one visitor has seen is not for the next one, who gets everything anew. */
effect(() => {
  if (session.value?.signedIn === true) return;
  open?.source?.close();
  open = undefined;
  actions.clear();
});

/** A page that nobody sees has no connection: others may need it. When it is seen again, it gets everything anew. */
document.addEventListener("visibilitychange", () => {
  if (open === undefined || connection.value === "over") return;
  if (document.visibilityState === "visible") open.source ??= connect(open.paths, open.views);
  else {
    open.source?.close();
    open.source = undefined;
  }
});

function connect(paths: readonly string[], views: ReadonlyMap<string, ViewItems>): EventSource {
  connection.value = "connecting";
  const query = new URLSearchParams(paths.map((path) => ["view", path]));
  const source = new EventSource(`/api/stream?${query}`);
  source.addEventListener("open", () => {
    connection.value = "open";
    streamProblem.value = "";
  });
  source.addEventListener("error", () => {
    connection.value = "lost";
    if (source.readyState === EventSource.CLOSED) void onRefused(source);
  });
  source.addEventListener("ended", ({ data }: MessageEvent<string>) => {
    source.close();
    void onSessionEnded((JSON.parse(data) as { readonly because?: string }).because);
  });
  source.addEventListener("over", () => {
    source.close();
    connection.value = "over";
  });
  source.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as StreamMessage;
    views.get(message.view)?.take(message);
  });
  return source;
}

/** The browser does not try again after an answer that is no stream: the session has ended, or too many pages are open. */
async function onRefused(refused: EventSource): Promise<void> {
  await onSessionEnded();
  if (session.value?.signedIn !== true) return;
  streamProblem.value = await readRefusal(refused.url);
  setTimeout(() => {
    if (open?.source === refused) open.source = connect(open.paths, open.views);
  }, refusedMs);
}

/** A stream does not tell why it was refused; another request for it does. */
async function readRefusal(url: string): Promise<string> {
  const stop = new AbortController();
  try {
    const answer = await fetch(url, { signal: stop.signal });
    return answer.ok ? "" : (((await answer.json()) as { readonly message?: string }).message ?? "");
  } catch {
    return "";
  } finally {
    stop.abort();
  }
}
