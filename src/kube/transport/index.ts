/**
 * The ways to a server over the network: HTTP/2 where the server speaks it, HTTP/1.1 where not, with TLS, client
 * certificates and proxies.
 *
 * It knows sockets and nothing of Kubernetes, kubeconfig files or environment variables. What goes wrong comes out as
 * a ConnectionFault that says what to change.
 */
export { isLoopback, type ClientCertificate, type Endpoint } from "./endpoint.ts";
export { proxyFromEnvironment } from "./proxy-from-environment.ts";
export { openTransport, type Transport } from "./transport.ts";
