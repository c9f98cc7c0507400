/** Exports a result as a file of the browser. */
import type { Execution } from "../run/execution.ts";
import { csvPieces } from "./csv.ts";
import { jsonPieces } from "./json.ts";

export type ExportFormat = "csv" | "json" | "parquet";

const types: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv;charset=utf-8",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
};

export async function exportResult(execution: Execution, format: ExportFormat): Promise<void> {
  const blob = new Blob(await partsOf(execution, format), { type: types[format] });
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${execution.queryId ?? "result"}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function partsOf(execution: Execution, format: ExportFormat): Promise<BlobPart[]> {
  const columns = execution.columns.map(({ name }, index) => ({
    name,
    type: execution.types[index] ?? { base: "varchar", numbers: [], children: [] },
  }));
  switch (format) {
    case "csv":
      return [...csvPieces(columns, execution.rows)];
    case "json":
      return [...jsonPieces(columns, execution.rows)];
    case "parquet": {
      const { parquetBytes } = await import("./parquet.ts");
      return [parquetBytes(columns, execution.rows).slice()];
    }
  }
}
