import assert from "node:assert/strict";
import { test } from "node:test";
import { readChallenge } from "./challenge.ts";
import { credentialLocationIn, readDockerConfig, serverAddressOf } from "./docker-config.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const user = { kind: "password", username: "me", password: "a:b" };
const here = { where: "here", credential: user };

const kept: Readonly<Record<string, readonly [unknown, unknown]>> = {
  "a name and a password": [{ auths: { "r.example": { auth: base64("me:a:b") } } }, here],
  "a name and a password, spelled out": [{ auths: { "r.example": { username: "me", password: "a:b" } } }, here],
  "an address for a name": [{ auths: { "https://r.example/v2/": { auth: base64("me:a:b") } } }, here],
  "a refresh token": [
    { auths: { "r.example": { auth: base64("me:x"), identitytoken: "t" } } },
    { where: "here", credential: { kind: "refresh", token: "t" } },
  ],
  "an access token": [{ auths: { "r.example": { registrytoken: "t" } } }, { where: "here", credential: { kind: "access", token: "t" } }],
  "another registry only": [{ auths: { "q.example": { auth: base64("me:x") } } }, { where: "nowhere" }],
  "an empty entry": [{ auths: { "r.example": {} } }, { where: "nowhere" }],
  "a helper for all": [
    { auths: { "r.example": {} }, credsStore: "pass" },
    { where: "helper", helper: "pass", server: "r.example" },
  ],
  "a helper of its own": [
    { credHelpers: { "r.example": "ecr" }, credsStore: "pass" },
    { where: "helper", helper: "ecr", server: "r.example" },
  ],
  nothing: [{}, { where: "nowhere" }],
};

for (const [what, [config, expected]] of Object.entries(kept)) {
  test(`credentials in a configuration with ${what}`, () => assert.deepEqual(credentialLocationIn(config, "r.example"), expected));
}

test("Docker Hub goes by an old name", () => {
  assert.equal(serverAddressOf("docker.io"), "https://index.docker.io/v1/");
  assert.deepEqual(credentialLocationIn({ auths: { "https://index.docker.io/v1/": { auth: base64("me:a:b") } } }, "docker.io"), here);
});

test("a configuration that is none is named", () => {
  assert.deepEqual(readDockerConfig("", "c.json"), {});
  for (const text of ["{", "[]", "3"])
    assert.throws(() => readDockerConfig(text, "c.json"), { message: /^read the credentials of c\.json: / });
});

const challenges: Readonly<Record<string, unknown>> = {
  'Basic realm="x"': { scheme: "basic" },
  basic: { scheme: "basic" },
  'Bearer realm="https://t.example/token",service="r.example",scope="repository:a/b:pull"': {
    scheme: "bearer",
    realm: "https://t.example/token",
    service: "r.example",
    scope: "repository:a/b:pull",
  },
  'bearer REALM = "https://t.example", scope="repository:a:pull,push" , error="invalid_token"': {
    scheme: "bearer",
    realm: "https://t.example",
    service: "",
    scope: "repository:a:pull,push",
  },
  'Basic realm="a, Bearer b=c", Bearer realm="https://t.example"': { scheme: "bearer", realm: "https://t.example", service: "", scope: "" },
  'Bearer service="no realm"': undefined,
  Negotiate: undefined,
  "": undefined,
};

for (const [header, expected] of Object.entries(challenges)) {
  test(`challenge ${header}`, () => assert.deepEqual(readChallenge(header), expected));
}
