/**
 * Puts an exchange behind a socket, with the certificates that takes, and plain pages for probes and monitoring.
 *
 * It knows sockets, keys and certificates; it does not know what the exchange or the pages behind it answer, nor any client.
 */
export {
  issueCertificate,
  createCertificateAuthority,
  type CertificateSubject,
  type CertificateKeyPair,
  type Validity,
} from "./certificate.ts";
export { serveExchange, type ServedExchange } from "./serve-exchange.ts";
export { servePages, type ListenAddress, type Page, type ServedPages } from "./serve-pages.ts";
