/** The statement's colors and error mark, the JSON tree, the bug report, the timeline and the arithmetic of the view. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bugReport, scrubbed, withoutSecretLiterals } from "../../../../src/web/query/model/bug-report.ts";
import { expressionText } from "../../../../src/web/query/model/expression-text.ts";
import { progressOf, waitText } from "../../../../src/web/query/model/progress.ts";
import { jsonLines, pathsTo } from "../../../../src/web/query/json/json-lines.ts";
import { fit, keepInSight, reveal, scaleMax, scaleMin, zoomAt } from "../../../../src/web/query/plan/viewport.ts";
import { coloredLines, hasComments } from "../../../../src/web/query/statement/coloring.ts";
import { formatStatement } from "../../../../src/web/query/statement/format-statement.ts";
import { moveInto, ticksOf, timelineOf, zoomSpan } from "../../../../src/web/query/timeline/timeline.ts";
import { arbitraryQuery, joinQuery, pipeline, query, stage, task } from "./query-document.ts";

const sqlLike = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        "SELECT",
        " ",
        "\n",
        "\r\n",
        "'a''b\nc'",
        '"x',
        "-- c\n",
        "/* d */",
        "1e3",
        "x'00'",
        "(",
        "/*",
        "é",
        "\u{1f600}",
        "'",
      ),
    )
    .map((parts) => parts.join("")),
);

describe("colors of a statement", () => {
  it("keep every character of every text", () => {
    fc.assert(
      fc.property(sqlLike, fc.nat(30), fc.nat(90), (text, line, column) => {
        const lines = coloredLines(text, { lineNumber: line + 1, columnNumber: column + 1 });
        expect(lines.map((pieces) => pieces.map((piece) => piece.text).join(""))).toEqual(text.split(/\r\n|\r|\n/));
        const marks = lines.flatMap((pieces, at) => pieces.filter(({ isMarked }) => isMarked).map(() => at));
        expect(marks).toEqual(line < lines.length ? [line] : []);
      }),
    );
  });

  it("name keywords, literals and comments", () => {
    const [pieces = []] = coloredLines("select 'a', 1.5 from \"t\" -- end");
    expect(pieces.filter(({ kind }) => kind !== "plain" && kind !== "operator").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "keyword select",
      "string 'a'",
      "number 1.5",
      "keyword from",
      'name "t"',
      "comment -- end",
    ]);
    expect([hasComments("select 1 -- x"), hasComments("select '--'")]).toEqual([true, false]);
  });

  it("mark the token at the error, or the end of the line", () => {
    const marked = (text: string, lineNumber: number, columnNumber: number) =>
      coloredLines(text, { lineNumber, columnNumber }).flatMap((pieces) =>
        pieces.filter(({ isMarked }) => isMarked).map((piece) => piece.text),
      );
    expect(marked("select nope,\n 1", 1, 8)).toEqual(["nope"]);
    expect(marked("select\n  nope", 2, 3)).toEqual(["nope"]);
    expect(marked("select", 1, 7)).toEqual([""]);
  });

  it("format what parses", () => {
    expect(formatStatement("select a,b from t where x=1")).toBe("SELECT\n  a\n, b\nFROM\n  t\nWHERE (x = 1)");
    expect(formatStatement("select from from")).toBeUndefined();
  });
});

describe("lines of JSON", () => {
  it("are one for each value of what is open", () => {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null ? Object.values(value).reduce<number>((sum, inner) => sum + count(inner), 1) : 1;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const all = jsonLines(value, pathsTo(value, 100, 10_000));
        expect(all).toHaveLength(count(value));
        expect(new Set(all.map(({ path }) => path)).size).toBe(all.length);
        expect(jsonLines(value, new Set())).toHaveLength(1);
      }),
    );
  });

  it("cut long texts and escape what they hold", () => {
    expect(jsonLines({ a: "<b>\n" }, new Set([""]))[1]).toMatchObject({ name: "a", text: '"<b>\\n"', kind: "string" });
    expect(jsonLines("x".repeat(5000), new Set())[0]?.text.length).toBeLessThan(500);
  });
});

describe("a bug report", () => {
  const secret = fc.stringMatching(/^S3CR3T[a-z0-9]{6,12}$/);
  const name = fc.constantFrom(
    "password",
    "connection-password",
    "s3.aws-secret-key",
    "azure.connection-string",
    "gcs.json-key",
    "api_key",
    "auth-token",
    "credential",
  );

  it("holds no secret of session, statement or prepared statements", () => {
    fc.assert(
      fc.property(secret, name, (value, key) => {
        const statement = `CREATE CATALOG c USING x WITH ("${key}" = '${value}', other = 'kept')`;
        const document = joinQuery();
        const report = JSON.stringify(
          bugReport({
            query: {
              ...document,
              query: statement,
              session: {
                ...document.session,
                catalogProperties: { c: { [key]: value } },
                systemProperties: { [key]: value },
                preparedStatements: { p: statement },
              },
            },
            info: { [key]: value },
            cluster: {},
            nodes: [{ uri: "http://worker", [key]: value }],
            page: { userAgent: "test", createdAt: "2014-02-06T20:00:00.000Z" },
          }),
        );
        expect(report).not.toContain(value);
        expect(report).toContain("kept");
        expect(report).toContain("--record");
      }),
    );
  });

  it("leaves other literals as they are", () => {
    expect(withoutSecretLiterals("select 'a' = 'b', password = 'x', token => 'y' -- password = 'z'")).toBe(
      `select 'a' = 'b', password = '${scrubbed}', token => '${scrubbed}' -- password = 'z'`,
    );
    fc.assert(fc.property(sqlLike, (text) => withoutSecretLiterals(text) === text));
  });
});

