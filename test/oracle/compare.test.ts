/**
 * Differences that the comparison with DuckDB accepts, and those that it reports.
 */
import { describe, expect, it } from "vitest";
import { differenceInOrder } from "./compare.ts";

const columns = { names: ["revenue", "name"], types: ["decimal(12, 2)", "varchar"] };
const sql = "SELECT sum(price) AS revenue, name FROM t GROUP BY name ORDER BY revenue DESC";
const rows = [
  ["3.10", "c"],
  ["2.00", "a"],
  ["2.00", "b"],
  ["1.00", "d"],
];
const [first, second, third, fourth] = rows as [unknown[], unknown[], unknown[], unknown[]];

describe("rows in an order", () => {
  it("are the same when rows change places that agree in what they are ordered by", () => {
    expect(differenceInOrder(sql, rows, [first, third, second, fourth], columns)).toBeUndefined();
  });

  it("differ when others change places, whatever follows the query", () => {
    const found = [second, first, third, fourth];
    expect(differenceInOrder(sql, found, rows, columns)).toMatch(/^in the order by revenue DESC, row 0/);
    expect(differenceInOrder(`${sql};\n\ndrop view v;`, found, rows, columns)).toMatch(/^in the order by/);
    expect(differenceInOrder("SELECT revenue, name FROM t", found, rows, columns)).toBeUndefined();
  });

  it("differ when one is missing, or is another", () => {
    expect(differenceInOrder(sql, rows.slice(1), rows, columns)).toMatch(/^3 rows where 4 are expected/);
    expect(differenceInOrder(sql, [first, second, third, ["1.00", "e"]], rows, columns)).toMatch(/column 1 \(varchar\)/);
  });

  it("are not compared by columns that they do not have", () => {
    expect(differenceInOrder("SELECT 1 ORDER BY price", rows, rows, columns)).toMatch(/ordered by price, which are not all columns/);
  });
});
