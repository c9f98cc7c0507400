/**
 * Table functions that read files below the folder of the catalog by their path, whatever their names:
 * `TABLE(catalog.system.read_parquet(path => 'data/*.pq'))`.
 */
import { QueryError } from "../../protocol/errors.ts";
import { VARCHAR } from "../../types/type.ts";
import { scalarArgument, type SourceTableFunction, type TableFunction, type TableFunctionArguments } from "../table-function.ts";
import type { FileFormat } from "./folder.ts";
import type { FilesMetadata } from "./metadata.ts";

const functionSchema = "system";

function pathArgument(args: TableFunctionArguments): string {
  const path = scalarArgument(args, "PATH");
  if (typeof path !== "string" || path === "") {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", "Path is null or empty");
  }
  return path;
}

export function readFunctions(metadata: FilesMetadata): readonly TableFunction[] {
  const reader = (name: string, format: FileFormat): SourceTableFunction => ({
    kind: "SOURCE",
    schema: functionSchema,
    name,
    parameters: [{ kind: "SCALAR", name: "PATH", type: VARCHAR }],
    analyze: async (args) => {
      const table = await metadata.readPath({ schema: functionSchema, table: name }, { path: pathArgument(args), format });
      return { table, statistics: await metadata.getStatistics(table) };
    },
  });
  return [reader("read_csv", "csv"), reader("read_json", "json"), reader("read_parquet", "parquet")];
}
