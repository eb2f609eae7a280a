/**
 * Atomic writes of files.
 *
 * It knows neither formats nor what the files are for. Errors are those of the system.
 */
export { writeFileAtomic } from "./write-file-atomic.ts";
