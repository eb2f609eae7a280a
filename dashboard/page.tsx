import { pathOf, viewAt, type SessionInfo, type View } from "../src/dashboard/api/index.ts";
import { ActionDialog } from "./action/action-dialog.tsx";
import { ActionNotices } from "./action/action-notices.tsx";
import { ActionsPage } from "./action/actions-page.tsx";
import { PageBar } from "./component/page-bar.tsx";
import { address, followLinks } from "./location.ts";
import { session, signInProblem } from "./session.ts";
import { ClusterPage } from "./view/cluster/cluster-page.tsx";
import { FleetPage } from "./view/fleet/fleet-page.tsx";
import { EventsPage } from "./view/events/events-page.tsx";
import { OverviewPage } from "./view/overview/overview-page.tsx";
import { ReleasePage } from "./view/release/release-page.tsx";
import { ProfilePage } from "./view/profile/profile-page.tsx";
import { SignInPage } from "./view/sign-in/sign-in-page.tsx";

/** The whole page: what all views have in common, and the view that the address names. */
export function Page() {
  const visitor = session.value;
  if (visitor === undefined) return <p class="empty">{signInProblem.value}</p>;
  if (!visitor.signedIn) return <SignInPage mode={visitor.mode} ended={visitor.ended} />;
  const view = viewOrFirst(address.value.pathname, visitor);
  return (
    <div class="page" onClick={followLinks}>
      <a class="skip-link" href="#view">
        Skip to the view
      </a>
      <PageBar view={view} visitor={visitor} />
      {view === undefined ? <div /> : <ActionNotices context={view.context} />}
      <main class="view" id="view" tabIndex={-1}>
        {view === undefined ? <NoView /> : <ViewOf view={view} key={pathOf(view)} />}
      </main>
      <ActionDialog />
    </div>
  );
}

/** The first page is the overview of the current context. */
function viewOrFirst(path: string, { contexts }: Extract<SessionInfo, { signedIn: true }>): View | undefined {
  if (path !== "/") return viewAt(path);
  const { name } = contexts.find(({ current }) => current) ?? contexts[0] ?? {};
  return name === undefined ? undefined : { type: "overview", context: name };
}

function NoView() {
  return (
    <p class="empty">
      There is no such view. <a href="/">The overview</a> shows what there is.
    </p>
  );
}

function ViewOf({ view }: { readonly view: View }) {
  switch (view.type) {
    case "overview":
      return <OverviewPage view={view} />;
    case "release":
      return <ReleasePage view={view} />;
    case "fleet":
      return <FleetPage view={view} />;
    case "cluster":
      return <ClusterPage view={view} />;
    case "profile":
      return <ProfilePage view={view} />;
    case "events":
      return <EventsPage view={view} />;
    case "actions":
      return <ActionsPage view={view} />;
    default:
      return <p class="empty">There is nothing to show of this yet.</p>;
  }
}
