/**
 * inventory (every item in every warehouse on the first day of each week) and dbgen_version (one row about the generator).
 */
import { dataStart, rowOfKey, today } from "../calendar.ts";
import { dayNumber } from "./places.ts";
import { cellsByName, columnsOf, constantText, number, rowByRow, streamAt, type TpcdsTable } from "../table.ts";

export const inventory: TpcdsTable = {
  name: "inventory",
  columns: columnsOf("inv_date_sk k, inv_item_sk k, inv_warehouse_sk k, inv_quantity_on_hand i"),
  key: () => ["inv_date_sk", "inv_item_sk", "inv_warehouse_sk"],
  nulls: { stream: 202, drawsPerRow: 2, basisPoints: 1000, notNull: 0x7 },
  rows: (scale) => scale.inventoryRows,
  units: (scale) => scale.inventoryRows,
  advance: rowByRow((scale) => scale.inventoryRows),
  cell: ({ cursor, scale }) => {
    const items = scale.keys("item");
    const itemRows = scale.rows("item");
    const warehouses = scale.rows("warehouse");
    const date = (): number => dataStart + 7 * Math.floor((cursor.row - 1) / (items * warehouses));
    return cellsByName({
      inv_date_sk: () => number(date),
      inv_item_sk: () => number(() => rowOfKey({ key: ((cursor.row - 1) % items) + 1, day: date(), rows: itemRows })),
      inv_warehouse_sk: () => number(() => (Math.floor((cursor.row - 1) / items) % warehouses) + 1),
      inv_quantity_on_hand: () => {
        const stream = streamAt(cursor, 201);
        return number(() => stream().uniform(0, 1000));
      },
    });
  },
};

/** dsdgen writes the time and the arguments of its run. Here it is the day on which the data is assumed to be generated. */
export const dbgenVersion: TpcdsTable = {
  name: "dbgen_version",
  columns: columnsOf("dv_version v16, dv_create_date d, dv_create_time t, dv_cmdline_args v200"),
  key: () => ["dv_version"],
  rows: (scale) => scale.rows("dbgen_version"),
  units: (scale) => scale.rows("dbgen_version"),
  advance: rowByRow((scale) => scale.rows("dbgen_version")),
  cell: ({ scale }) =>
    cellsByName({
      dv_version: () => constantText("2.0.0"),
      dv_create_date: () => number(() => dayNumber(today)),
      dv_create_time: () => number(() => 0),
      dv_cmdline_args: () => constantText(`--scale ${scale.factor}`),
    }),
};
