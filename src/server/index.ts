/**
 * Puts an exchange behind a socket, with the certificates that takes, and plain pages for probes and monitoring.
 *
 * It knows sockets, keys and certificates; it does not know what the exchange or the pages behind it answer, nor any client.
 */
export { issueCertificate, makeAuthority, type CertificateSubject, type KeyedCertificate, type Validity } from "./certificate.ts";
export { serve, type Served } from "./serve.ts";
export { servePages, type ListenAddress, type Page, type ServedPages } from "./pages.ts";
