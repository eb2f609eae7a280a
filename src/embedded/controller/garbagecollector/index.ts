/**
 * Takes away what nobody owns any more, and carries out foreground and orphaning deletion.
 *
 * It goes by the uids in ownerReferences and learns of every change in the cluster; it does not know kinds.
 */
export { garbageCollector } from "./garbage-collector.ts";
