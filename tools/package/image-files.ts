import { globSync, lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { debianPackages, type DebianPackage } from "./debian-packages.ts";
import type { Architecture } from "./node-binary.ts";
import type { Entry } from "./write-tar.ts";

/** Who runs in the image. The chart says the same number. */
export const user = 65532;

/** What Node links to and what names are looked up with; certificates of the web; and what says which Debian it is. */
const wanted = ["libc6", "libstdc++6", "libgcc-s1", "ca-certificates", "base-files"];
const libraries = /^(ld-linux-.*|lib(c|m|dl|pthread|rt|resolv|nss_dns|nss_files|stdc\+\+|gcc_s))\.so(\.\d+)*$/;
const certificateFile = "etc/ssl/certs/ca-certificates.crt";

type ImageFiles = { readonly entries: readonly Entry[]; readonly packages: readonly DebianPackage[] };

/** All that lies under `/` but the program itself. There is no shell. */
export async function imageFiles(architecture: Architecture, workshop: string, log: (line: string) => void): Promise<ImageFiles> {
  const found = await debianPackages(wanted, architecture, workshop, log);
  // The compiler's libraries have their licence in a package of its own, named after the compiler's version.
  const [base] = found.flatMap(({ control }) => /\bgcc-\d+-base\b/.exec(control) ?? []);
  const packages = [...found, ...(base === undefined ? [] : await debianPackages([base], architecture, workshop, log))];
  const entries = [
    ...packages.flatMap(({ folder }) => libraryFiles(folder)),
    ...packages.flatMap(({ name, folder, control }) => documents(name, folder, control)),
    ...configuration(packages),
  ];
  return { entries, packages };
}

function libraryFiles(folder: string): readonly Entry[] {
  const files = globSync(["lib/**", "lib64/**", "usr/lib/*-linux-gnu/*"], { cwd: folder }).toSorted();
  return files.flatMap((file): readonly Entry[] => {
    const path = join(folder, file);
    if (!libraries.test(file.split("/").at(-1) ?? "")) return [];
    if (lstatSync(path).isSymbolicLink()) return [{ name: file, link: readlinkSync(path) }];
    return [{ name: file, data: readFileSync(path), mode: file.includes("/ld-linux") ? 0o755 : 0o644 }];
  });
}

/** Licences, and what scanners of images look for. */
function documents(name: string, folder: string, control: string): readonly Entry[] {
  const copyright = `usr/share/doc/${name}/copyright`;
  const path = globSync(copyright, { cwd: folder }).map((file) => realpathSync(join(folder, file)));
  return [
    ...path.map((file) => ({ name: copyright, data: readFileSync(file) })),
    { name: `var/lib/dpkg/status.d/${name}`, data: Buffer.from(`${control.trim()}\n`) },
  ];
}

function configuration(packages: readonly DebianPackage[]): readonly Entry[] {
  const folderOf = (name: string) => packages.find((each) => each.name === name)?.folder ?? "";
  const certificates = globSync("usr/share/ca-certificates/mozilla/*.crt", { cwd: folderOf("ca-certificates") }).toSorted();
  const bundle = certificates.map((file) => readFileSync(join(folderOf("ca-certificates"), file), "utf8").trimEnd());
  return [
    { name: certificateFile, data: text(bundle) },
    { name: "etc/passwd", data: text(["root:x:0:0:root:/:/sbin/nologin", `nonroot:x:${user}:${user}:nonroot:/tmp:/sbin/nologin`]) },
    { name: "etc/group", data: text(["root:x:0:", `nonroot:x:${user}:`]) },
    { name: "etc/nsswitch.conf", data: text(["hosts: files dns"]) },
    { name: "etc/os-release", link: "../usr/lib/os-release" },
    { name: "usr/lib/os-release", data: readFileSync(join(folderOf("base-files"), "usr/lib/os-release")) },
    { name: "tmp/", folder: true, mode: 0o1777 },
  ];
}

function text(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`);
}
