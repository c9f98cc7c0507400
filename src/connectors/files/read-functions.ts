/**
 * Table functions that read files below the folder of the catalog by their path, whatever their names:
 * `TABLE(catalog.system.read_parquet(path => 'data/*.pq'))`. `sniff` says how a file would be read.
 */
import { QueryError } from "../../protocol/errors.ts";
import { arrayType, BIGINT, BOOLEAN, displayType, rowType, type Type, VARCHAR } from "../../types/type.ts";
import { encodeNested } from "../../types/nested/nested.ts";
import type { ColumnMetadata, Json, PageSource, PageSourceRequest, SchemaTableName, TableMetadata } from "../spi.ts";
import { allAtOnce, type Row, RowPageSource } from "../shared/row-page-source.ts";
import {
  descriptorArgument,
  scalarArgument,
  type DescriptorParameter,
  type ScalarParameter,
  type SourceTableFunction,
  type TableFunction,
  type TableFunctionArguments,
} from "../table-function.ts";
import { columnsOf, type GivenColumn } from "./columns.ts";
import type { Described } from "./descriptions.ts";
import type { FilesMetadata, PathSource } from "./metadata.ts";
import { isTextType } from "./text/column.ts";
import { noQuote } from "./text/csv.ts";
import type { TextOptions } from "./text/dialect.ts";

const functionSchema = "system";
const skipMax = 1_000_000;

const path: ScalarParameter = { kind: "SCALAR", name: "PATH", type: VARCHAR };
const types: DescriptorParameter = { kind: "DESCRIPTOR", name: "TYPES", optional: true };
const ignoreErrors: ScalarParameter = { kind: "SCALAR", name: "IGNORE_ERRORS", type: BOOLEAN, default: false };

function optional(name: string, type: Type): ScalarParameter {
  return { kind: "SCALAR", name, type, default: null };
}

const csvParameters: readonly (ScalarParameter | DescriptorParameter)[] = [
  path,
  optional("DELIMITER", VARCHAR),
  optional("QUOTE", VARCHAR),
  optional("ESCAPE", VARCHAR),
  optional("HEADER", BOOLEAN),
  { kind: "SCALAR", name: "SKIP", type: BIGINT, default: "0" },
  optional("NULL_STRING", VARCHAR),
  types,
  ignoreErrors,
];

const jsonParameters = [path, types, ignoreErrors];

function withoutIgnored(parameters: typeof csvParameters): typeof csvParameters {
  return parameters.filter((parameter) => parameter !== ignoreErrors);
}

