import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { runProgram } from "../cluster/run-program.ts";

/** Programs that the tests need, and the packages of Debian that have them. */
const needed = {
  tar: "tar",
  git: "git",
  unshare: "util-linux",
  chroot: "coreutils",
  mount: "mount",
  ldd: "libc-bin",
  "dpkg-deb": "dpkg",
  skopeo: "skopeo",
  umoci: "umoci",
  "qemu-aarch64-static": "qemu-user-static",
};

/** Installs what is missing. Without root's rights it says what to do: they are needed to run the image as somebody else, too. */
export async function installTools(log: (line: string) => void): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Fault(
      "run the image as its own user, in a root of its own",
      "only root may: start this as root, in a container for example",
      {
        final: true,
      },
    );
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  const absent = Object.entries(needed).filter(([name]) => !folders.some((folder) => existsSync(join(folder, name))));
  if (absent.length === 0) return;
  const packages = [...new Set(absent.map(([, name]) => name))];
  const advice = `apt-get update && apt-get install --no-install-recommends ${packages.join(" ")}`;
  log(`installing ${packages.join(", ")}`);
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", ...packages]]) {
    const { code, err } = await runProgram("apt-get", ["--quiet", "--quiet", ...args], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
    }).catch((error: unknown) => ({ code: 1, err: error instanceof Error ? error.message : String(error) }));
    if (code !== 0) throw new Fault(`install ${packages.join(", ")}`, `${err.trim()}; do it by hand: ${advice}`, { final: true });
  }
}
