import { addAbortSignal } from "node:stream";
import { RealClock } from "../core/clock/index.ts";
import { readTextStream } from "../core/file/index.ts";
import { fetchText, openHttpClient, systemTrustAdvice, withRedirects } from "../http/index.ts";
import type { SourceReaders } from "../release/load/index.ts";

/** The maximum size of a manifest or values file from the web. */
const maxResponseBytes = 64 * 2 ** 20;

/** Reads manifests and values from standard input and from URLs. */
export const sourceReaders: SourceReaders = {
  // The signal ends a read of standard input, so that Ctrl-C works before anything is typed.
  stdin: (signal) => readTextStream(addAbortSignal(signal, process.stdin)),
  fetch(url, signal) {
    const http = withRedirects(openHttpClient({ clock: new RealClock(), signal, env: process.env, trustAdvice: systemTrustAdvice }));
    return fetchText(http, url, maxResponseBytes);
  },
};
