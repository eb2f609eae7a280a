/**
 * Service accounts: the `default` one of every namespace with the root certificate, and the tokens that Secrets hold.
 *
 * It does not know how tokens are signed, or who uses them.
 */
export { serviceAccountController } from "./service-account-controller.ts";
export { tokenController, type TokenControllerOptions } from "./token-controller.ts";
