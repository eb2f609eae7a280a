/**
 * The functions of Sprig 3.3 for Go templates: strings, numbers, lists, dictionaries, dates, versions, paths, encodings, keys and
 * certificates, with Go's signatures and error messages.
 *
 * The caller supplies clock, time zone and randomness. The module knows neither Helm nor Kubernetes, and reads neither the
 * environment nor the network: `env`, `expandenv` and `getHostByName` are left out.
 */
export { sprigFunctions } from "./functions/index.ts";
export { certificateScope, certificateType } from "./functions/crypto.ts";
export { parseJson } from "./json/read.ts";
export { jsonText } from "./json/write.ts";
export { deepCopy } from "./deep-copy.ts";
export { asPlainMap } from "./map-view.ts";
export { startStopwatch, type Environment } from "./environment.ts";
export { baseOf } from "./text/path.ts";
export { formatGoTime } from "./time/format.ts";
export { goTimeAt } from "./time/go-time.ts";
export { parseGoTime } from "./time/parse.ts";
export { timeScope, timeValue } from "./time/time-value.ts";
export { utc } from "./time/zone.ts";
