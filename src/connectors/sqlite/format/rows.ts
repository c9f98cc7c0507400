/** Rows of the connector's own use: those of sqlite_schema and sqlite_stat1. */
import { payloadBytes, requirePossible, type Tree, Walk } from "./b-tree.ts";
import { payloadOf } from "./b-tree-page.ts";
import type { Pager } from "./pager.ts";
import { RecordFields, type StoredValue, valueAt } from "./record.ts";

/** The first `fields` values of each row. */
export async function* storedRows(pager: Pager, tree: Tree, fields: number): AsyncGenerator<readonly StoredValue[]> {
  const walk = new Walk(pager, tree);
  const record = new RecordFields(fields);
  const { encoding } = pager.snapshot.header;
  for (let cells = await walk.next(); cells !== undefined; cells = await walk.next()) {
    const { page } = cells;
    for (let index = cells.first; index < cells.end; index++) {
      const payload = pager.within(page.number, () => {
        const found = payloadOf(page, index);
        requirePossible(found, pager);
        return found;
      });
      const isWhole = payload.overflow === 0;
      const bytes = isWhole ? page.bytes : await payloadBytes(pager, page, { payload, wanted: payload.size });
      const at = isWhole ? payload.at : 0;
      pager.within(page.number, () => record.parse(bytes, at, { size: payload.size, end: at + payload.size }));
      yield Array.from({ length: fields }, (_, field) => valueAt(record, field, bytes, encoding));
    }
  }
}
