import { Fault } from "../../core/fault/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";

/** Something that is referred to and is not there. Only its coming can help. */
export class MissingReference extends Fault {
  constructor(kind: string, namespace: string, name: string) {
    // Tools look for these words: they are Sveltos'.
    super(`Referenced resource: ${kind} ${namespace === "" ? "" : `${namespace}/`}${name} does not exist`, undefined, { final: true });
    this.name = "MissingReference";
  }
}

/** Content of kinds that the cluster does not serve. Only their coming can help. */
export class UnservedKinds extends Fault {
  override readonly name = "UnservedKinds";
  readonly kinds: readonly GroupVersionKind[];

  constructor(message: string, kinds: readonly GroupVersionKind[]) {
    super(message, undefined, { final: true });
    this.kinds = kinds;
  }
}