describe("the timeline", () => {
  it("has rows for phases, stages, tasks, pipelines and drivers, as far as they are open", () => {
    const drivers = [
      { driverId: 3, createTime: "2014-02-06T20:00:00.003Z", startTime: "2014-02-06T20:00:00.004Z", endTime: "2014-02-06T20:00:00.009Z" },
    ];
    const document = query(stage(0, undefined, [task(0, 0, [pipeline([], 0, drivers)])]));
    const labels = (...open: string[]) => timelineOf(document, new Set(open)).rows.map(({ label }) => label);
    expect(labels()).toEqual(["Queued", "Planning", "Execution", "Stage 0"]);
    expect(labels("stage 0")).toEqual([...labels(), "Task 0.0"]);
    const taskKey = timelineOf(document, new Set(["stage 0"])).rows.at(-1)?.key ?? "";
    expect(labels("stage 0", taskKey)).toEqual([...labels("stage 0"), "Pipeline 0", "Driver 3"]);
    expect(timelineOf(document, new Set(["stage 0", taskKey])).rows.at(-1)).toMatchObject({ start: 3, run: 4, end: 9, state: "FINISHED" });
  });

  it("never has a row that ends before it starts or beyond the end of the axis", () => {
    fc.assert(
      fc.property(arbitraryQuery, (document) => {
        const { rows, lengthMs } = timelineOf(document, new Set(["stage 0", "stage 1"]));
        for (const { start, end } of rows) {
          expect(start === undefined || end === undefined || (start >= 0 && start <= end && end <= lengthMs)).toBe(true);
        }
      }),
    );
  });

  it("zooms around a point that stays, inside of the whole", () => {
    const ms = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(ms, ms, ms, fc.double({ min: 0.1, max: 10, noNaN: true }), (a, b, c, factor) => {
        const length = 1000;
        const span = moveInto({ from: Math.min(a, b) * length, to: Math.max(a, b) * length + 1 }, length);
        const at = span.from + c * (span.to - span.from);
        const { from, to } = zoomSpan(span, factor, at, length);
        expect(from >= -1e-9 && to <= length + 1e-9 && to > from).toBe(true);
        expect(at >= from - 1e-6 && at <= to + 1e-6).toBe(true);
        const ticks = ticksOf({ from, to }, 6);
        expect(ticks.every((tick) => tick >= from - 1e-9 && tick <= to + 1e-9)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(14);
      }),
    );
  });
});

describe("the view of the plan", () => {
  const size = fc.record({ width: fc.integer({ min: 100, max: 5000 }), height: fc.integer({ min: 100, max: 5000 }) });
  const view = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    scale: fc.double({ min: scaleMin, max: scaleMax, noNaN: true }),
  });

  it("keeps the point under the pointer when it zooms", () => {
    fc.assert(
      fc.property(view, fc.double({ min: 0.2, max: 5, noNaN: true }), fc.nat(2000), fc.nat(2000), (from, factor, x, y) => {
        const to = zoomAt(from, factor, { x, y });
        expect(to.scale).toBeGreaterThanOrEqual(scaleMin);
        expect(to.scale).toBeLessThanOrEqual(scaleMax);
        expect((x - to.x) / to.scale).toBeCloseTo((x - from.x) / from.scale, 4);
        expect((y - to.y) / to.scale).toBeCloseTo((y - from.y) / from.scale, 4);
      }),
    );
  });

  it("fits the whole drawing unless that is unreadable, and brings a box into view", () => {
    fc.assert(
      fc.property(size, size, view, (drawing, screen, from) => {
        const whole = fit(drawing, screen, 0);
        if (whole.scale > scaleMin) {
          expect(whole.x >= -0.01 && whole.x + drawing.width * whole.scale <= screen.width + 0.01).toBe(true);
          expect(drawing.height * whole.scale <= screen.height + 0.01).toBe(true);
        }
        expect(fit(drawing, screen, 0.5).scale).toBeGreaterThanOrEqual(0.5);
        const kept = keepInSight(from, drawing, screen);
        expect(kept.x < screen.width && kept.x + drawing.width * kept.scale > 0).toBe(true);
        const box = { x: 10, y: 20, width: 4, height: 4 };
        const shown = reveal(from, box, screen);
        expect(box.x * shown.scale + shown.x).toBeGreaterThanOrEqual(-0.01);
        expect((box.y + box.height) * shown.scale + shown.y).toBeLessThanOrEqual(screen.height + 0.01);
      }),
    );
  });
});

describe("words", () => {
  it("say what a live query waits for, and nothing about one that has ended", () => {
    const live = query(undefined, { state: "RUNNING" });
    expect(waitText({ ...live, waitReason: "CLIENT", waitMessage: "The client has not fetched results for 12 s" })).toBe(
      "The client has not fetched results for 12 s.",
    );
    expect(waitText({ ...live, state: "QUEUED" })).toBe("The query waits for its turn.");
    expect(waitText(query(undefined))).toBe("");
    expect(progressOf(query(undefined, { state: "FINISHED" })).ratio).toBe(1);
  });

  it("write expressions as SQL", () => {
    const column = (name: string) => ({ kind: "variable", name });
    const constant = (kind: string, value: unknown) => ({ kind: "constant", type: { kind }, value });
    expect(expressionText({ kind: "call", name: "$le", args: [column("shipdate"), constant("date", 10471)] })).toBe(
      "(shipdate <= DATE '1998-09-02')",
    );
    expect(expressionText({ kind: "special", form: "IN", args: [column("a"), constant("varchar", "it's"), constant("bigint", "2")] })).toBe(
      "a IN ('it''s', 2)",
    );
    expect(expressionText(undefined)).toBe("…");
    fc.assert(fc.property(fc.anything(), (value) => typeof expressionText(value) === "string"));
  });
});
