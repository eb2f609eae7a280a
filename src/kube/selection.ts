/** Selects objects of a kind. Selectors are in the API's notation (`app=web,tier!=db`). */
export type Selection = {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};

export type Abortable = { readonly signal?: AbortSignal | undefined };

/** ` in default`, for messages. */
export function namespaceSuffix(namespace: string | undefined): string {
  return namespace === undefined || namespace === "" ? "" : ` in ${namespace}`;
}

/** Waits for `work` unless the signal aborts first. For shared work that must continue. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
