/** The procedure `system.execute(query => 'ANALYZE t')`: runs a statement in the database's own SQL, which may change anything there. */
import { QueryError } from "../../../../protocol/errors.ts";
import { VARCHAR } from "../../../../types/type.ts";
import type { Procedure } from "../../../spi.ts";
import type { Connections } from "../pool.ts";

export function executeProcedure(pool: Connections, inTurn = <T>(work: () => Promise<T>): Promise<T> => work()): Procedure {
  return {
    schema: "system",
    name: "execute",
    arguments: [{ name: "query", type: VARCHAR }],
    writes: true,
    call: async ([sql], { query }) => {
      if (typeof sql !== "string") {
        throw new QueryError("INVALID_PROCEDURE_ARGUMENT", "Procedure argument cannot be null: query");
      }
      await inTurn(() =>
        pool.useFor(query, async (connection) => {
          try {
            await connection.query(sql);
          } finally {
            // A transaction or a setting that the statement leaves must not meet the statement of another query.
            connection.close();
          }
        }),
      );
    },
  };
}
