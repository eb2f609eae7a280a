/** CertificateSigningRequests: approves those of kubelets, signs what is approved, and forgets old ones. It knows no sockets. */
export { signingRequestCleaner } from "./signing-request-cleaner.ts";
export { signingRequestController, type CertificateSigner } from "./signing-request-controller.ts";
