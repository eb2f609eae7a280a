import type { EventsView } from "../../../src/dashboard/api/index.ts";
import { pathOf } from "../../../src/dashboard/api/index.ts";
import { Notices } from "../../component/notices.tsx";
import { openViews } from "../../stream/view-stream.ts";
import { EventLists } from "./event-lists.tsx";
import { FlowView } from "./flow-view.tsx";

/** The way of events: all triggers, or the flow of one trigger or one cluster. */
export function EventsPage({ view }: { readonly view: EventsView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const isList = view.trigger === undefined && view.cluster === undefined;
  return (
    <div class="events">
      <Notices items={items} />
      {isList ? <EventLists items={items} context={view.context} /> : <FlowView items={items} view={view} />}
    </div>
  );
}
