import { getCACertificates } from "node:tls";

let known: string[] | undefined;

/** The CA certificates of Node and of the system, read on first use. */
export function systemCertPool(): string[] {
  known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return known;
}
