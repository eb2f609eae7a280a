import { getCACertificates } from "node:tls";

let known: string[] | undefined;

/** Whom this machine trusts, the system's own store included, as every other program on it does. Read once, when first needed. */
export function systemCertPool(): string[] {
  known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return known;
}
