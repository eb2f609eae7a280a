/** What the control plane says of admission policies. */
export { policyStatusController } from "./policy-status-controller.ts";
