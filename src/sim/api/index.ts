/**
 * The API server without the wire: reads and writes of objects, with all that a write goes through.
 *
 * Synchronous, since an embedded cluster is one process. It knows nothing of HTTP; `rest` does.
 */
export type { Api, DeleteOptions } from "./api.ts";
