/**
 * State of the editor: tabs, their sessions and results, history and metadata. It outlives the page: running statements go on while another
 * page is shown.
 */
import { signal } from "@preact/signals";
import type { ClientSession } from "../../client/session.ts";
import { Metadata } from "./completion/metadata.ts";
import { History } from "./history/history.ts";
import type { Execution, RunMode } from "./run/execution.ts";
import { newSession, statementClient, TabSession } from "./run/tab-session.ts";
import { settings, statementUser } from "./settings.ts";
import { statementRanges } from "../../sql/statement-ranges.ts";
import { statementAt } from "./sql/statements.ts";
import { byOrder, changedTab, freeName, orderAt, type TabDocument, TabStore, tabsMax, type TextStorage } from "./tabs/tab-store.ts";

export type RunScope =
  /** The selection, or the statement at the cursor. */
  "current" | "all";

export interface TextSelection {
  readonly from: number;
  readonly to: number;
}

const activeKey = "orrery.editor.active";

/** Storage of this page only, for browsers that keep nothing. */
function memoryStorage(): TextStorage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

function browserStorage(kind: "localStorage" | "sessionStorage"): TextStorage {
  try {
    return globalThis[kind];
  } catch {
    return memoryStorage();
  }
}

export class Workspace {
  readonly tabs = signal<readonly TabDocument[]>([]);
  readonly activeId = signal("");
  /** A sentence about what could not be saved; empty if all is well. */
  readonly notice = signal("");
  /** Counts statements, so that views of the history read it again. */
  readonly historyVersion = signal(0);
  /** Counts statements that may have changed tables. */
  readonly metadataVersion = signal(0);
  /** A text that the editor must take over: another window changed it. */
  readonly foreignText = signal<{ readonly id: string; readonly text: string } | undefined>(undefined);
  readonly history: History;
  readonly metadata: Metadata;
  readonly #store: TabStore;
  readonly #active: TextStorage;
  readonly #sessions = new Map<string, TabSession>();

  constructor() {
    const storage = browserStorage("localStorage");
    this.#store = new TabStore(storage);
    this.#active = browserStorage("sessionStorage");
    this.history = new History(storage);
    this.metadata = new Metadata(metadataRows, () => performance.now());
    this.tabs.value = this.#store.load();
    if (this.tabs.value.length === 0) {
      void this.#startInFiles(this.open({}));
    }
    const active = this.#active.getItem(activeKey);
    this.activate(this.tabs.value.find(({ id }) => id === active)?.id ?? this.tabs.value[0]?.id ?? "");
    addEventListener("storage", ({ key, newValue }) => this.#takeForeign(key, newValue));
  }

  /** In a new browser the first tab begins in the catalog of the user's own files, if there is one. */
  async #startInFiles(id: string): Promise<void> {
    const catalogs = await this.metadata.catalogs().catch((): readonly string[] => []);
    const tab = this.tab(id);
    if (catalogs.includes("files") && tab !== undefined && tab.catalog === undefined && tab.text === "") {
      const session = this.session(id);
      session.session = { ...session.session, catalog: "files", schema: "default" };
    }
  }

  get activeTab(): TabDocument | undefined {
    return this.tabs.value.find(({ id }) => id === this.activeId.value);
  }

  tab(id: string): TabDocument | undefined {
    return this.tabs.value.find((tab) => tab.id === id);
  }

  activate(id: string): void {
    this.activeId.value = id;
    try {
      this.#active.setItem(activeKey, id);
    } catch {
      // The first tab is active after a reload.
    }
  }

  /** Opens a tab and activates it; returns its id. With too many tabs, the active one stays. */
  open(template: Partial<Omit<TabDocument, "id" | "order">>): string {
    if (this.tabs.value.length >= tabsMax) {
      this.notice.value = `There are ${tabsMax} tabs already: close one first`;
      return this.activeId.value;
    }
    const current = this.activeTab;
    const place = current === undefined ? {} : sessionFields(current);
    const tab: TabDocument = {
      ...place,
      properties: {},
      preparedStatements: {},
      text: "",
      ...template,
      name: template.name ?? freeName(this.tabs.value),
      id: crypto.getRandomValues(new Uint32Array(3)).join("-"),
      order: orderAt(this.tabs.value, this.tabs.value.length),
    };
    this.tabs.value = [...this.tabs.value, tab];
    this.#save(tab);
    this.activate(tab.id);
    return tab.id;
  }

