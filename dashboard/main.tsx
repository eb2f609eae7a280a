import { render } from "preact";
import { Page } from "./page.tsx";
import { openSession } from "./session.ts";

// The printed address differs from that of the page that asks for it by its fragment alone, so the browser loads nothing anew.
addEventListener("hashchange", () => void openSession());
render(<Page />, document.getElementById("page")!);
await openSession();
