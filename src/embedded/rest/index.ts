/**
 * The wire of the embedded API server: paths, queries and bodies in, JSON and streams of it out.
 *
 * It knows nothing of what a kind means; `api` does. Sockets are not its business either: it is one Exchange.
 */
export { exchangeOf } from "./exchange.ts";
export type { PodLogOptions, PodLogSource } from "./logs.ts";
