/** Deletes expired Events. It does not know who wrote them. */
export { eventExpiry } from "./event-expiry.ts";
