import { useEffect, useRef, useState } from "preact/hooks";
import { onSessionEnded } from "../../session.ts";

/** What the server has answered, and why it could not. What was there before stays until there is something newer. */
export type Requested<T> = { readonly content?: T; readonly problem?: string };

/** Asks the server for a path, again whenever `version` changes, one request at a time. Nothing is asked for without a path. */
export function useRequest<T>(path: string | undefined, version: unknown = undefined): Requested<T> {
  const [answer, setAnswer] = useState<{ readonly path: string; readonly requested: Requested<T> }>();
  const running = useRef<{ readonly path: string; isStale: boolean } | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) {
      running.current = undefined;
      return;
    }
    if (running.current?.path === path) running.current.isStale = true;
    else void follow(path);
  }, [path, version]);
  useEffect(() => () => void (running.current = undefined), []);
  const follow = async (from: string) => {
    const current = { path: from, isStale: true };
    running.current = current;
    while (current.isStale && running.current === current) {
      current.isStale = false;
      const requested = await read<T>(from);
      if (running.current === current) setAnswer({ path: from, requested });
    }
    if (running.current === current) running.current = undefined;
  };
  return answer?.path === path && answer !== undefined ? answer.requested : {};
}

async function read<T>(path: string): Promise<Requested<T>> {
  try {
    const answer = await fetch(path);
    const content: unknown = await answer.json().catch(() => undefined);
    if (answer.ok && content !== undefined) return { content: content as T };
    if (answer.status === 401) await onSessionEnded();
    const { message = `The dashboard answered ${answer.status}.` } = (content ?? {}) as { readonly message?: string };
    return { problem: message };
  } catch {
    return { problem: "The dashboard does not answer." };
  }
}
