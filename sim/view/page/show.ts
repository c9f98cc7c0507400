/** Shows runs in the page's document: lanes, panel, list and toolbar. */
import { App, type LiveRun } from "./app.ts";
import { gutter, xOf } from "./drawing/brush.ts";
import { byId } from "./dom.ts";
import { EntryList } from "./list.ts";
import type { Run } from "./model/model.ts";
import { Panel } from "./panel.ts";
import { Stage } from "./drawing/stage.ts";
import { applyTheme, dark, light } from "./drawing/theme.ts";
import { addToolbar } from "./toolbar.ts";

export interface Themes {
  /** Toggles between light and dark. */
  readonly toggle: () => void;
  readonly choose: (isDark: boolean) => void;
}

/** `isDark`: instead of the system's setting. */
function followTheme(stage: Stage, isDark: boolean | undefined): Themes {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = isDark;
  const apply = (): void => {
    const theme = (chosen ?? prefersDark.matches) ? dark : light;
    applyTheme(theme, document.documentElement.style);
    document.documentElement.style.setProperty("color-scheme", theme === dark ? "dark" : "light");
    stage.setTheme(theme);
  };
  const choose = (choice: boolean): void => {
    chosen = choice;
    apply();
  };
  prefersDark.addEventListener("change", apply);
  apply();
  return { choose, toggle: () => choose(!(chosen ?? prefersDark.matches)) };
}

/** The parts of the page that show a run, for the one who makes it. */
export interface ShownRuns {
  readonly app: App;
  readonly themes: Themes;
}

export function showRuns(runs: readonly Run[], isDark?: boolean): Themes {
  return showLive(runs, { isDark }).themes;
}

/** `live`: of a run that is still being made. */
export function showLive(
  runs: readonly Run[],
  { isDark, live }: { readonly isDark?: boolean | undefined; readonly live?: LiveRun | undefined },
): ShownRuns {
  const startsDark = isDark ?? matchMedia("(prefers-color-scheme: dark)").matches;
  applyTheme(startsDark ? dark : light, document.documentElement.style);
  const app = new App(runs);
  app.live = live;
  const stage = new Stage(app, light);
  const themes = followTheme(stage, isDark);
  const panel = new Panel(app);
  addToolbar({ app, panel, toggleTheme: themes.toggle });
  new EntryList(app);
  byId("loading", HTMLDivElement).remove();
  // For tests and debugging: what is drawn, and where.
  Object.assign(window, {
    orreryView: {
      app,
      stage,
      get runs() {
        return app.runs;
      },
      drawn: () => {
        stage.paint();
        return stage.drawn;
      },
      hitTest: (x: number, y: number) => {
        stage.paint();
        return stage.hit(x, y);
      },
      pointOf: (scene: number, entry: number) => {
        stage.paint();
        const laid = app.scenes[scene];
        const lane = laid?.laneOf[laid.run.columns.place[entry] ?? 0];
        return lane === undefined ? undefined : { x: xOf(app, laid?.at[entry] ?? 0), y: lane.spine };
      },
      gutter,
    },
  });
  return { app, themes };
}
