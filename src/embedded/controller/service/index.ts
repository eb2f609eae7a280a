/**
 * Gives Services of type LoadBalancer their addresses, as a cloud's controller would.
 *
 * It does not know cluster IPs or node ports, which the API server gives out, nor what is behind a Service.
 */
export { loadBalancerController } from "./load-balancer-controller.ts";
