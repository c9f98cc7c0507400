/**
 * The SQL editor at `#/editor`. `?query=ID` opens a tab with the statement of a query, `?sql=` one with a text; neither runs anything.
 */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { effect, useSignal, useSignalEffect } from "@preact/signals";
import uplotCss from "uplot/dist/uPlot.min.css" with { type: "text" };
import { fetchJson } from "../api/request.ts";
import { navigate, route, setParameters } from "../app/router.ts";
import { isDark } from "../app/theme.ts";
import { showToast } from "../components/toast.tsx";
import { printPlainName } from "../../sql/printer/names.ts";
import editorCss from "./editor.css" with { type: "text" };
import { HistoryPanel } from "./history/history-panel.tsx";
import { Results } from "./results/result-view.tsx";
import type { Execution, RunMode } from "./run/execution.ts";
import { SchemaBrowser } from "./schema/schema-browser.tsx";
import { errorDiagnostic } from "./text/error-place.ts";
import { SqlEditor } from "./text/sql-editor.ts";
import { TabBar } from "./tabs/tab-bar.tsx";
import { Toolbar } from "./toolbar.tsx";
import { type RunScope, workspace } from "./workspace.ts";

/** The style sheet comes with the page's code, because a code part that is loaded later has no link element. */
function addStyles(): void {
  const id = "sql-editor-style";
  if (document.getElementById(id) === null) {
    const style = document.createElement("style");
    style.id = id;
    style.textContent = `${uplotCss}\n${editorCss}`;
    document.head.append(style);
  }
}

export function Editor(): JSX.Element {
  addStyles();
  const space = workspace();
  const editor = useRef<SqlEditor>(undefined);
  const side = useSignal<"schemas" | "history" | "none">(matchMedia("(max-width: 900px)").matches ? "none" : "schemas");
  const tab = space.activeTab;
  useEffect(() => openAddress(), [route.value]);
  if (tab === undefined) {
    return <p role="status">Opening a tab…</p>;
  }
  const run = (scope: RunScope, mode: RunMode): void => {
    const id = space.activeId.value;
    editor.current?.mark([]);
    space.run(id, scope, mode, editor.current?.selection ?? { from: 0, to: 0 });
  };
  const insert = (text: string): void => editor.current?.insert(text);
  const preview = (table: readonly string[]): void => {
    const text = `SELECT * FROM ${table.map(printPlainName).join(".")} LIMIT 1000`;
    const id = space.openText(text, { name: table.at(-1) ?? "" });
    space.run(id, "all", "run", { from: 0, to: 0 });
  };
  const goTo = (execution: Execution): void => {
    const place = errorDiagnostic(execution, editor.current?.text ?? "");
    if (place !== undefined) {
      editor.current?.goTo(place.from);
    }
  };
  return (
    <div class="sql-editor" ref={fillHeight}>
      <h1 class="visually-hidden">SQL editor</h1>
      <TabBar />
      <Toolbar
        tab={tab}
        side={side.value}
        onRun={run}
        onSide={(next) => {
          side.value = side.value === next ? "none" : next;
        }}
      />
      {space.notice.value !== "" && (
        <p class="failure" role="alert">
          {space.notice.value}
        </p>
      )}
      <div class="sql-columns">
        {side.value !== "none" && (
          <aside class="sql-side" aria-label={side.value === "schemas" ? "Schemas" : "History"}>
            {side.value === "schemas" ? (
              <SchemaBrowser onInsert={insert} onPreview={preview} />
            ) : (
              <HistoryPanel onOpen={({ sql, catalog, schema }) => openTab(sql, catalog, schema)} />
            )}
          </aside>
        )}
        <div class="sql-main" id="sql-panel" role="tabpanel" aria-label={tab.name}>
          <TextArea editor={editor} onRun={run} />
          <div class="sql-results">
            <Results key={tab.id} session={space.session(tab.id)} onGoTo={goTo} />
          </div>
        </div>
      </div>
    </div>
  );
}

interface TextAreaProps {
  readonly editor: { current: SqlEditor | undefined };
  readonly onRun: (scope: RunScope, mode: RunMode) => void;
}

const textHeightKey = "orrery.editor.height";

