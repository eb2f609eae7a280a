/**
 * What `kubectl get` shows: the columns of each kind, and the cells of a row.
 *
 * Pure functions on objects. It knows no requests and no lists; columns of built-in kinds are data, those of custom resources
 * come from their CRD.
 */
export { leavesRowsOut, tableOrder, tablePrinterOf, tableRowOf } from "./table.ts";
