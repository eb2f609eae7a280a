/**
 * The embedded cluster's memory: objects, revisions, the recent past, and who owns whom.
 *
 * It knows nothing of kinds, schemas or requests; what may be written is decided before it is asked.
 */
export { ObjectStorage, type StoreEvent, type StoreListener } from "./object-storage.ts";
