import { pathOf, type SessionInfo, type View } from "../../src/dashboard/api/index.ts";
import { goTo } from "../location.ts";
import { signOut } from "../session.ts";

type SignedIn = Extract<SessionInfo, { signedIn: true }>;

/** The links that every view has in common, the cluster that is looked at, and who looks. */
export function PageBar({ view, visitor }: { readonly view: View | undefined; readonly visitor: SignedIn }) {
  const context = view?.context ?? visitor.contexts[0]?.name ?? "";
  const links = [
    ["Overview", { type: "overview", context }, ["overview", "release"]],
    ["Fleet", { type: "fleet", context }, ["fleet", "cluster", "profile"]],
    ["Events", { type: "events", context }, ["events"]],
    ["Actions", { type: "actions", context }, ["actions"]],
  ] as const;
  return (
    <header class="bar">
      <a class="brand" href="/" aria-label="Sluice: the overview">
        <img src="/icon.svg" alt="" width="20" height="20" />
        <span>Sluice</span>
      </a>
      <nav aria-label="Views">
        {links.map(([title, target, within]) => (
          <a key={title} href={pathOf(target)} {...(isWithin(view, within) ? { "aria-current": "page" as const } : {})}>
            {title}
          </a>
        ))}
      </nav>
      <div class="end">
        <ContextPicker context={context} visitor={visitor} />
        <button type="button" class="plain" onClick={signOut} title={visitor.user === "" ? "Sign out" : `Signed in as ${visitor.user}`}>
          Sign out
        </button>
      </div>
    </header>
  );
}

function isWithin(view: View | undefined, types: readonly string[]): boolean {
  return view !== undefined && types.includes(view.type);
}

/** Chooses the cluster to look at. With a single one there is nothing to choose. */
function ContextPicker({ context, visitor }: { readonly context: string; readonly visitor: SignedIn }) {
  const { contexts } = visitor;
  if (contexts.length < 2) return <span class="quiet">{context}</span>;
  return (
    <label>
      <span class="only-read-aloud">Cluster</span>
      <select class="field" value={context} onChange={goToContext}>
        {contexts.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function goToContext(event: Event): void {
  goTo(pathOf({ type: "overview", context: (event.target as HTMLSelectElement).value }));
}
