/**
 * Serves an exchange on a socket with generated certificates, and plain pages for probes and monitoring.
 *
 * It knows sockets, keys and certificates, and not what the exchange or the pages answer.
 */
export { createServingAuthority, serveExchange, type ServedExchange } from "./serve-exchange.ts";
export { servePages, type ListenAddress, type Page } from "./serve-pages.ts";
export { CertificateFiles } from "./certificate-files.ts";
export { serveHandler } from "./serve-handler.ts";
