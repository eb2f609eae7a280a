import { isFields } from "../../core/object/index.ts";

/** When a JSON Web Token expires, by what it says of itself; undefined for other tokens. Whether it is genuine is the API server's to say. */
export function tokenExpiryMs(token: string): number | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const expiry = isFields(claims) ? claims["exp"] : undefined;
    return typeof expiry === "number" && Number.isFinite(expiry) ? expiry * 1000 : undefined;
  } catch {
    return undefined; // another kind of token with dots in it
  }
}
