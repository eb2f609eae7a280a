/**
 * The little of DER (X.690) and PEM that keys and certificates need: writes tag, length and value, and takes apart what others
 * wrote. It knows no certificate.
 */
export { bitString, boolean, integer, octetString, oid, printableString, sequence, set, tagged, time, utf8String } from "./write.ts";
export { childrenOf, contentOf } from "./read.ts";
export { firstPem, pemText, type Pem } from "./pem.ts";