  /** Opens a text, in the active tab if that is empty, and in the tab that has it already. */
  openText(text: string, template: Partial<Omit<TabDocument, "id" | "order" | "text">> = {}): string {
    const same = this.tabs.value.find((tab) => tab.text === text && template.catalog === undefined);
    if (same !== undefined) {
      this.activate(same.id);
      return same.id;
    }
    const active = this.activeTab;
    if (active === undefined || active.text.trim() !== "" || this.session(active.id).isRunning.value) {
      return this.open({ ...template, text });
    }
    this.change(active.id, { ...template, text });
    this.foreignText.value = { id: active.id, text };
    const session = this.session(active.id);
    session.session = { ...session.session, ...sessionFields(this.tab(active.id) ?? active) };
    return active.id;
  }

  change(id: string, changes: Partial<Omit<TabDocument, "id">>): void {
    const tab = this.tab(id);
    if (tab === undefined) {
      return;
    }
    const changed = { ...tab, ...changes };
    this.tabs.value = this.tabs.value.map((one) => (one.id === id ? changed : one)).sort(byOrder);
    this.#save(changed);
  }

  rename(id: string, name: string): void {
    if (name.trim() !== "") {
      this.change(id, { name: name.trim().slice(0, 100) });
    }
  }

  /** Moves a tab by one place, or to a place. */
  move(id: string, to: number): void {
    const others = this.tabs.value.filter((tab) => tab.id !== id);
    this.change(id, { order: orderAt(others, Math.max(0, Math.min(others.length, to))) });
  }

  close(id: string): void {
    const index = this.tabs.value.findIndex((tab) => tab.id === id);
    const tab = this.tabs.value[index];
    if (tab === undefined) {
      return;
    }
    this.#sessions.get(id)?.cancel();
    this.#sessions.delete(id);
    this.#store.close(tab);
    this.#forget(id, index);
  }

