/**
 * X.509 certificates with EC keys: creates authorities, issues certificates, reads and signs certificate requests. It knows
 * no cluster and no sockets.
 */
export {
  issueCertificate,
  createCertificateAuthority,
  signCertificateRequest,
  type CertificateSubject,
  type CertificateKeyPair,
  type CertificateUsages,
  type ExtendedKeyUsage,
  type KeyUsage,
} from "./certificate.ts";
export { parseCertificateRequest, CertificateRequestFault, type CertificateRequest } from "./certificate-request.ts";
