/**
 * Parquet files as parts of a table: columns and statistics from the footer, and one split per row group.
 */
import type { ColumnMetadata, ColumnStatistics, Constraint, Json, Split } from "../../spi.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type DoubleRange, doubleRangeOf, doubleRangesMeet } from "../../../types/domain/double-range.ts";
import { domainValueText } from "../../../types/domain/texts.ts";
import { VARCHAR } from "../../../types/type.ts";
import type { TableFile } from "../folder.ts";
import type { ColumnChunk, ParquetColumn, ParquetFooter, RowGroup } from "./footer.ts";
import type { ParquetSplit, StoredColumn } from "./page-source.ts";
import { type ColumnEncoding, physical } from "./schema.ts";
import { statisticNumber } from "./values.ts";

/** A column that cannot be read is hidden: it exists by name, but not in `SELECT *`. */
export function parquetColumns(footer: ParquetFooter): readonly ColumnMetadata[] {
  return footer.columns.map(({ name, encoding }) =>
    encoding === undefined ? { name: name, type: VARCHAR, hidden: true } : { name: name, type: encoding.type },
  );
}

export function parquetRows(footer: ParquetFooter): number {
  return footer.rowGroups.reduce((sum, { rows }) => sum + rows, 0);
}

interface ParquetRequest {
  readonly columns: readonly ColumnMetadata[];
  readonly constraint: Constraint;
}

/** Skips row groups whose statistics exclude all rows: nothing of them is read. */
export function parquetSplits(file: TableFile, footer: ParquetFooter, { columns, constraint }: ParquetRequest): readonly Split[] {
  const asked = columns.flatMap(({ name }) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    return column === undefined ? [] : [{ name, column }];
  });
  for (const { name, column } of asked) {
    if (column.encoding === undefined) {
      throw new QueryError("NOT_SUPPORTED", `${file.path} column ${name}: ${column.reason}`);
    }
  }
  const wanted = asked.flatMap(({ name }) => {
    const values = constraint.summary.domainOf(name)?.values.discreteValues;
    return values === undefined ? [] : [[name, values.map(domainValueText)] as const];
  });
  return footer.rowGroups.flatMap((group, rowGroup): readonly Split[] => {
    if (group.rows === 0 || !mayHave(footer, group, constraint)) {
      return [];
    }
    const stored = Object.fromEntries(asked.map(({ name, column }) => [name, storedColumn(group, column)]));
    const { path, sizeBytes } = file;
    const payload: ParquetSplit = {
      path,
      sizeBytes,
      format: "parquet",
      rowGroup,
      rows: group.rows,
      columns: stored,
      ...(wanted.length > 0 && { wanted: Object.fromEntries(wanted) }),
      ...boundsOf(asked, group, constraint),
    };
    return [{ payload: payload as unknown as Json, rows: group.rows }];
  });
}

/** Bounds of the columns with a constraint that becomes known only when the group is read. */
function boundsOf(
  asked: readonly { readonly name: string; readonly column: ParquetColumn }[],
  group: RowGroup,
  constraint: Constraint,
): Pick<ParquetSplit, "bounds"> {
  const bounds = asked.flatMap(({ name, column: { leaf, encoding } }) => {
    const chunk = group.chunks[leaf];
    const isDynamic = constraint.dynamicColumns?.has(name) === true;
    return isDynamic && chunk !== undefined && encoding !== undefined ? [[name, rangeOf(encoding, chunk)] as const] : [];
  });
  return bounds.length === 0 ? {} : { bounds: Object.fromEntries(bounds) };
}

function rangeOf(encoding: ColumnEncoding, chunk: ColumnChunk): DoubleRange {
  if (!hasTrueBounds(encoding)) {
    return {};
  }
  const low = chunk.low === undefined ? undefined : statisticNumber(encoding, chunk.low);
  const high = chunk.high === undefined ? undefined : statisticNumber(encoding, chunk.high);
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

function mayHave(footer: ParquetFooter, group: RowGroup, { summary }: Constraint): boolean {
  return [...summary.domains].every(([name, { values }]) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    const chunk = column === undefined ? undefined : group.chunks[column.leaf];
    // A file without the column has NULL in its place, which no domain of a constraint allows.
    if (column === undefined) {
      return false;
    }
    if (chunk === undefined || column.encoding === undefined || !hasTrueBounds(column.encoding)) {
      return true;
    }
    if (chunk.nullCount !== undefined && chunk.nullCount === chunk.valueCount) {
      return false;
    }
    const range = doubleRangeOf(values);
    return range !== undefined && doubleRangesMeet(rangeOf(column.encoding, chunk), range);
  });
}

/** Old writers ordered the bounds of other types as signed bytes. */
function hasTrueBounds({ physical: kind, conversion }: ColumnEncoding): boolean {
  const isUnsigned = conversion === "u32 to i64" || conversion === "u64 to i128";
  return !isUnsigned && (kind === physical.int32 || kind === physical.int64 || kind === physical.double);
}

function storedColumn(group: RowGroup, { leaf, encoding }: ParquetColumn): StoredColumn {
  const chunk = group.chunks[leaf];
  if (chunk === undefined || encoding === undefined) {
    throw new QueryError("FILE_BAD_DATA", "a row group has not all columns");
  }
  return { encoding, offset: chunk.offset, sizeBytes: chunk.sizeBytes, codec: chunk.codec };
}

/** Over all files; bounds only if every row group has them. */
export function parquetStatistics(footers: readonly ParquetFooter[], name: string): ColumnStatistics {
  const parts = footers.flatMap((footer) => {
    const column = footer.columns.find((candidate) => candidate.name === name);
    return column === undefined ? [] : footer.rowGroups.map((group) => ({ column, chunk: group.chunks[column.leaf] }));
  });
  const values = parts.reduce((sum, { chunk }) => sum + (chunk?.valueCount ?? 0), 0);
  const nulls = sumOf(parts.map(({ chunk }) => chunk?.nullCount));
  const bounds = (side: "low" | "high"): number | undefined => {
    const numbers = parts
      .filter(({ chunk }) => chunk !== undefined && chunk.nullCount !== chunk.valueCount)
      .map(({ column, chunk }) => {
        const bytes = chunk?.[side];
        return bytes === undefined || column.encoding === undefined ? undefined : statisticNumber(column.encoding, bytes);
      });
    return numbers.length === 0 || numbers.includes(undefined)
      ? undefined
      : (numbers as readonly number[]).reduce((a, b) => (side === "low" ? Math.min(a, b) : Math.max(a, b)));
  };
  const low = bounds("low");
  const high = bounds("high");
  return {
    ...(nulls === undefined || values === 0 ? {} : { nullsFraction: nulls / values }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}

function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce((sum, number) => (sum === undefined || number === undefined ? undefined : sum + number), 0);
}
