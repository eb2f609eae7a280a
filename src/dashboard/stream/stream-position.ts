import type { ViewPosition } from "./view-reader.ts";

/** The positions of a stream's views, from the id of the last message that a browser has seen. What is no id has none. */
export function positionsIn(lastEventId: string | undefined): readonly (ViewPosition | undefined)[] {
  return (lastEventId ?? "").split(",").map((text) => {
    const [, id, sequence] = /^([\w-]{1,40})\.(\d{1,15})$/.exec(text) ?? [];
    return id === undefined ? undefined : { id, sequence: Number(sequence) };
  });
}
