import { Fault } from "../../fault/index.ts";

/** Something that is referred to and is not there. Only its coming can help. */
export class MissingReference extends Fault {
  constructor(kind: string, namespace: string, name: string) {
    // Tools look for these words: they are Sveltos'.
    super(`Referenced resource: ${kind} ${namespace === "" ? "" : `${namespace}/`}${name} does not exist`, undefined, { final: true });
    this.name = "MissingReference";
  }
}
