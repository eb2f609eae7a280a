/**
 * The storage of the embedded cluster: objects, revisions, recent events, an index of owners, and the records of a log that
 * outlives the process.
 *
 * It knows nothing of kinds, schemas, requests or files; the API server validates writes before.
 */
export { ClusterData, type DataLog } from "./cluster-data.ts";
export { compactHistory } from "./history-compactor.ts";
export { ObjectStorage, type StoredObject, type StoreEvent } from "./object-storage.ts";
