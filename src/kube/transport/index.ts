/**
 * Connections to a server: HTTP/2 or HTTP/1.1, with TLS, client certificates and proxies.
 *
 * It knows sockets, and nothing of Kubernetes, kubeconfig files or environment variables. Errors are ConnectionFaults
 * that say what to change.
 */
export { isLoopback, type ClientCertificate, type Endpoint } from "./endpoint.ts";
export { proxyFromEnvironment } from "./proxy-from-environment.ts";
export { openTransport, type Transport } from "./transport.ts";
