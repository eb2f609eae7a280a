import { truncateSync } from "node:fs";
import { Fault } from "../core/fault/index.ts";
import { readLines } from "./read-lines.ts";
import { decodeLine, type LineKind } from "./record-line.ts";

/** A record, and where it is, for messages: `FOLDER/log-3 at byte 4711`. */
export type LogRecord = { readonly text: string; readonly place: string };

/** A record that was not written to its end, and has been removed. */
export type TornRecord = { readonly path: string; readonly offset: number; readonly bytes: number };

type Line = { readonly kind: LineKind; readonly text: string; readonly offset: number };

/** The records of a snapshot. It was complete when it got its name, so everything that is missing is damage. */
export function* readSnapshot(path: string, header: string): Generator<LogRecord> {
  let count = 0;
  let ended = false;
  for (const { kind, text, offset } of intactLines(path, header)) {
    if (kind === "end") ended = text === String(count);
    else yield { text, place: placeOf(path, offset) };
    count++;
  }
  if (!ended)
    throw new Fault(
      `read ${path}`,
      `it is damaged: its end is missing after ${count} records: put the folder back from a copy, or name another one`,
      { final: true },
    );
}

/** The records of a log. In the last one, `onTorn` is told of a record that was not written to its end, which nobody was told of. */
export function* readLog(path: string, header: string, onTorn?: (torn: TornRecord) => void): Generator<LogRecord> {
  for (const { text, offset } of intactLines(path, header, onTorn)) yield { text, place: placeOf(path, offset) };
}

function placeOf(path: string, offset: number): string {
  return `${path} at byte ${offset}`;
}

function* intactLines(path: string, header: string, onTorn?: (torn: TornRecord) => void): Generator<Line> {
  let damagedAt: number | undefined;
  let end = 0;
  let following = 0;
  let first = true;
  for (const { bytes, offset, whole } of readLines(path)) {
    end = offset + bytes.length + (whole ? 1 : 0);
    const line = whole ? decodeLine(bytes) : undefined;
    if (damagedAt !== undefined) following += line === undefined ? 0 : 1;
    else if (line === undefined) damagedAt = offset;
    else if (first) checkHeader(path, line, header);
    else yield { ...line, offset };
    first = false;
  }
  if (damagedAt === undefined) return;
  if (following > 0 || onTorn === undefined) throw damage(path, damagedAt, following);
  // A record with nothing whole behind it is the last one: it was being written when the process or the machine stopped.
  truncateSync(path, damagedAt);
  onTorn({ path, offset: damagedAt, bytes: end - damagedAt });
}

function checkHeader(path: string, { kind, text }: { readonly kind: LineKind; readonly text: string }, header: string): void {
  if (kind === "header" && text === header) return;
  throw new Fault(`read ${path}`, `it begins with ${JSON.stringify(text.slice(0, 80))}, expected ${header}: it was renamed or replaced`, {
    final: true,
  });
}

function damage(path: string, offset: number, following: number): Fault {
  const behind = following === 1 ? "1 whole record follows" : `${following} whole records follow`;
  return new Fault(
    `read ${path}`,
    `the record at byte ${offset} is damaged, and ${behind}: put the folder back from a copy, ` +
      `or give up that record and all later ones by \`truncate -s ${offset} ${path}\` and removing the logs with higher numbers`,
    { final: true },
  );
}
