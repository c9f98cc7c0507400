/** Frame of all pages: navigation, theme, and the page of the current address. Pages are loaded when they are first opened. */
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { route } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";

interface Page {
  readonly title: string;
  /** Loads the code of the page. */
  readonly load: () => Promise<ComponentType>;
}

const pages: Readonly<Record<string, Page>> = {
  "": { title: "Overview", load: async () => (await import("../overview/overview.tsx")).Overview },
  queries: { title: "Queries", load: async () => (await import("../queries/queries.tsx")).Queries },
  workers: { title: "Workers", load: async () => (await import("../workers/workers.tsx")).Workers },
  editor: { title: "SQL editor", load: async () => (await import("../editor/editor.tsx")).Editor },
  simulator: { title: "Simulator", load: async () => (await import("../simulator/simulator.tsx")).Simulator },
};
/** `#/queries/ID` is a page of its own. */
const queryPage: Page = { title: "Query", load: async () => (await import("../query/query.tsx")).Query };

function currentPage(): { readonly key: string; readonly page: Page } | undefined {
  const [first = "", second] = route.value.path;
  const key = first === "queries" && second !== undefined ? "query" : first;
  const page = key === "query" ? queryPage : pages[key];
  return page === undefined ? undefined : { key, page };
}

export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header />
      <Main />
    </>
  );
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Header() {
  const [first = ""] = route.value.path;
  return (
    <header class="top">
      <a class="brand" href="#/">
        Orrery
      </a>
      <nav aria-label="Pages">
        {Object.entries(pages).map(([key, { title }]) => (
          <a key={key} href={`#/${key}`} aria-current={key === first ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <button type="button" class="quiet" onClick={nextTheme} aria-label={`Theme: ${theme.value}`}>
        {{ system: "◐", light: "☀", dark: "☾" }[theme.value]}
      </button>
    </header>
  );
}

function Main() {
  const current = currentPage();
  const shown = useSignal<{ readonly key: string; readonly Page: ComponentType } | undefined>(undefined);
  const failure = useSignal("");
  const main = useRef<HTMLElement>(null);
  const key = current?.key;
  useEffect(() => {
    let left = false;
    failure.value = "";
    document.title = current === undefined ? "Orrery" : `${current.page.title} · Orrery`;
    current?.page.load().then(
      (Page) => {
        if (!left) {
          shown.value = { key: current.key, Page };
        }
      },
      (error: unknown) => {
        failure.value = String(error);
      },
    );
    return () => {
      left = true;
    };
  }, [key]);
  const Shown = shown.value !== undefined && shown.value.key === key ? shown.value.Page : undefined;
  return (
    <main id="main" tabIndex={-1} ref={main}>
      {current === undefined && (
        <p role="alert">
          There is no page at this address. <a href="#/">Overview</a>
        </p>
      )}
      {failure.value !== "" && (
        <p role="alert">The page could not be loaded: {failure.value}. Reload it; the server may have been updated.</p>
      )}
      {Shown !== undefined && <Shown />}
    </main>
  );
}