/** The text and, below it, a bar that changes its height. */
function TextArea({ editor, onRun }: TextAreaProps): JSX.Element {
  const space = workspace();
  const box = useRef<HTMLDivElement>(null);
  const height = useSignal(storedHeight());
  useEffect(() => {
    if (box.current === null) {
      return undefined;
    }
    const made = new SqlEditor(box.current, {
      metadata: space.metadata,
      surroundings: () => ({ catalog: space.activeTab?.catalog, schema: space.activeTab?.schema }),
      describedBy: "sql-keys",
      isDark: isDark.value,
      onChange: (id, text) => space.change(id, { text }),
      onRun: (scope) => onRun(scope, "run"),
    });
    editor.current = made;
    return () => {
      editor.current = undefined;
      made.destroy();
    };
  }, []);
  // At once, not after the next frame: a key that is pressed meanwhile would change the text of the tab before.
  useEffect(
    () =>
      effect(() => {
        editor.current?.show(space.activeId.value, space.activeTab?.text ?? "");
        editor.current?.keepOnly(space.tabs.value.map(({ id }) => id));
      }),
    [],
  );
  useEffect(
    () =>
      effect(() => {
        const foreign = space.foreignText.value;
        if (foreign !== undefined) {
          editor.current?.takeForeign(foreign.id, foreign.text);
        }
      }),
    [],
  );
  useSignalEffect(() => editor.current?.setDark(isDark.value));
  useSignalEffect(() => {
    const executions = space.session(space.activeId.value).executions.value;
    const failed = executions.find(({ version, state }) => version.value >= 0 && state === "failed");
    const diagnostic = failed === undefined ? undefined : errorDiagnostic(failed, editor.current?.text ?? "");
    editor.current?.mark(diagnostic === undefined ? [] : [diagnostic]);
  });
  const resize = (next: number): void => {
    height.value = Math.max(80, Math.min(1200, next));
    try {
      localStorage.setItem(textHeightKey, String(height.value));
    } catch {
      // The height lasts until the page is left.
    }
  };
  return (
    <>
      <div class="sql-text" ref={box} style={{ height: `${height.value}px` }} />
      <Splitter height={height.value} onResize={resize} />
      <p id="sql-keys" class="sql-keys">
        Tab indents; Escape and then Tab leaves the text. Ctrl+Space completes.
      </p>
    </>
  );
}

function storedHeight(): number {
  try {
    return Number(localStorage.getItem(textHeightKey)) || 240;
  } catch {
    return 240;
  }
}

function Splitter({ height, onResize }: { readonly height: number; readonly onResize: (height: number) => void }): JSX.Element {
  const start = (event: PointerEvent): void => {
    event.preventDefault();
    const bar = event.currentTarget as HTMLElement;
    bar.setPointerCapture(event.pointerId);
    const startY = event.clientY;
    const move = ({ clientY }: PointerEvent): void => onResize(height + clientY - startY);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      onResize(height + (event.key === "ArrowUp" ? -20 : 20));
    }
  };
  return (
    <div
      class="sql-splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the text"
      aria-valuenow={Math.round(height)}
      aria-valuemin={80}
      aria-valuemax={1200}
      tabIndex={0}
      onPointerDown={start}
      onKeyDown={onKeyDown}
    />
  );
}

/** The editor takes the rest of the window; on small screens it is as long as it needs. */
function fillHeight(element: HTMLDivElement | null): void {
  if (element !== null) {
    element.style.setProperty("--sql-top", `${Math.round(element.getBoundingClientRect().top + scrollY)}px`);
  }
}

function openTab(text: string, catalog: string | undefined, schema: string | undefined): void {
  workspace().openText(text, { ...(catalog === undefined ? {} : { catalog }), ...(schema === undefined ? {} : { schema }) });
}

/** Parameters are taken once: a reload must not open the tab again. */
function openAddress(): void {
  const { path, parameters } = route.value;
  const sql = parameters.get("sql");
  const query = parameters.get("query");
  if (path[0] !== "editor" || (sql === undefined && query === undefined)) {
    return;
  }
  const [catalog, schema] = [parameters.get("catalog"), parameters.get("schema")];
  setParameters({ sql: undefined, query: undefined, catalog: undefined, schema: undefined });
  if (sql !== undefined) {
    openTab(sql, catalog, schema);
  } else if (query !== undefined) {
    void openQuery(query);
  }
}

interface QueryText {
  readonly query: string;
  readonly session: { readonly catalog?: string; readonly schema?: string };
}

async function openQuery(id: string): Promise<void> {
  try {
    const { document } = await fetchJson<QueryText>(`v1/query/${encodeURIComponent(id)}`);
    openTab(document.query, document.session.catalog, document.session.schema);
  } catch (error) {
    showToast(`Query ${id} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, "bad");
    navigate("#/editor");
  }
}
