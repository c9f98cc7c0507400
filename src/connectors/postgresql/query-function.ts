/** The table function `system.query(query => 'SELECT ...')`: the rows of a statement in the database's own SQL. */
import { QueryError } from "../../protocol/errors.ts";
import { VARCHAR } from "../../types/type.ts";
import { scalarArgument, type SourceTableFunction } from "../table-function.ts";
import type { PostgresqlMetadata } from "./metadata.ts";

const schema = "system";
const name = "query";

export function queryFunction(metadata: PostgresqlMetadata): SourceTableFunction {
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
