import { X509Certificate } from "node:crypto";

const block = /-----BEGIN ([^\n]*?)-----[ \t\r]*\n([^-]*)-----END \1-----/g;

/** What is wrong with certificates in PEM; undefined when nothing is. Models pkg/apis/certificates/validation validateCertificate */
export function validateCertificates(text: string): string | undefined {
  const blocks = [...text.matchAll(block)];
  for (const [whole, label = "", content = ""] of blocks) {
    if (label !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label)}`;
    if (content.includes(":")) return "no PEM block headers are permitted";
    try {
      if (new X509Certificate(whole).raw.length === 0) return "found CERTIFICATE PEM block containing 0 certificates";
    } catch {
      return "x509: malformed certificate"; // Go names the field that it could not read
    }
  }
  return blocks.length === 0 ? "must contain at least one CERTIFICATE PEM block" : undefined;
}
