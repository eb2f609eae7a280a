import type { Crew } from "./play.ts";

/** The controllers of the management side, and an agent in each managed cluster. */
export const crew: Crew = async (lab) => {
  await lab.run();
};
