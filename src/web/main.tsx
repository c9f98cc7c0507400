/**
 * Entry of the coordinator's web interface. The page knows only the coordinator's public resources (docs/web.md).
 */
import { render } from "preact";
import { App } from "./app/app.tsx";
import { applyTheme } from "./app/theme.ts";
import "./styles/theme.css";
import "./styles/layout.css";

const place = document.getElementById("app");
if (place !== null) {
  applyTheme();
  render(<App />, place);
}
