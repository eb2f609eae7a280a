/**
 * Atomic writes of files, and reads that have a limit.
 *
 * It knows neither formats nor what the files are for. Errors are those of the system.
 */
export { readFileBytes, readTextFile, readTextStream } from "./read-file.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
