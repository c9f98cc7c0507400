/** Frame of all pages: navigation, theme, connection, and the page of the current address. Pages are loaded when they are first opened. */
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { connection, onRecovery } from "../api/connection.ts";
import { login } from "../api/login.ts";
import { Toasts } from "../components/toast.tsx";
import { ClusterName, ConnectionState, SilenceBar } from "./connection-state.tsx";
import { LoggedIn, Login } from "./login.tsx";
import { Logo, ThemeIcon } from "./icons.tsx";
import { route } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";
import { setTitle } from "./title.ts";

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
  const page = key === "query" ? queryPage : Object.hasOwn(pages, key) ? pages[key] : undefined;
  return page === undefined ? undefined : { key, page };
}

export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header />
      <SilenceBar />
      {login.value.isRequired ? <Login /> : <Main />}
      <Toasts />
    </>
  );
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Header() {
  const [first = "", second] = route.value.path;
  return (
    <header class="top">
      <a class="brand" href="#/">
        <Logo />
        Orrery
      </a>
      <nav aria-label="Pages">
        {Object.entries(pages).map(([key, { title }]) => (
          <a key={key} href={`#/${key}`} aria-current={key !== first ? undefined : second === undefined ? "page" : "true"}>
            {title}
          </a>
        ))}
      </nav>
      <div class="ends">
        <ClusterName />
        <ConnectionState />
        <LoggedIn />
        <button type="button" class="quiet icon" onClick={nextTheme} aria-label={`Theme: ${theme.value}`} title={`Theme: ${theme.value}`}>
          <ThemeIcon theme={theme.value} />
        </button>
      </div>
    </header>
  );
}

interface Shown {
  readonly key: string;
  readonly Page: ComponentType;
}

function Main() {
  const current = currentPage();
  const shown = useSignal<Shown | undefined>(undefined);
  const failure = useSignal("");
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const key = current?.key;
  useEffect(() => {
    let isLeft = false;
    let forget = (): void => undefined;
    failure.value = "";
    setTitle(current?.page.title ?? "Not found");
    current?.page.load().then(
      (Page) => {
        if (!isLeft) {
          shown.value = { key: current.key, Page };
        }
      },
      (error: unknown) => {
        if (!isLeft) {
          failure.value = String(error);
          // A failed module stays failed in this document. Without an answer, a reload would leave the page.
          forget = onRecovery(() => connection.value.state === "answering" && location.reload());
        }
      },
    );
    return () => {
      isLeft = true;
      forget();
    };
  }, [key]);
  const Shown = shown.value !== undefined && shown.value.key === key ? shown.value.Page : undefined;
  const shownKey = Shown === undefined ? undefined : key;
  useLayoutEffect(() => {
    // A new page begins at its top, for the eye and for screen readers. The first page of a visit leaves the focus to the browser.
    if (shownKey !== undefined && !isFirst.current) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    isFirst.current &&= shownKey === undefined;
  }, [shownKey]);
  return (
    <main id="main" tabIndex={-1} ref={main} aria-busy={current !== undefined && Shown === undefined && failure.value === ""}>
      {current === undefined && (
        <div role="alert">
          <h1>Not found</h1>
          <p>
            There is no page at this address. <a href="#/">Overview</a>
          </p>
        </div>
      )}
      {failure.value !== "" && (
        <p class="failure" role="alert">
          <span>The page could not be loaded: {failure.value}. The server may have been updated or does not answer.</span>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {Shown !== undefined && <Shown />}
    </main>
  );
}
