/**
 * The storage of the embedded cluster: objects, revisions, recent events, and an index of owners.
 *
 * It knows nothing of kinds, schemas or requests; the API server validates writes before.
 */
export { ObjectStorage, type StoreEvent } from "./object-storage.ts";