  #forget(id: string, index: number): void {
    this.tabs.value = this.tabs.value.filter((one) => one.id !== id);
    if (this.tabs.value.length === 0) {
      this.open({});
    } else if (this.activeId.value === id) {
      this.activate(this.tabs.value[Math.min(index, this.tabs.value.length - 1)]?.id ?? "");
    }
  }

  /** Opens the tab that was closed last; false if there is none. */
  reopen(): boolean {
    const tab = this.#store.takeClosed();
    if (tab !== undefined) {
      this.open(tab);
    }
    return tab !== undefined;
  }

  session(id: string): TabSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) {
      return known;
    }
    const tab = this.tab(id);
    const session = newSession(statementUser.value, tab === undefined ? {} : sessionFields(tab));
    const created = new TabSession(session, {
      onStatement: (execution) => this.#remember(execution, created.session),
      onSession: (changed) => this.#keepSession(id, changed),
    });
    this.#sessions.set(id, created);
    return created;
  }

  /** Runs statements of a tab. A selection runs as it is: all of its statements. */
  run(id: string, scope: RunScope, mode: RunMode, selection: TextSelection): void {
    const tab = this.tab(id);
    if (tab === undefined) {
      return;
    }
    const session = this.session(id);
    if (session.session.user !== statementUser.value) {
      session.session = { ...session.session, user: statementUser.value };
    }
    const statements = statementsToRun(tab.text, scope, selection).map(({ from, to }) => ({
      sql: tab.text.slice(from, to),
      offset: from,
      mode,
    }));
    void session.run(statements, { rowsMax: settings.value.rowsMax });
  }

  #remember(execution: Execution, session: ClientSession): void {
    const { queryId } = execution;
    this.history.add({
      sql: execution.sql,
      startedMs: execution.startedMs,
      state: execution.state,
      elapsedMs: Math.round(execution.elapsedMs),
      rows: execution.rows.length,
      ...(queryId === undefined ? {} : { queryId }),
      ...(session.catalog === undefined ? {} : { catalog: session.catalog }),
      ...(session.schema === undefined ? {} : { schema: session.schema }),
    });
    this.historyVersion.value++;
    if (/^(?:CREATE|DROP|ALTER|CALL)\b/.test(execution.results?.updateType ?? "")) {
      this.metadata.clear();
      this.metadataVersion.value++;
    }
  }

  #keepSession(id: string, { catalog, schema, properties, preparedStatements }: ClientSession): void {
    const tab = this.tab(id);
    const changed = JSON.stringify([catalog, schema, properties, preparedStatements]);
    if (tab !== undefined && JSON.stringify([tab.catalog, tab.schema, tab.properties, tab.preparedStatements]) !== changed) {
      const { catalog: _catalog, schema: _schema, ...others } = tab;
      const place = { ...(catalog === undefined ? {} : { catalog }), ...(schema === undefined ? {} : { schema }) };
      const kept = { ...others, ...place, properties, preparedStatements };
      this.tabs.value = this.tabs.value.map((one) => (one.id === id ? kept : one));
      this.#save(kept);
    }
  }

  #save(tab: TabDocument): void {
    const isSaved = this.#store.save(tab);
    const reason = "the browser's storage is full or the text is too long. It will be lost when the page is left.";
    this.notice.value = isSaved ? "" : `Tab '${tab.name}' cannot be saved: ${reason}`;
  }

  /** Another window changed, opened or closed a tab. */
  #takeForeign(key: string | null, value: string | null): void {
    const change = changedTab(key, value);
    if (change === undefined) {
      return;
    }
    const { id, tab } = change;
    const index = this.tabs.value.findIndex((one) => one.id === id);
    if (tab === undefined) {
      // A window that runs a statement of the tab keeps it.
      if (index >= 0 && value === null && this.#sessions.get(id)?.isRunning.value !== true) {
        this.#forget(id, index);
      }
      return;
    }
    const isText = this.tabs.value[index]?.text !== tab.text;
    this.tabs.value = [...this.tabs.value.filter((one) => one.id !== id), tab].sort(byOrder);
    if (isText) {
      this.foreignText.value = { id, text: tab.text };
    }
  }
}

function sessionFields({
  catalog,
  schema,
  properties,
  preparedStatements,
}: TabDocument): Pick<ClientSession, "catalog" | "schema" | "properties" | "preparedStatements"> {
  return {
    ...(catalog === undefined ? {} : { catalog }),
    ...(schema === undefined ? {} : { schema }),
    properties,
    preparedStatements,
  };
}

function statementsToRun(text: string, scope: RunScope, { from, to }: TextSelection): readonly TextSelection[] {
  if (scope === "all") {
    return statementRanges(text);
  }
  if (from < to) {
    return statementRanges(text.slice(from, to)).map((range) => ({ from: range.from + from, to: range.to + from }));
  }
  const found = statementAt(text, from);
  return found === undefined ? [] : [found];
}

/** The editor's own statements are told apart by their source. */
async function metadataRows(sql: string, rowsMax: number): Promise<readonly (readonly unknown[])[]> {
  const run = statementClient(newSession(statementUser.value, { source: metadataSource })).submit(sql);
  const rows: (readonly unknown[])[] = [];
  while (await run.advance()) {
    for (const row of run.rows) {
      rows.push(row);
    }
    if (rows.length > rowsMax) {
      await run.cancel();
    }
  }
  if (run.error !== undefined) {
    throw new Error(run.error.message);
  }
  return rows.slice(0, rowsMax);
}

export const metadataSource = "orrery-web-metadata";

let instance: Workspace | undefined;

/** The workspace of this page; made when it is first used. */
export function workspace(): Workspace {
  instance ??= new Workspace();
  return instance;
}
