/**
 * The page inside the web interface of a coordinator, which hands it files that the user opened. It sends no requests; the files stay in
 * the browser.
 */
import { type OpenedFile, openRuns } from "../opened.ts";
import { pack, unpack } from "./model/format.ts";
import { buildRun } from "./model/model.ts";
import { showRuns, type Themes } from "./show.ts";

/** From the web interface. */
type Order =
  | { readonly kind: "open"; readonly files: readonly OpenedFile[]; readonly isDark: boolean }
  | { readonly kind: "theme"; readonly isDark: boolean };

let themes: Themes | undefined;

function answer(message: { readonly kind: "ready" | "shown" | "failed"; readonly text: string }): void {
  parent.postMessage(message, location.origin);
}

function open(files: readonly OpenedFile[], isDark: boolean): void {
  try {
    const runs = openRuns(files);
    themes = showRuns(
      runs.map(({ facts, entries }) => buildRun(unpack(pack(entries)), facts)),
      isDark,
    );
    const entries = runs.reduce((sum, run) => sum + run.entries.length, 0);
    answer({ kind: "shown", text: `${runs.map(({ facts }) => facts.name).join(" and ")}: ${entries} entries` });
  } catch (error) {
    answer({ kind: "failed", text: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

addEventListener("message", ({ source, origin, data }: MessageEvent<Order>) => {
  if (source !== parent || origin !== location.origin) {
    return;
  }
  switch (data.kind) {
    case "open":
      open(data.files, data.isDark);
      break;
    case "theme":
      themes?.choose(data.isDark);
      break;
  }
});
answer({ kind: "ready", text: "" });
