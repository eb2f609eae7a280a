/** How visitors sign in: with the one-time code of the URL that the command prints, or with a bearer token of their own. */
export type SignInMode = "code" | "token";

/** What is sent to sign in. */
export type SignInRequest = { readonly code: string } | { readonly token: string; readonly namespaces?: readonly string[] };

/** A cluster that the visitor may look at. */
type DashboardContext = { readonly name: string; readonly current: boolean };

/** Who looks at the page, and at what. */
export type SessionInfo = { readonly mode: SignInMode; readonly version: string } & (
  | {
      readonly signedIn: false;
      /** Why the session that the browser had has ended. */
      readonly ended?: string;
    }
  | {
      readonly signedIn: true;
      /** The user name that the cluster knows the visitor by; empty when it has not been asked. */
      readonly user: string;
      readonly contexts: readonly DashboardContext[];
      /** The namespaces that the visitor has named, for one who may not list all. */
      readonly namespaces: readonly string[];
      /** When the session ends by itself. */
      readonly expiresAtMs?: number;
    }
);