function invalid(message: string): QueryError {
  return new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

function pathArgument(args: TableFunctionArguments): string {
  const value = scalarArgument(args, "PATH");
  if (typeof value !== "string" || value === "") {
    throw invalid("Path is null or empty");
  }
  return value;
}

/** One ASCII character that ends no line; `mayBeEmpty` for none. */
function character(args: TableFunctionArguments, name: string, mayBeEmpty: boolean): string | undefined {
  const value = scalarArgument(args, name);
  if (value === null) {
    return undefined;
  }
  const text = String(value);
  if (!(mayBeEmpty && text === "") && !/^[\t\x20-\x7e]$/.test(text)) {
    throw invalid(`${name.toLowerCase()} must be one ASCII character`);
  }
  return text;
}

function givenTypes(args: TableFunctionArguments): readonly GivenColumn[] {
  return (descriptorArgument(args, "TYPES") ?? []).map(({ name, type }) => {
    if (type === undefined) {
      throw invalid(`Column '${name}' of types has no type`);
    }
    if (!isTextType(type)) {
      throw invalid(`Column '${name}' of types has type ${displayType(type)}, which text files do not have`);
    }
    return { name: name.toLowerCase(), type };
  });
}

function textArguments(args: TableFunctionArguments): TextOptions {
  const [delimiter, quote, escape] = [character(args, "DELIMITER", false), character(args, "QUOTE", true), character(args, "ESCAPE", true)];
  const header = scalarArgument(args, "HEADER");
  const nullText = scalarArgument(args, "NULL_STRING");
  const skip = Number(scalarArgument(args, "SKIP") ?? 0);
  if (skip < 0 || skip > skipMax) {
    throw invalid(`skip must be from 0 to ${skipMax}`);
  }
  if (delimiter !== undefined && delimiter === quote) {
    throw invalid("delimiter and quote must differ");
  }
  return {
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
    ...(escape !== undefined && { escape }),
    ...(header !== null && { header: header === true }),
    ...(skip > 0 && { skip }),
    ...(nullText !== null && { nullText: String(nullText) }),
    ...ignoredErrors(args),
  };
}

function ignoredErrors(args: TableFunctionArguments): Pick<TextOptions, "ignoresErrors"> {
  return scalarArgument(args, "IGNORE_ERRORS") === true ? { ignoresErrors: true } : {};
}

function csvSource(args: TableFunctionArguments): PathSource {
  return { path: pathArgument(args), format: "csv", text: textArguments(args), types: givenTypes(args) };
}

function jsonSource(args: TableFunctionArguments): PathSource {
  return { path: pathArgument(args), format: "json", text: ignoredErrors(args), types: givenTypes(args) };
}

export function readFunctions(metadata: FilesMetadata): readonly TableFunction[] {
  const reader = (
    name: string,
    parameters: SourceTableFunction["parameters"],
    tableOf: (name: SchemaTableName, args: TableFunctionArguments) => Promise<TableMetadata>,
  ): SourceTableFunction => ({
    kind: "SOURCE",
    schema: functionSchema,
    name,
    parameters,
    analyze: async (args) => {
      const table = await tableOf({ schema: functionSchema, table: name }, args);
      return { table, statistics: await metadata.getStatistics(table) };
    },
  });
  return [
    reader("read_csv", csvParameters, (name, args) => metadata.readPath(name, csvSource(args))),
    reader("read_csv_rejects", withoutIgnored(csvParameters), (name, args) => metadata.rejectsOfPath(name, csvSource(args))),
    reader("read_json", jsonParameters, (name, args) => metadata.readPath(name, jsonSource(args))),
    reader("read_json_rejects", withoutIgnored(jsonParameters), (name, args) => metadata.rejectsOfPath(name, jsonSource(args))),
    reader("read_parquet", [path], (name, args) => metadata.readPath(name, { path: pathArgument(args), format: "parquet" })),
    reader("read_arrow", [path], (name, args) => metadata.readPath(name, { path: pathArgument(args), format: "arrow" })),
    sniffer(metadata),
  ];
}

const columnType = rowType([
  { name: "name", type: VARCHAR },
  { name: "type", type: VARCHAR },
]);

const sniffedColumns: readonly ColumnMetadata[] = [
  { name: "path", type: VARCHAR },
  { name: "delimiter", type: VARCHAR },
  { name: "quote", type: VARCHAR },
  { name: "escape", type: VARCHAR },
  { name: "skip", type: BIGINT },
  { name: "header", type: BOOLEAN },
  { name: "columns", type: arrayType(columnType) },
];

/** A file as `sniff` shows it. Plain JSON. */
interface Sniffed {
  readonly path: string;
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly escape: string | null;
  /** Lines before the header. */
  readonly skip: number | null;
  readonly header: boolean | null;
  readonly columns: readonly (readonly [name: string, type: string])[];
}

/** How CSV files are read, one row for each. */
function sniffer(metadata: FilesMetadata): SourceTableFunction {
  return {
    kind: "SOURCE",
    schema: functionSchema,
    name: "sniff",
    parameters: csvParameters.filter(({ name }) => name !== "TYPES"),
    analyze: async (args) => {
      const source: PathSource = { path: pathArgument(args), format: "csv", text: textArguments(args) };
      const described = await metadata.describePath(source);
      if (described.length === 0) {
        throw new QueryError("FILE_NOT_FOUND", `File ${source.path} does not exist`);
      }
      const sniffed = described.map((one) => sniffedOf(one, source.text?.skip ?? 0));
      const table: TableMetadata = {
        name: { schema: functionSchema, table: "sniff" },
        columns: sniffedColumns,
        handle: { sniffed: sniffed as unknown as Json },
      };
      return { table, statistics: { rowCount: sniffed.length, columns: {} } };
    },
  };
}

function sniffedOf(one: Described, skip: number): Sniffed {
  const columns = columnsOf([one]).columns.filter(({ hidden }) => hidden !== true);
  const { dialect, hasHeader, titleLines = 0 } = "text" in one ? one.text : { dialect: undefined, hasHeader: false };
  const text = (code: number | undefined): string | null => (code === undefined ? null : code === noQuote ? "" : String.fromCharCode(code));
  return {
    path: one.file.path,
    delimiter: text(dialect?.delimiter),
    quote: text(dialect?.quote),
    escape: text(dialect?.escape),
    skip: dialect === undefined ? null : skip + titleLines,
    header: dialect === undefined ? null : hasHeader,
    columns: columns.map(({ name, type }) => [name, displayType(type)] as const),
  };
}

/** The rows of a `sniff`, in its one split; undefined if the handle is that of another table. */
export function sniffedHandle(handle: Json): Json | undefined {
  return typeof handle === "object" && handle !== null && "sniffed" in handle ? (handle["sniffed"] as Json) : undefined;
}

export function openSniffed(split: Json, { columns, memory }: PageSourceRequest): PageSource {
  const rows = (sniffedHandle(split) as unknown as readonly Sniffed[]).map(
    (one): Row => ({ ...one, columns: encodeNested(arrayType(columnType), one.columns) }),
  );
  return new RowPageSource({ rows: () => allAtOnce(() => rows), columns, memory });
}
