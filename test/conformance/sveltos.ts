/**
 * Runs the scenarios that were recorded from a running Sveltos (`setup.yaml`, and a folder a scenario: inputs and the objects
 * after each step) on embedded clusters, with an agent in each managed one, and compares after each step. Prints the
 * differences, then the intended differences that occurred, and how many steps agree.
 */
import { compareFolder } from "./sveltos/compare-folder.ts";
import { comparisonReport } from "./sveltos/comparison-report.ts";

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:sveltos -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const { lines, agree } = comparisonReport(await compareFolder(folder));
  process.stdout.write(`${lines.join("\n")}\n`);
  if (!agree) process.exitCode = 1;
}

await main(process.argv[2]);
