import assert from "node:assert/strict";
import { test } from "node:test";
import { helmPathsIn } from "./helm-paths.ts";
import {
  noRepositories,
  readRepositories,
  repositoriesText,
  sameRepository,
  withoutRepository,
  withRepository,
} from "./repositories-file.ts";

/** As Helm 4.2.4 wrote it. */
const written = `apiVersion: ""
generated: "0001-01-01T00:00:00Z"
repositories:
- caFile: ""
  certFile: ""
  insecure_skip_tls_verify: false
  keyFile: ""
  name: local
  pass_credentials_all: false
  password: ""
  url: http://127.0.0.1:18765
  username: ""
`;

test("what Helm wrote is read, and written again to the byte", () => {
  const file = readRepositories(written, "repositories.yaml");
  assert.equal(file.repositories[0]?.name, "local");
  assert.equal(repositoriesText(file), written);
  assert.equal(repositoriesText(withRepository(noRepositories, { name: "local", url: "http://127.0.0.1:18765" })), written);
});

test("a repository takes the place of the one of its name", () => {
  const [a, b, c] = [
    { name: "a", url: "http://a" },
    { name: "b", url: "http://b" },
    { name: "a", url: "http://c", caFile: "ca.pem" },
  ] as const;
  const file = [a, b, c].reduce(withRepository, noRepositories);
  assert.deepEqual(file.repositories, [c, b]);
  assert.deepEqual(withoutRepository(file, "a").repositories, [b]);
  assert.ok(sameRepository(a, { ...a, username: "", insecureSkipTlsVerify: false }));
  assert.ok(!sameRepository(a, c));
});

test("a file that is none is named", () => {
  assert.throws(() => readRepositories("[", "x.yaml"), { message: /^couldn't load repositories file \(x\.yaml\): / });
  assert.throws(() => readRepositories("hello", "x.yaml"), { message: /^couldn't load repositories file \(x\.yaml\): / });
  assert.deepEqual(readRepositories("", "x.yaml"), noRepositories);
});

const paths: readonly (readonly [Record<string, string>, string, string])[] = [
  [{}, "/home/me/.config/helm/repositories.yaml", "/home/me/.cache/helm/repository"],
  [{ XDG_CONFIG_HOME: "/c", XDG_CACHE_HOME: "/k" }, "/c/helm/repositories.yaml", "/k/helm/repository"],
  [{ XDG_CONFIG_HOME: "/c", HELM_CONFIG_HOME: "/h", HELM_CACHE_HOME: "/hk" }, "/h/repositories.yaml", "/hk/repository"],
  [{ HELM_REPOSITORY_CONFIG: "/r.yaml", HELM_REPOSITORY_CACHE: "/rc" }, "/r.yaml", "/rc"],
];

for (const [env, file, cache] of paths) {
  test(`Helm's places with ${JSON.stringify(env)}`, () => {
    const found = helmPathsIn(env, "/home/me");
    assert.equal(found.repositoriesFile, file);
    assert.equal(found.repositoryCache, cache);
  });
}

test("docker's configuration is where docker has it", () => {
  assert.equal(helmPathsIn({}, "/home/me").dockerConfig, "/home/me/.docker/config.json");
  assert.equal(helmPathsIn({ DOCKER_CONFIG: "/d" }, "/home/me").dockerConfig, "/d/config.json");
  assert.equal(helmPathsIn({ HELM_CONFIG_HOME: "/h" }, "/home/me").registryConfig, "/h/registry/config.json");
});
