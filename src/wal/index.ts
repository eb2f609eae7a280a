/**
 * A write-ahead log in a folder: records that outlive the process, with snapshots in place of old ones, and the lock that
 * keeps other processes out.
 *
 * It knows files, checksums and locks, and not what the records say.
 */
export { lockFolder } from "./folder-lock.ts";
export { WriteAheadLog } from "./write-ahead-log.ts";
