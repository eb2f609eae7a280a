/**
 * Puts an exchange behind a socket, with the certificates that takes.
 *
 * It knows sockets, keys and certificates; it does not know what the exchange behind it answers, nor any client.
 */
export { issueCertificate, makeAuthority, type CertificateSubject, type KeyedCertificate, type Validity } from "./certificate.ts";
export { serve, type Served } from "./serve.ts";
