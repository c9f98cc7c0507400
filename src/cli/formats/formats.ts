/**
 * The registry of output formats.
 */
import type { Row } from "../../client/statement-client.ts";
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import { stringifyJson } from "../../protocol/json.ts";
import type { TextOutput } from "../output/output.ts";
import { alignedPrinter, autoPrinter, markdownPrinter } from "./aligned.ts";
import { cellFormatter } from "./cells.ts";
import { type DrawStyle, linePrinter, plainStyle, type RowPrinter, type RowPrinterFactory } from "./printer.ts";
import { verticalPrinter } from "./vertical.ts";

export const outputFormats = [
  "ALIGNED",
  "VERTICAL",
  "AUTO",
  "CSV",
  "CSV_HEADER",
  "CSV_UNQUOTED",
  "CSV_HEADER_UNQUOTED",
  "TSV",
  "TSV_HEADER",
  "JSON",
  "MARKDOWN",
  "NULL",
] as const;

export type OutputFormat = (typeof outputFormats)[number];

const factories: Readonly<Record<OutputFormat, RowPrinterFactory>> = {
  ALIGNED: alignedPrinter,
  VERTICAL: verticalPrinter,
  AUTO: autoPrinter,
  CSV: csvPrinter({ header: false, field: quoted }),
  CSV_HEADER: csvPrinter({ header: true, field: quoted }),
  CSV_UNQUOTED: csvPrinter({ header: false, field: (text) => text }),
  CSV_HEADER_UNQUOTED: csvPrinter({ header: true, field: (text) => text }),
  TSV: separatedPrinter({ header: false, separator: "\t", field: tsvField }),
  TSV_HEADER: separatedPrinter({ header: true, separator: "\t", field: tsvField }),
  JSON: jsonPrinter,
  MARKDOWN: markdownPrinter,
  NULL: () => ({ rows: () => Promise.resolve(), finish: () => Promise.resolve() }),
};

export interface PrintOptions {
  readonly columns: readonly ColumnDocument[];
  readonly output: TextOutput;
  readonly style?: DrawStyle;
}

export function rowPrinter(format: OutputFormat, { columns, output, style }: PrintOptions): RowPrinter {
  return factories[format](columns, output, style ?? plainStyle);
}

/** True for formats that also print the row count and a summary. */
export function isForPeople(format: OutputFormat): boolean {
  return format === "ALIGNED" || format === "VERTICAL" || format === "AUTO";
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const tsvEscapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

function tsvField(text: string): string {
  return text.replaceAll(/[\0\b\f\n\r\t\\]/g, (character) => tsvEscapes[character] ?? character);
}

interface SeparatedOptions {
  readonly header: boolean;
  readonly separator: string;
  readonly field: (text: string) => string;
}

function csvPrinter(options: Omit<SeparatedOptions, "separator">): RowPrinterFactory {
  return separatedPrinter({ ...options, separator: "," });
}

/** NULL is an empty field, as in Presto. */
function separatedPrinter({ header, separator, field }: SeparatedOptions): RowPrinterFactory {
  return (columns, output) => {
    const formatters = columns.map(cellFormatter);
    const head = header ? `${columns.map((column) => field(column.name)).join(separator)}\n` : "";
    const rowText = (row: Row): string => {
      const fields = formatters.map((format, index) => {
        const value = row[index];
        return field(value === null || value === undefined ? "" : format(value));
      });
      return `${fields.join(separator)}\n`;
    };
    return linePrinter(output, head, rowText);
  };
}

/** One object per line. A repeated column name gets its column number as a suffix, so that no value is lost. */
function jsonPrinter(columns: readonly ColumnDocument[], output: TextOutput): RowPrinter {
  const seen = new Set<string>();
  const keys = columns.map(({ name }, index) => {
    const key = seen.has(name) ? `${name}_${index + 1}` : name;
    seen.add(key);
    return stringifyJson(key);
  });
  return linePrinter(output, "", (row) => `{${keys.map((key, index) => `${key}:${stringifyJson(row[index] ?? null)}`).join(",")}}\n`);
}
