/** Statements that were run in this browser, newest first, bounded by number and size. */
import type { TextStorage } from "../tabs/tab-store.ts";

export interface HistoryEntry {
  readonly sql: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly state: string;
  readonly queryId?: string;
  readonly rows?: number;
  readonly elapsedMs?: number;
  readonly catalog?: string;
  readonly schema?: string;
}

const key = "orrery.editor.history";
const entriesMax = 500;
const lengthMax = 1_000_000;
/** Longer statements are cut, because history is for finding and running again what people write. */
const statementLengthMax = 100_000;

export class History {
  readonly #storage: TextStorage;

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  entries(): readonly HistoryEntry[] {
    try {
      const list = JSON.parse(this.#storage.getItem(key) ?? "[]") as unknown;
      return Array.isArray(list) ? list.filter(isEntry) : [];
    } catch {
      return [];
    }
  }

  /** Reads the entries again first: another window may have added some. */
  add(entry: HistoryEntry): void {
    if (entry.sql.length > statementLengthMax) {
      return;
    }
    let kept = [entry, ...this.entries()].slice(0, entriesMax);
    let text = JSON.stringify(kept);
    while (text.length > lengthMax) {
      kept = kept.slice(0, Math.floor(kept.length * 0.8));
      text = JSON.stringify(kept);
    }
    try {
      this.#storage.setItem(key, text);
    } catch {
      // Without room the history stays as it is.
    }
  }

  clear(): void {
    this.#storage.removeItem(key);
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  const entry = value as Partial<HistoryEntry> | null;
  return typeof entry === "object" && entry !== null && typeof entry.sql === "string" && typeof entry.startedMs === "number";
}

/** Entries whose statement contains all words. */
export function matching<Entry extends { readonly sql: string }>(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.length === 0 ? entries : entries.filter(({ sql }) => words.every((word) => sql.toLowerCase().includes(word)));
}
