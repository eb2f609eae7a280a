/**
 * OpenPGP, as far as Helm signs charts with it: clear-signed texts, and the public keys that verify them. RSA, DSA, ECDSA on
 * NIST's curves and Ed25519 keys of version 4, with SHA-2; the arithmetic is Node's.
 *
 * It reads no file and knows no chart. It signs nothing and decrypts nothing.
 */
export { readKeyring } from "./keyring.ts";
export { verifyClearSigned, type VerifiedText } from "./clear-signed.ts";
