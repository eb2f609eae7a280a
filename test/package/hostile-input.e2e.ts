/**
 * Templates, scripts and charts that ask for all time or all memory, given to a controller that is the single executable, and to that
 * of the image on a root file system that may only be read: there, too, they run in workers that are ended from outside.
 */
import assert from "node:assert/strict";
import { copyFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { runHostileProfiles, unharmedController } from "../built/run-hostile-profiles.ts";
import type { SluiceCommand } from "../built/run-process.ts";
import { packages } from "./packages.ts";
import { runInImage } from "./run-in-image.ts";
import { testFolders, unpack } from "./test-folders.ts";
import { unpackImage } from "./unpack-image.ts";

const { executable, version } = packages();
const { make } = testFolders();
const program: SluiceCommand = { command: [join(make("x64"), `sluice-${version}-linux-x64`, "sluice")], env: { HOME: make("home") } };
const root = join(make("image"), "root");

before(async () => {
  await unpack(executable("x64"), make("x64"));
  await unpackImage(root, "amd64");
});

test("the executable deploys what others want, answers, and says of hostile profiles why they have failed", async () => {
  assert.deepEqual(await runHostileProfiles(program, make("alone")), unharmedController);
});

test("so does the image's program, as nobody and with nothing to write to", async () => {
  const readable = join(make("credentials"), "kubeconfig");
  const outcome = await runHostileProfiles(program, make("in-image"), (kubeconfig) => {
    copyFileSync(kubeconfig, readable);
    chmodSync(readable, 0o644);
    return { program: runInImage(root, readable), kubeconfig: "/tmp/kubeconfig" };
  });
  assert.deepEqual(outcome, unharmedController);
});
