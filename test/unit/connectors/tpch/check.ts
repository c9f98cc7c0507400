/**
 * Hashes a whole table in dbgen's format.
 */
import { createHash } from "node:crypto";
import type { Checksum } from "./checksums.ts";
import type { Opened } from "./read.ts";
import { integerColumns, readPages, splitsOf, TablePrinter, tableOf } from "./read.ts";

export async function checksumOf(opened: Opened, schema: string, name: string): Promise<Checksum> {
  const table = await tableOf(opened, schema, name);
  const integers = integerColumns(table.columns);
  const hash = createHash("sha256");
  let bytes = 0;
  let head = "";
  let tail = "";
  const printer = new TablePrinter(opened.memory, (part) => {
    hash.update(part);
    bytes += part.length;
    const text = Buffer.from(part).toString("latin1");
    head = head === "" ? text.slice(0, 1000) : head;
    tail = (tail + text.slice(-1000)).slice(-1000);
  });
  for (const split of await splitsOf(opened, table)) {
    readPages(opened, { table, split: split.payload }, (page) => printer.page(page, integers));
  }
  printer.flush();
  const lines = tail.split("\n");
  return {
    rows: printer.rows,
    bytes,
    sha256: hash.digest("hex"),
    first: head.slice(0, head.indexOf("\n")),
    last: lines[lines.length - 2] ?? "",
  };
}
