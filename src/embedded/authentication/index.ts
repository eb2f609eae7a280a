/**
 * Who makes a request: client certificates, the tokens of service accounts, impersonation.
 *
 * It knows users and their groups, and not what they may do.
 */
export { authenticateRequest } from "./authenticate-request.ts";
export { issuer, ServiceAccountTokens, type TokenResult, type TokenSpec } from "./service-account-tokens.ts";
export {
  allAuthenticated,
  allUnauthenticated,
  anonymousName,
  anonymousUser,
  privilegedGroup,
  serviceAccountGroups,
  serviceAccountUsername,
  splitServiceAccountUsername,
  userInfoFields,
  type UserInfo,
} from "./user-info.ts";
