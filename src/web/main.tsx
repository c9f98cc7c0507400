/**
 * Entry of the coordinator's web interface. The page knows only the coordinator's public resources (docs/web.md).
 */
import "./app/without-eval.ts";
import { render } from "preact";
import { startFeed } from "./api/cluster-feed.ts";
import { App } from "./app/app.tsx";
import { applyTheme } from "./app/theme.ts";
import { keepTitle } from "./app/title.ts";
import "./styles/theme.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/components.css";
import "uplot/dist/uPlot.min.css";
import "./styles/overview.css";
import "./styles/queries.css";
import "./styles/workers.css";
import "./styles/simulator.css";
import "./styles/query.css";
import "./styles/login.css";

const place = document.getElementById("app");
if (place !== null) {
  applyTheme();
  keepTitle();
  startFeed();
  render(<App />, place);
}
