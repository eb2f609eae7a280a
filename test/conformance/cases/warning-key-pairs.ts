/** A certificate, its key in two encodings, another key of its kind and one of another. */
const certificate = [
  "-----BEGIN CERTIFICATE-----",
  "MIIBcDCCARWgAwIBAgIUduji3mpOUD4CAEOZbBTGMP/S83wwCgYIKoZIzj0EAwIw",
  "DDEKMAgGA1UEAwwBYTAgFw0yNjExMTYxNjEwMDBaGA8yMTI2MTAyMzE2MTAwMFow",
  "DDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPmyd2M7KTms",
  "561mIKviWhvm9b6a2WH6oYg8F2K77xkkrX98yrTDNaYZKInAlimv1dqTjTa6XR2L",
  "cNcX5ZFIcyWjUzBRMB0GA1UdDgQWBBTdLhYEqK4TJBgZtErsLffKfX5GOTAfBgNV",
  "HSMEGDAWgBTdLhYEqK4TJBgZtErsLffKfX5GOTAPBgNVHRMBAf8EBTADAQH/MAoG",
  "CCqGSM49BAMCA0kAMEYCIQC7WhE1rL1HjzwbY8lRoFVDKIXUGv29Yq3bcT6NHAYg",
  "6wIhAOHgqYsjd2UPZfgO9GonLpKVR7AAnn8Ms7uiLKTFsCFT",
  "-----END CERTIFICATE-----",
  "",
].join("\n");
const key = [
  "-----BEGIN EC PRIVATE KEY-----",
  "MHcCAQEEIEpmcEVOpkqSHj+uCvnKOR4FPr8uWedOlmByGkw+WcPooAoGCCqGSM49",
  "AwEHoUQDQgAE+bJ3YzspOaznrWYgq+JaG+b1vprZYfqhiDwXYrvvGSStf3zKtMM1",
  "phkoicCWKa/V2pONNrpdHYtw1xflkUhzJQ==",
  "-----END EC PRIVATE KEY-----",
  "",
].join("\n");
const keyInPkcs8 = [
  "-----BEGIN PRIVATE KEY-----",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSmZwRU6mSpIeP64K",
  "+co5HgU+vy5Z506WYHIaTD5Zw+ihRANCAAT5sndjOyk5rOetZiCr4lob5vW+mtlh",
  "+qGIPBdiu+8ZJK1/fMq0wzWmGSiJwJYpr9Xak402ul0di3DXF+WRSHMl",
  "-----END PRIVATE KEY-----",
  "",
].join("\n");
const otherKey = [
  "-----BEGIN EC PRIVATE KEY-----",
  "MHcCAQEEICZNkNTAX6cqxKaMue1UKAw5InS+9VEVpWSIkAkSq/QmoAoGCCqGSM49",
  "AwEHoUQDQgAEkDpo0zRSL0sJBXehx7OsOaqsEopBirRR2o94/cj5uJsorf3sdInm",
  "Y5tIxOY+tDnPzw0UKm4lDT6n0DnT77+Uiw==",
  "-----END EC PRIVATE KEY-----",
  "",
].join("\n");
const otherKind = [
  "-----BEGIN PRIVATE KEY-----",
  "MC4CAQAwBQYDK2VwBCIEICww+RkWku7QPTvetYq2TSKfEisN5TbfjF2T7yLMpYf+",
  "-----END PRIVATE KEY-----",
  "",
].join("\n");

/** What may be in a Secret of the type kubernetes.io/tls. */
export const keyPairs: readonly { readonly "tls.crt": string; readonly "tls.key": string }[] = [
  { "tls.crt": certificate, "tls.key": key },
  { "tls.crt": certificate, "tls.key": keyInPkcs8 },
  { "tls.crt": `text before\n${key}${certificate}`, "tls.key": certificate + key },
  { "tls.crt": certificate, "tls.key": otherKey },
  { "tls.crt": certificate, "tls.key": otherKind },
  { "tls.crt": certificate, "tls.key": certificate },
  { "tls.crt": certificate, "tls.key": certificate + certificate },
  { "tls.crt": certificate, "tls.key": "x" },
  { "tls.crt": certificate, "tls.key": key.replace(/MH.*/, "AAAA") },
  { "tls.crt": key, "tls.key": certificate },
  { "tls.crt": key + key, "tls.key": key },
  { "tls.crt": "", "tls.key": "" },
  { "tls.crt": "x", "tls.key": key },
  { "tls.crt": certificate.replaceAll(/^M.*$/gm, "AAAA"), "tls.key": key },
];
