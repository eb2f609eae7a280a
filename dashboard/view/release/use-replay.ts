import { useEffect, useRef, useState } from "preact/hooks";
import type { Replay, ReleaseHead, ReleaseView } from "../../../src/dashboard/api/index.ts";
import { queryOf, setQuery } from "../../location.ts";
import { requestPath } from "./request-path.ts";
import { useRequest } from "./use-request.ts";

/** The address has the time once it has stayed for so long: browsers refuse an address that changes all the time. */
const settleMs = 250;
/** A replay is drawn anew this often while it plays, and takes about this long unless a speed is chosen. */
const [frameMs, playedMs] = [50, 15_000];

export const speeds = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

/** A recorded operation at some time, and how it is moved. */
export type ReplayControl = {
  readonly replay?: Replay;
  readonly problem?: string;
  /** In ms since its start. Undefined when what is now is shown. */
  readonly atMs: number | undefined;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** Shows a time; undefined shows what is now. */
  readonly seek: (atMs: number | undefined) => void;
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly setSpeed: (speed: number) => void;
};

/** The replay that the address asks for with `at`. */
export function useReplay(view: ReleaseView, head: ReleaseHead | undefined): ReplayControl {
  const asked = queryOf("at");
  const [atMs, setAtMs] = useState(() => timeIn(asked));
  const [isPlaying, setPlaying] = useState(false);
  const [chosenSpeed, setSpeed] = useState<number>();
  const { namespace, name } = view;
  const path =
    atMs === undefined || head === undefined ? undefined : requestPath("recording", view, { namespace, name, revision: head.revision });
  const { content: replay, problem } = useRequest<Replay>(path);
  const lengthMs = replay?.lengthMs ?? Number.MAX_SAFE_INTEGER;
  const speed = chosenSpeed ?? speeds.find((each) => lengthMs / each <= playedMs) ?? speeds.at(-1)!;
  usePlaying(isPlaying && replay !== undefined, speed, (passedMs) =>
    setAtMs((before) => (before === undefined ? before : before + passedMs)),
  );
  const settled = atMs === undefined ? undefined : Math.round(Math.min(atMs, lengthMs));
  const hasEnded = atMs !== undefined && atMs >= lengthMs;
  useEffect(() => (hasEnded ? setPlaying(false) : undefined), [hasEnded]);
  useEffect(() => {
    const timer = setTimeout(() => setQuery("at", settled === undefined ? undefined : String(settled)), settleMs);
    return () => clearTimeout(timer);
  }, [settled]);
  return {
    ...(replay === undefined ? {} : { replay }),
    ...(problem === undefined ? {} : { problem }),
    atMs: settled,
    isPlaying,
    speed,
    seek: (next) => {
      setAtMs(next);
      if (next === undefined) setPlaying(false);
    },
    setPlaying: (next) => {
      if (next && hasEnded) setAtMs(0);
      setPlaying(next);
    },
    setSpeed,
  };
}

function timeIn(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** Calls `advance` with how much time of the recording has passed, while it plays. */
function usePlaying(isPlaying: boolean, speed: number, advance: (passedMs: number) => void): void {
  const latest = useRef(advance);
  latest.current = advance;
  useEffect(() => {
    if (!isPlaying) return undefined;
    let seenAt = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      latest.current((now - seenAt) * speed);
      seenAt = now;
    }, frameMs);
    return () => clearInterval(timer);
  }, [isPlaying, speed]);
}
