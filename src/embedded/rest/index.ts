/**
 * The HTTP interface of the embedded API server: paths, queries and bodies in, JSON and streams of it out.
 *
 * It knows nothing of kinds; `apiserver` does. It knows no sockets: it is one Exchange.
 */
export { exchangeOf } from "./exchange.ts";
export type { PodLogSource } from "./logs.ts";
