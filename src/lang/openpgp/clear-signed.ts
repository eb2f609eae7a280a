import type { Keyring, SigningKey } from "./keyring.ts";
import { OpenPgpError, readArmor, readPackets } from "./packet.ts";
import { isSignedBy, readSignature, signatureTypes, type Signature } from "./signature.ts";

/** A text whose signature is good, and whose it is. */
export type VerifiedText = { readonly text: string; readonly signedBy: readonly string[]; readonly fingerprint: string };

const signatureTag = 2;

/** The text of a clear-signed message that a key of the keyring has signed. Throws OpenPgpError for all others. RFC 9580, 7 */
export function verifyClearSigned(message: string, keyring: Keyring, nowMs: number): VerifiedText {
  const lines = signedLines(message);
  const data = Buffer.from(lines.join("\r\n"));
  const armored = readArmor(message.slice(message.indexOf(signatureTitle)), "SIGNATURE");
  const packets = armored === undefined ? [] : readPackets(armored);
  const signatures = packets.flatMap(({ tag, body }) => (tag === signatureTag ? (readSignature(body) ?? []) : []));
  if (signatures.length === 0) throw new OpenPgpError("it has no signature that is known here");
  const problems: string[] = [];
  for (const signature of signatures) {
    const candidates = keyring.filter(({ key }) => signature.issuer === undefined || key.fingerprint.endsWith(signature.issuer));
    if (candidates.length === 0) problems.push(`it is signed by the key ${signature.issuer ?? ""}, which is not in the keyring`);
    for (const candidate of candidates) {
      const problem = problemWith(signature, candidate, data, nowMs);
      const { fingerprint } = candidate.key;
      if (problem === undefined) return { text: lines.join("\n"), signedBy: candidate.userIds, fingerprint };
      problems.push(`${problem} (${candidate.userIds[0] ?? "somebody"}, ${fingerprint})`);
    }
  }
  throw new OpenPgpError(problems.join("; "));
}

function problemWith(signature: Signature, { key, problem }: SigningKey, data: Buffer, nowMs: number): string | undefined {
  const { type, hash, createdAt = 0, expiresAfter } = signature;
  if (type !== signatureTypes.text && type !== signatureTypes.binary) return "its signature is not of a text";
  if (hash === undefined || hash === "sha1") return "its signature uses a hash that is broken or not known";
  if (!isSignedBy(key, signature, data)) return "its signature is wrong: the text or the signature was changed";
  if (createdAt * 1000 > nowMs + clockSkewMs) return "its signature is of the future";
  if (expiresAfter > 0 && (createdAt + expiresAfter) * 1000 <= nowMs) return "its signature has expired";
  return problem(nowMs);
}

/** Clocks of signers may be ahead. */
const clockSkewMs = 86_400_000;
const signatureTitle = "-----BEGIN PGP SIGNATURE-----";

/** The lines between the headers and the signature, without the dashes that protect them, and the blanks at their ends, which are not signed. */
function signedLines(message: string): readonly string[] {
  const lines = message.split("\n");
  const begin = lines.findIndex((line) => line.trimEnd() === "-----BEGIN PGP SIGNED MESSAGE-----");
  const end = lines.findIndex((line, at) => at > begin && line.trimEnd() === signatureTitle);
  const text = begin < 0 ? -1 : lines.findIndex((line, at) => at > begin && line.trim() === "");
  if (begin < 0 || end < 0 || text < 0 || text > end) throw new OpenPgpError("it is no clear-signed text");
  // Anything else in the headers could be taken for signed.
  if (lines.slice(begin + 1, text).some((line) => !line.startsWith("Hash: "))) throw new OpenPgpError("it has headers that are not signed");
  return lines.slice(text + 1, end).map((line) => (line.startsWith("- ") ? line.slice(2) : line).replace(/[ \t\r]+$/, ""));
}
