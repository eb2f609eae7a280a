/** Rehearses the deploys of all scenarios on an embedded cluster in virtual time, carries them out, and prints how far they agree. */
import { embeddedUnderTest, runScenario, scenarios } from "../scenarios/index.ts";
import { Accuracy } from "./accuracy.ts";

const accuracy = new Accuracy();
for (const scenario of scenarios) {
  const underTest = embeddedUnderTest();
  try {
    await runScenario(scenario, underTest, undefined, accuracy.observe(scenario, underTest));
  } finally {
    underTest.close();
  }
}
for (const line of accuracy.lines()) process.stdout.write(`${line}\n`);
if (accuracy.rows.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
