/**
 * `TABLE(tpch.system.scaled('orders', 0.05))`: a table at any scale. The scale may be a parameter of a prepared statement, which a schema's
 * name cannot be.
 */
import { QueryError } from "../../protocol/errors.ts";
import { DOUBLE, VARCHAR } from "../../types/type.ts";
import type { ConnectorMetadata } from "../spi.ts";
import { scalarArgument, type SourceTableFunction, type TableFunctionArguments } from "../table-function.ts";
import { findTable } from "./tables.ts";

function refuse(message: string): QueryError {
  return new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

function schemaOfScale(scale: number): string {
  return `sf${scale.toFixed(9).replace(/\.?0+$/, "")}`;
}

export function scaledFunction(metadata: ConnectorMetadata): SourceTableFunction {
  return {
    kind: "SOURCE",
    schema: "system",
    name: "scaled",
    parameters: [
      { kind: "SCALAR", name: "TABLE_NAME", type: VARCHAR },
      { kind: "SCALAR", name: "SCALE", type: DOUBLE, default: 1 },
    ],
    analyze: async (args: TableFunctionArguments) => {
      const [name, scale] = [scalarArgument(args, "TABLE_NAME"), scalarArgument(args, "SCALE")];
      if (name === null || scale === null) {
        throw refuse(`${name === null ? "Table name" : "Scale"} is null`);
      }
      if (findTable(String(name)) === undefined) {
        throw refuse(`Unknown table: ${name}`);
      }
      const table = await metadata.getTable({ schema: schemaOfScale(Number(scale)), table: String(name) });
      if (table === undefined) {
        throw refuse("Scale is out of range");
      }
      const statistics = await metadata.getStatistics?.(table);
      return { table: { ...table, name: { schema: "system", table: "scaled" } }, ...(statistics === undefined ? {} : { statistics }) };
    },
  };
}
