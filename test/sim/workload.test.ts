/**
 * The workload: the same stream produces the same statement, every plan shape occurs, and almost no statement is rejected unintentionally.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, reads, user } from "../../scenarios/scenario.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";
import { drawQuery } from "../../sim/workload/queries.ts";
import { drawStatement } from "../../sim/workload/workload.ts";
import { parseStatement } from "../../src/sql/parser/parser.ts";

function draw(count: number, drawOne: (stream: ReturnType<StreamTree["stream"]>) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => drawOne(StreamTree.root(`workload/${index}`).stream("statement")));
}

describe("the workload", () => {
  it("is drawn from its stream alone", () => {
    expect(draw(50, drawStatement)).toEqual(draw(50, drawStatement));
  });

  it("is SQL that the engine's own parser reads, so that it can be reduced", () => {
    for (const sql of draw(400, drawQuery)) {
      expect(() => parseStatement(sql), sql).not.toThrow();
    }
  });

  it.each([
    [/ JOIN /, / LEFT JOIN /, / RIGHT JOIN /, / FULL JOIN /, / CROSS JOIN /],
    [/ GROUP BY /, / HAVING /, / DISTINCT /, / FILTER \(/, /count\(DISTINCT/, /avg\(/, /bool_and|bool_or/],
    [/ UNION ALL /, / UNION SELECT/, / INTERSECT /, / EXCEPT /],
    [/ ORDER BY /, / LIMIT /, / OFFSET /, / FETCH FIRST /, / NULLS FIRST/],
    [/ IN \(SELECT/, / NOT IN \(SELECT/, /EXISTS \(SELECT/, /\(SELECT (min|max)\(/, /^WITH /],
    [/VALUES/, /CASE WHEN/, / LIKE '/, /CAST\(/, /INTERVAL/, /coalesce\(/, /^EXECUTE IMMEDIATE/, /^SHOW /, /^EXPLAIN /],
  ])("has every plan shape: %s and others", (...shapes) => {
    const all = draw(1_500, drawStatement);
    for (const shape of shapes) {
      expect(
        all.some((sql) => shape.test(sql)),
        String(shape),
      ).toBe(true);
    }
  });

  it("has one right answer: three workers give the rows of one, every task the same bytes when it is run again, and few queries are refused", async () => {
    const shared = new SharedState();
    const statements = draw(40, drawQuery);
    const plan = calmCluster("workload", {
      users: [
        user(
          "u1",
          statements.map((sql) => reads(sql)),
        ),
      ],
      properties: { "query.hash-partition-count": "3" },
      nanosPerWorkUnit: 40,
    });
    const { violations, checks } = await runPlan(plan, { shared, oneTaskIn: 1 });
    expect(violations).toEqual([]);
    expect(checks["data-plane"]).toBeGreaterThan(60);
    const refused = statements.filter((sql) => shared.referencesOf(plan.schema).get(sql)?.kind === "error");
    expect(refused.length).toBeLessThanOrEqual(2);
  });
});
