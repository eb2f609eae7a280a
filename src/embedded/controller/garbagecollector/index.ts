/**
 * Deletes dependents whose owners are gone, and completes foreground and orphan deletion.
 *
 * It uses the uids in ownerReferences and watches all resources; it knows no kinds.
 */
export { garbageCollector } from "./garbage-collector.ts";
