import type { CertificateUsages, ExtendedKeyUsage, KeyUsage } from "../../../lang/x509/index.ts";

// Models pkg/controller/certificates/authority/policies.go keyUsagesFromStrings

const keyUsages: Readonly<Record<string, KeyUsage>> = {
  signing: "digitalSignature",
  "digital signature": "digitalSignature",
  "content commitment": "contentCommitment",
  "key encipherment": "keyEncipherment",
  "key agreement": "keyAgreement",
  "data encipherment": "dataEncipherment",
  "cert sign": "keyCertSign",
  "crl sign": "cRLSign",
  "encipher only": "encipherOnly",
  "decipher only": "decipherOnly",
};

const extendedKeyUsages: Readonly<Record<string, ExtendedKeyUsage>> = {
  any: "any",
  "server auth": "server",
  "client auth": "client",
  "code signing": "codeSigning",
  "email protection": "emailProtection",
  "s/mime": "emailProtection",
  "ipsec end system": "ipsecEndSystem",
  "ipsec tunnel": "ipsecTunnel",
  "ipsec user": "ipsecUser",
  timestamping: "timeStamping",
  "ocsp signing": "ocspSigning",
  "microsoft sgc": "microsoftSgc",
  "netscape sgc": "netscapeSgc",
};

/** The usages of a CertificateSigningRequest as those of a certificate. */
export function certificateUsagesOf(usages: readonly string[]): CertificateUsages {
  return {
    keyUsages: [...new Set(usages.flatMap((usage) => keyUsages[usage] ?? []))],
    extendedKeyUsages: [...new Set(usages.flatMap((usage) => extendedKeyUsages[usage] ?? []))],
  };
}
