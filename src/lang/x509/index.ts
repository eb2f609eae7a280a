/**
 * X.509 certificates with EC keys: creates authorities, and issues certificates. It knows no cluster and no sockets.
 */
export { issueCertificate, createCertificateAuthority, type CertificateSubject, type CertificateKeyPair } from "./certificate.ts";
