import type { Verification } from "../../repository/index.ts";

/** Who has signed a chart, as Helm says it. */
export function verificationLines({ signedBy, fingerprint, digest }: Verification): readonly string[] {
  return [...signedBy.map((user) => `Signed by: ${user}`), `Using Key With Fingerprint: ${fingerprint}`, `Chart Hash Verified: ${digest}`];
}
