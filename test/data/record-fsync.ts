/**
 * Loaded before `sluice cluster --fsync`: after each fsync of a log, writes how much of the log it covered. A power cut may take
 * everything else.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const lengths = process.env["SYNCED_LENGTHS"] ?? "";
const { fdatasync, fdatasyncSync } = fs;

function covered(handle: number): string {
  return `${fs.readlinkSync(`/proc/self/fd/${handle}`)} ${fs.fstatSync(handle).size}\n`;
}

Object.assign(fs, {
  fdatasync: (handle: number, done: (error: Error | null) => void) => {
    const line = covered(handle);
    fdatasync(handle, (error) => {
      if (error === null) fs.appendFileSync(lengths, line);
      done(error);
    });
  },
  fdatasyncSync: (handle: number) => {
    const line = covered(handle);
    fdatasyncSync(handle);
    fs.appendFileSync(lengths, line);
  },
});
syncBuiltinESMExports();
