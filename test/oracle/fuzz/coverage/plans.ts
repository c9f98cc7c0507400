/**
 * Plans of generated statements without rows: the planner over a catalog with the names and types of the tables.
 */
import { evaluateConstant } from "../../../../src/execution/expressions/evaluate.ts";
import type { ColumnMetadata, Connector } from "../../../../src/connectors/spi.ts";
import { excludeColumnsFunction } from "../../../../src/connectors/system/table-functions/exclude-columns.ts";
import { sequenceFunction } from "../../../../src/connectors/system/table-functions/sequence.ts";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { PlanContext } from "../../../../src/planner/context.ts";
import type { PlanFragment } from "../../../../src/planner/fragmenter/fragment.ts";
import { planStatement } from "../../../../src/planner/plan-statement.ts";
import { parseStatement } from "../../../../src/sql/parser/parser.ts";
import { displayType } from "../../../../src/types/type.ts";
import { changedTable } from "../definitions.ts";
import { join, text, typeText } from "../dialects.ts";
import type { Table } from "../tables.ts";

const planningBytes = 64 * 1024 * 1024;
/** A time in 2023, in epoch milliseconds. */
const startMillis = 1_700_000_000_000;

type Properties = Readonly<Record<string, string>>;

export class Plans {
  readonly #evaluate: PlanContext["evaluateConstant"];
  #connector = connectorOf(new Map());

  constructor() {
    const { linear, root } = createNodeMemory({ sizeBytes: planningBytes });
    const runtime = new KernelRuntime({ linear, backend: "interpreter" });
    const memory = root.child("planning");
    this.#evaluate = (expression) => evaluateConstant(runtime, memory, expression);
  }

  /** Replaces the former tables. */
  async useTables(tables: readonly Table[]): Promise<void> {
    const typed = new Map<string, Relation>();
    for (const { name, columns, rows } of tables) {
      const items = columns.map((column) => text`CAST(NULL AS ${typeText(column.type)}) AS ${column.name}`);
      const planned = await planStatement(parseStatement(`SELECT ${join(items, ", ").engine}`), this.#context({}));
      if (planned.kind === "query") {
        typed.set(name, { columns: planned.columns, rows: rows.length });
      }
    }
    this.#connector = connectorOf(typed);
  }

  /**
   * The fragments of a statement that returns or writes rows; empty for others. `changed` is the table whose copy the statement changes.
   */
  async fragmentsOf(sql: string, properties: Properties, changed?: string): Promise<readonly PlanFragment[]> {
    const context = this.#context(properties, changed);
    const planned = await planStatement(parseStatement(sql), context);
    return planned.kind === "query" ? planned.plan.fragments : [];
  }

  #context(properties: Properties, changed?: string): PlanContext {
    const connector = this.#connector(changed);
    return {
      catalogs: {
        names: () => ["memory", "system"],
        connector: (name) => (name === "memory" ? connector : name === "system" ? systemFunctions : undefined),
      },
      session: { user: "fuzz", catalog: "memory", schema: "default", timeZone: "UTC", startMillis, properties },
      evaluateConstant: this.#evaluate,
      nodeVersion: "fuzz",
      typeText: displayType,
      drawSeed: () => 1n,
    };
  }
}

/** The catalog `system` with its table functions but without tables. */
const systemFunctions: Connector = { ...connectorOf(new Map())(undefined), tableFunctions: [sequenceFunction, excludeColumnsFunction] };

interface Relation {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: number;
}

function connectorOf(tables: ReadonlyMap<string, Relation>): (changed: string | undefined) => Connector {
  const unused = (): never => {
    throw new Error("statements are planned only");
  };
  return (changed) => {
    const found = (table: string): Relation | undefined => tables.get(table === changedTable && changed !== undefined ? changed : table);
    return {
      metadata: {
        listSchemas: () => Promise.resolve(["default"]),
        listTables: () => Promise.resolve([...tables.keys()]),
        getTable: (name) => {
          const table = name.schema === "default" ? found(name.table) : undefined;
          return Promise.resolve(table && { name, columns: table.columns, handle: { table: name.table } });
        },
        getStatistics: ({ name }) => Promise.resolve({ rowCount: found(name.table)?.rows ?? 0, columns: {} }),
        beginCreate: unused,
        beginInsert: unused,
        beginRewrite: unused,
      },
      getSplits: () => Promise.resolve([]),
      createPageSource: unused,
      createPageSink: unused,
    };
  };
}
