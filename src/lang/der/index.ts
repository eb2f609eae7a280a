/**
 * The subset of DER (X.690) and PEM that keys and certificates need: encodes and decodes tag, length and value. It knows no
 * certificate.
 */
export {
  encodeBitString,
  encodeBoolean,
  encodeInteger,
  encodeOctetString,
  encodeOid,
  encodePrintableString,
  encodeSequence,
  encodeSet,
  encodeTagged,
  encodeTime,
  encodeUtf8String,
} from "./encode.ts";
export { derChildren, derContents } from "./decode.ts";
export { firstPem, pemText } from "./pem.ts";
