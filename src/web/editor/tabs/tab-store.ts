/**
 * Tabs of the editor in the browser's storage. Each tab has an entry of its own, so that several windows of the browser never overwrite
 * each other's tabs; the storage tells the other windows of a change.
 */

/** The part of the Storage interface that is used. */
export interface TextStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface TabDocument {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly preparedStatements: Readonly<Record<string, string>>;
  /** Place among the tabs; fractions are places between two tabs. */
  readonly order: number;
}

const prefix = "orrery.editor.tab.";
const closedKey = "orrery.editor.closed";
export const tabsMax = 50;
/** Of one text; longer ones are not kept. Browsers keep about five million characters for all entries. */
const textLengthMax = 1_000_000;
const closedMax = 10;
const closedLengthMax = 200_000;

export class TabStore {
  readonly #storage: TextStorage;

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** In their order. Entries that cannot be read are left alone. */
  load(): readonly TabDocument[] {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? "");
    return keys
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => readTab(this.#storage.getItem(key)) ?? [])
      .sort(byOrder)
      .slice(0, tabsMax);
  }

  /** False if there is no room. */
  save(tab: TabDocument): boolean {
    if (tab.text.length > textLengthMax) {
      return false;
    }
    return this.#write(prefix + tab.id, JSON.stringify(tab));
  }

  /** Keeps the latest closed tabs with a text, to open them again. */
  close(tab: TabDocument): void {
    this.#storage.removeItem(prefix + tab.id);
    if (tab.text.trim() !== "" && tab.text.length <= closedLengthMax) {
      const kept = [tab, ...this.closed().filter(({ id }) => id !== tab.id)].slice(0, closedMax);
      this.#write(closedKey, JSON.stringify(kept));
    }
  }

  closed(): readonly TabDocument[] {
    const list = parsed(this.#storage.getItem(closedKey));
    return Array.isArray(list) ? list.flatMap((entry) => tabOf(entry) ?? []) : [];
  }

  /** Takes the tab that was closed last; undefined if there is none. */
  takeClosed(): TabDocument | undefined {
    const [last, ...others] = this.closed();
    this.#write(closedKey, JSON.stringify(others));
    return last;
  }

  #write(key: string, value: string): boolean {
    try {
      this.#storage.setItem(key, value);
      return true;
    } catch {
      return false;
    }
  }
}

/** The tab that a storage event of another window is about; `tab` is undefined if it was closed. */
export function changedTab(
  key: string | null,
  value: string | null,
): { readonly id: string; readonly tab: TabDocument | undefined } | undefined {
  return key?.startsWith(prefix) === true ? { id: key.slice(prefix.length), tab: readTab(value) } : undefined;
}

export function byOrder(left: TabDocument, right: TabDocument): number {
  return left.order - right.order || (left.id < right.id ? -1 : 1);
}

function readTab(text: string | null): TabDocument | undefined {
  return tabOf(parsed(text));
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function tabOf(value: unknown): TabDocument | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { id, name, text, order, catalog, schema, properties, preparedStatements } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || typeof name !== "string" || typeof text !== "string" || typeof order !== "number") {
    return undefined;
  }
  return {
    id,
    name,
    text,
    order,
    ...(typeof catalog === "string" ? { catalog } : {}),
    ...(typeof schema === "string" ? { schema } : {}),
    properties: textRecord(properties),
    preparedStatements: textRecord(preparedStatements),
  };
}

function textRecord(value: unknown): Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"))
    : {};
}

/** The order of a tab that moves to `index` among the others. */
export function orderAt(others: readonly TabDocument[], index: number): number {
  const before = others[index - 1]?.order;
  const after = others[index]?.order;
  if (before === undefined) {
    return after === undefined ? 0 : after - 1;
  }
  return after === undefined ? before + 1 : (before + after) / 2;
}

/** `Query 3`: the first number that no tab has. */
export function freeName(tabs: readonly TabDocument[]): string {
  const names = new Set(tabs.map(({ name }) => name));
  for (let ordinal = 1; ; ordinal++) {
    if (!names.has(`Query ${ordinal}`)) {
      return `Query ${ordinal}`;
    }
  }
}
