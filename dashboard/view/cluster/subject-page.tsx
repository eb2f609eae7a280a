import type { ComponentChildren } from "preact";
import { pathOf } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { Notices } from "../../component/notices.tsx";
import type { ViewItems } from "../../stream/view-items.ts";

type Props = {
  readonly context: string;
  readonly items: ViewItems;
  readonly head: ComponentChildren;
  /** What says the same in a terminal. */
  readonly commands: readonly string[];
  readonly children: ComponentChildren;
};

/** The page of one cluster or profile of a fleet: where it is, what it is, what has to be known of it, and the rest. */
export function SubjectPage({ context, items, head, commands, children }: Props) {
  return (
    <div class="fleet-page">
      <nav class="crumbs" aria-label="Where this is">
        <a href={pathOf({ type: "fleet", context })}>Fleet</a> <span aria-hidden="true">/</span>
      </nav>
      {head}
      <Notices items={items} />
      {children}
      <section aria-labelledby="commands-title">
        <div class="section-head">
          <h2 id="commands-title">The same in a terminal</h2>
        </div>
        <div class="commands">
          {commands.map((command) => (
            <CopyCommand key={command} command={command} />
          ))}
        </div>
      </section>
    </div>
  );
}
