/** Databases that SQLite itself writes (compiled to WebAssembly). */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";

/** The library's module has no names that an import finds. */
const sqlite = createRequire(import.meta.url)("node-sqlite3-wasm") as { readonly Database: new (path: string) => Database };

/** The file of a database that `write` has filled. */
export function written(write: (database: Database) => void): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "orrery-sqlite-"));
  try {
    const path = join(folder, "a.db");
    const database = new sqlite.Database(path);
    try {
      write(database);
    } finally {
      database.close();
    }
    return new Uint8Array(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
