import type { SignInMode, SignInRequest } from "../api/index.ts";
import type { Visitor } from "../visitor/visitor.ts";

/** Who signs in and until when, or why nobody does. */
export type SignInResult =
  | { readonly visitor: Visitor; readonly expiresAtMs?: number }
  | { readonly refusal: string; /** Default 401. */ readonly status?: number };

/** How visitors of a dashboard sign in. */
export type SignIn = {
  readonly mode: SignInMode;
  accept(request: SignInRequest, signal: AbortSignal): Promise<SignInResult>;
};
