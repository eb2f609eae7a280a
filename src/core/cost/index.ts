/**
 * Counts what somebody else's input costs while it is worked on, and ends the work when it costs too much: templates, schemas and
 * patches are programs that others wrote.
 *
 * It knows nothing of these programs. What loops or grows charges its cost before it does so.
 */
export { charge, chargeSearch, chargeTime, LimitError, withinCost, type CostLimits } from "./cost.ts";
