/**
 * Allocates addresses of Services of type LoadBalancer, as a cloud controller does.
 *
 * It knows neither cluster IPs nor node ports, which the API server allocates, nor endpoints.
 */
export { loadBalancerController } from "./load-balancer-controller.ts";
