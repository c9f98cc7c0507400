/**
 * The page: reads its embedded runs and shows them. Everything is in this document; it sends no requests.
 */
import { App } from "./app.ts";
import { gutter, xOf } from "./drawing/brush.ts";
import { byId, h } from "./dom.ts";
import { type RunFacts, unpack } from "./model/format.ts";
import { EntryList } from "./list.ts";
import { buildRun, type Run } from "./model/model.ts";
import { Panel } from "./panel.ts";
import { Stage } from "./drawing/stage.ts";
import { applyTheme, dark, light } from "./drawing/theme.ts";
import { addToolbar } from "./toolbar.ts";

async function inflate(base64: string): Promise<Uint8Array> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    bytes[index] = text.charCodeAt(index);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function readRuns(): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const element of document.querySelectorAll<HTMLScriptElement>("script[data-run]")) {
    const [facts = "", entries = ""] = (element.textContent ?? "").trim().split("\n");
    const about = JSON.parse(new TextDecoder().decode(await inflate(facts))) as RunFacts;
    runs.push(buildRun(unpack(await inflate(entries)), about));
    // The element's text would occupy the memory twice.
    element.remove();
  }
  return runs;
}

function followTheme(stage: Stage): () => void {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let chosen: boolean | undefined;
  const apply = (): void => {
    const theme = (chosen ?? prefersDark.matches) ? dark : light;
    applyTheme(theme, document.documentElement.style);
    document.documentElement.style.setProperty("color-scheme", theme === dark ? "dark" : "light");
    stage.setTheme(theme);
  };
  prefersDark.addEventListener("change", apply);
  apply();
  return () => {
    chosen = !(chosen ?? prefersDark.matches);
    apply();
  };
}

async function start(): Promise<void> {
  const runs = await readRuns();
  applyTheme(matchMedia("(prefers-color-scheme: dark)").matches ? dark : light, document.documentElement.style);
  const app = new App(runs);
  const stage = new Stage(app, light);
  const toggleTheme = followTheme(stage);
  const panel = new Panel(app);
  addToolbar({ app, panel, toggleTheme });
  new EntryList(app);
  byId("loading", HTMLDivElement).remove();
  // For tests and debugging: what is drawn, and where.
  Object.assign(window, {
    orreryView: {
      app,
      stage,
      runs,
      drawn: () => {
        stage.paint();
        return stage.drawn;
      },
      hitTest: (x: number, y: number) => stage.hit(x, y),
      pointOf: (scene: number, entry: number) => {
        const laid = app.scenes[scene];
        const lane = laid?.laneOf[laid.run.columns.place[entry] ?? 0];
        return lane === undefined ? undefined : { x: xOf(app, laid?.at[entry] ?? 0), y: lane.spine };
      },
      gutter,
    },
  });
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(h("p", { class: "failure" }, `The run cannot be shown: ${message}`));
  throw error;
});
