import type { ReleaseHead } from "../../../src/dashboard/api/index.ts";
import { durationText } from "../../timeline/index.ts";
import { visible } from "../../graph/shorten.ts";
import { speeds, type ReplayControl } from "./use-replay.ts";

/** How many steps the arrow keys take from the start of a recording to its end. */
const steps = 200;

/** Moves through a recorded operation, or says why there is none. */
export function ReplayBar({
  head,
  control,
  isRunning,
}: {
  readonly head: ReleaseHead;
  readonly control: ReplayControl;
  readonly isRunning: boolean;
}) {
  const { replay, problem, atMs, isPlaying, speed, seek, setPlaying, setSpeed } = control;
  if (head.unrecorded !== undefined) return <p class="replay quiet">No replay: {visible(head.unrecorded)}</p>;
  if (isRunning && atMs === undefined) return <p class="replay quiet">A replay is there when the run is over.</p>;
  if (problem !== undefined) return <p class="replay notice bad">{visible(problem)}</p>;
  const toggle = () => {
    if (atMs === undefined) seek(0);
    setPlaying(!isPlaying);
  };
  const lengthMs = replay?.lengthMs ?? 0;
  const at = Math.min(atMs ?? lengthMs, lengthMs);
  return (
    <div class="replay" role="group" aria-label="Replay">
      <button type="button" class="button" onClick={toggle}>
        {isPlaying ? "❚❚ Pause" : atMs === undefined ? "▶ Replay" : "▶ Play"}
      </button>
      {atMs === undefined ? null : (
        <>
          <input
            type="range"
            min={0}
            max={lengthMs}
            step={Math.max(1, Math.floor(lengthMs / steps))}
            value={at}
            aria-label="Time of the replay"
            aria-valuetext={`${durationText(at)} of ${durationText(lengthMs)}`}
            onInput={({ currentTarget }) => {
              setPlaying(false);
              seek(Number(currentTarget.value));
            }}
          />
          <span class="numeric replay-time">
            {durationText(at)} of {durationText(lengthMs)}
          </span>
          <label class="quiet">
            <span class="only-read-aloud">Speed</span>
            <select class="field" value={String(speed)} onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}>
              {speeds.map((each) => (
                <option key={each} value={String(each)}>
                  {each}×
                </option>
              ))}
            </select>
          </label>
          <button type="button" class="button" onClick={() => seek(undefined)}>
            {head.isLatest ? "Back to now" : "Back to its end"}
          </button>
        </>
      )}
    </div>
  );
}
