/** The table function `system.query(query => 'SELECT ...')`: the rows of a statement in the database's own SQL. */
import { QueryError } from "../../../../protocol/errors.ts";
import { VARCHAR } from "../../../../types/type.ts";
import { scalarArgument, type SourceTableFunction } from "../../../table-function.ts";
import type { SchemaTableName, TableMetadata } from "../../../table-metadata.ts";

const schema = "system";
const name = "query";

export interface QueryDescriber {
  /** The table whose rows a statement returns. */
  describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata>;
}

export function queryFunction(metadata: QueryDescriber): SourceTableFunction {
  return {
    kind: "SOURCE",
    schema,
    name,
    parameters: [{ kind: "SCALAR", name: "QUERY", type: VARCHAR }],
    analyze: async (args) => {
      const query = scalarArgument(args, "QUERY");
      if (query === null) {
        throw new QueryError("INVALID_FUNCTION_ARGUMENT", "query must not be null");
      }
      return { table: await metadata.describeQuery({ schema, table: name }, String(query)) };
    },
  };
}
