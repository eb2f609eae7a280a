import { pathOf, type ActionItem, type ActionsView } from "../../src/dashboard/api/index.ts";
import { Notices } from "../component/notices.tsx";
import { openViews } from "../stream/view-stream.ts";
import { OpenPlan } from "./open-plan.tsx";

/** What the visitor has started, and the place to run a saved plan from. */
export function ActionsPage({ view }: { readonly view: ActionsView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const count = items.ofType<ActionItem>("action").length;
  return (
    <div class="actions-page">
      <h1>Actions</h1>
      <Notices items={items} />
      <OpenPlan context={view.context} />
      <p class="quiet">
        {count === 0
          ? "You have started nothing since this dashboard runs."
          : "What you have started is shown above, until you put it away."}{" "}
        Roll back and redeploy on the page of a release, a cluster or a profile.
      </p>
    </div>
  );
}
