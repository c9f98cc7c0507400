/** What is run, where and as whom: run buttons, catalog, schema, session properties, sharing and settings. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { addressOf } from "../app/router.ts";
import { CopyButton } from "../components/copy-button.tsx";
import type { RunMode } from "./run/execution.ts";
import { login } from "../api/login.ts";
import { changeSettings, rowsMaxMax, settings } from "./settings.ts";
import type { TabDocument } from "./tabs/tab-store.ts";
import { type RunScope, workspace } from "./workspace.ts";

interface ToolbarProps {
  readonly tab: TabDocument;
  readonly onRun: (scope: RunScope, mode: RunMode) => void;
  readonly onSide: (side: "schemas" | "history") => void;
  readonly side: "schemas" | "history" | "none";
}

export function Toolbar({ tab, onRun, onSide, side }: ToolbarProps): JSX.Element {
  const session = workspace().session(tab.id);
  const isRunning = session.isRunning.value;
  return (
    <div class="sql-toolbar" role="group" aria-label="Statement">
      <span class="sql-group">
        {isRunning ? (
          <button type="button" class="danger" onClick={() => session.cancel()}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            title="Runs the selection or the statement at the cursor (Ctrl+Enter)"
            onClick={() => onRun("current", "run")}
          >
            Run
          </button>
        )}
        <button type="button" disabled={isRunning} title="Ctrl+Shift+Enter" onClick={() => onRun("all", "run")}>
          Run all
        </button>
        <button type="button" disabled={isRunning} title="Shows the plan of the statement" onClick={() => onRun("current", "explain")}>
          Explain
        </button>
        <button
          type="button"
          disabled={isRunning}
          title="Runs the statement and shows its plan with times"
          onClick={() => onRun("current", "analyze")}
        >
          Analyze
        </button>
      </span>
      <Place tab={tab} />
      <Properties tab={tab} />
      <span class="sql-group sql-end">
        <CopyButton text={() => shareAddress(workspace().tab(tab.id) ?? tab)} what="Link" class="quiet">
          Share
        </CopyButton>
        <Settings />
        <button type="button" aria-pressed={side === "schemas"} onClick={() => onSide("schemas")}>
          Schemas
        </button>
        <button type="button" aria-pressed={side === "history"} onClick={() => onSide("history")}>
          History
        </button>
      </span>
    </div>
  );
}

/** An address that opens a tab with the text and does not run it. */
function shareAddress({ text, catalog, schema }: Pick<TabDocument, "text" | "catalog" | "schema">): string {
  return new URL(addressOf(["editor"], { sql: text, catalog, schema }), document.baseURI).href;
}

/** Catalog and schema of the tab, with what the server has as suggestions. */
function Place({ tab }: { readonly tab: TabDocument }): JSX.Element {
  const space = workspace();
  const catalogs = useSignal<readonly string[]>([]);
  const schemas = useSignal<readonly string[]>([]);
  const version = space.metadataVersion.value;
  useEffect(() => {
    space.metadata.catalogs().then(
      (names) => (catalogs.value = names),
      () => undefined,
    );
  }, [version]);
  useEffect(() => {
    schemas.value = [];
    if (tab.catalog !== undefined) {
      space.metadata.schemas(tab.catalog).then(
        (names) => (schemas.value = names),
        () => undefined,
      );
    }
  }, [tab.catalog, version]);
  const set = (catalog: string | undefined, schema: string | undefined): void => {
    const session = space.session(tab.id);
    const { catalog: _catalog, schema: _schema, ...others } = session.session;
    session.session = { ...others, ...(catalog === undefined ? {} : { catalog }), ...(schema === undefined ? {} : { schema }) };
  };
  return (
    <span class="sql-group">
      <select
        value={tab.catalog ?? ""}
        aria-label="Catalog"
        title="Catalog"
        onChange={(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value, undefined)}
      >
        <option value="">No catalog</option>
        {withCurrent(catalogs.value, tab.catalog).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        value={tab.schema ?? ""}
        aria-label="Schema"
        title="Schema"
        disabled={tab.catalog === undefined}
        onChange={(event) => set(tab.catalog, event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
      >
        <option value="">No schema</option>
        {withCurrent(schemas.value, tab.schema).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  );
}

function withCurrent(names: readonly string[], current: string | undefined): readonly string[] {
  return current === undefined || names.includes(current) ? names : [current, ...names];
}

/** What SET SESSION has set, each with a button that takes it back. */
function Properties({ tab }: { readonly tab: TabDocument }): JSX.Element | null {
  const entries = Object.entries(tab.properties);
  const session = workspace().session(tab.id);
  const reset = (name: string): void => {
    const properties = Object.fromEntries(entries.filter(([other]) => other !== name));
    session.session = { ...session.session, properties };
  };
  return entries.length === 0 ? null : (
    <ul class="sql-properties" aria-label="Session properties">
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>
            {name} = {value}
          </code>
          <button type="button" class="quiet small" aria-label={`Reset ${name}`} onClick={() => reset(name)}>
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

function Settings(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const { rowsMax, user } = settings.value;
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        Settings
      </button>
      <dialog class="sql-dialog sql-settings" ref={dialog} aria-label="Settings of the editor">
        <header>
          <h2>Settings</h2>
          <button type="button" class="small" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        <label>
          Rows kept of a result
          <input
            type="number"
            min={1}
            max={rowsMaxMax}
            value={rowsMax}
            onChange={(event) => changeSettings({ rowsMax: event.currentTarget.valueAsNumber })}
          />
        </label>
        {login.value.user === undefined && (
          <label>
            User
            <input value={user} maxLength={200} onChange={(event) => changeSettings({ user: event.currentTarget.value })} />
          </label>
        )}
      </dialog>
    </>
  );
}
