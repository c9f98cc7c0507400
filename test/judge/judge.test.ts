/**
 * The judge of clients finds planted bugs: each is caught by its situation, by its rule. Without the bug, the same client passes there.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judge } from "../../sim/judge/judge.ts";
import { difference, readRows } from "../../sim/judge/output.ts";
import { reportPage } from "../../sim/judge/report.ts";
import { scoreOf } from "../../sim/judge/score.ts";
import type { Cell } from "../../sim/judge/situation.ts";
import { situations } from "../../sim/judge/situations/all.ts";
import { root } from "../house/sources.ts";

const planted = join(root, "test/judge/planted-client.mjs");

/** Bug, situation that shows it, rule that names it. */
const bugs: readonly (readonly [bug: string, situation: string, rule: string])[] = [
  ["no-user", "one-row", "no-user"],
  ["counts-twice", "empty-pages", "wrong-rows"],
  ["loses-last-rows", "rows-in-last-answer", "wrong-rows"],
  ["stops-at-empty-page", "empty-pages", "wrong-rows"],
  ["stops-when-finished", "finished-with-next", "wrong-rows"],
  ["breaks-digits", "bigint", "wrong-rows"],
  ["hides-failure", "error-in-the-middle", "hides-failure"],
  ["takes-status-for-end", "server-error", "hides-failure"],
  ["takes-cut-for-end", "poll-cut", "wrong-rows"],
  ["gives-up", "overloaded-poll", "gives-up"],
  ["ignores-retry-after", "overloaded-poll", "ignores-retry-after"],
  ["repeats-submission", "reset-after-submission", "repeats-submission"],
  ["asks-old-token", "empty-pages", "asks-old-token"],
  ["asks-after-end", "one-row", "asks-after-end"],
  ["invents-address", "one-row", "invents-address"],
  ["polls-in-parallel", "slow-answers", "polls-in-parallel"],
  ["polls-without-pause", "queued-for-long", "polls-without-pause"],
  ["leaves-query-running", "cancel", "leaves-query-running"],
  ["leaves-query-running", "interrupt", "leaves-query-running"],
  ["leaves-query-running", "gives-up-on-500", "leaves-query-running"],
  ["ignores-session", "set-session", "session"],
  ["ignores-session", "prepare", "session"],
  ["ignores-session", "transaction", "session"],
  ["ignores-session", "role", "session"],
];

const chosen = (names: readonly string[]): typeof situations => situations.filter(({ name }) => names.includes(name));

async function verdictOf(bug: string, name: string): Promise<{ readonly verdict: string | undefined; readonly rules: readonly string[] }> {
  const command = ["env", `PLANTED=${bug}`, process.execPath, planted];
  const [judgement] = await judge({ command, situations: chosen([name]), seed: "1" });
  return { verdict: judgement?.verdict, rules: judgement?.violations.map(({ rule }) => rule) ?? [] };
}

describe("the judge of clients", () => {
  it.each(bugs)("finds the planted bug %s in the situation %s", async (bug, name, rule) => {
    const { rules, verdict } = await verdictOf(bug, name);
    expect({ verdict, found: rules.includes(rule), rules }).toMatchObject({ verdict: "fail", found: true });
  });

  it.each([...new Set(bugs.map(([, name]) => name))])("lets the same client without a bug pass in the situation %s", async (name) => {
    expect(await verdictOf("", name)).toEqual({ verdict: "pass", rules: [] });
  });

  it("has at least sixty situations, each with a name of its own", () => {
    expect(situations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  });

  it("tells a client that cannot from one that fails, and keeps a tape of failures only", async () => {
    const all = chosen(["one-row", "cancel"]);
    const judgements = [
      ...(await judge({ command: ["sh", "-c", "exit 64"], situations: all.slice(0, 1), seed: "1" })),
      ...(await judge({ command: [process.execPath, planted], situations: all.slice(0, 1), seed: "1" })),
      ...(await judge({ command: ["sh", "-c", "echo '[1]'"], situations: all.slice(0, 1), seed: "1" })),
    ];
    expect(judgements.map(({ verdict }) => verdict)).toEqual(["cannot", "pass", "fail"]);
    expect(scoreOf(judgements)).toEqual({ passed: 1, failed: 1, cannot: 1, failedMust: 1, percent: 50 });
    const page = reportPage(judgements, { command: "<client>", seed: "1", date: "2026-01-01" });
    expect(page).toContain("&lt;client&gt;");
    expect(page.match(/<table class="tape">/g)).toHaveLength(1);
    expect(page).toContain("sends-nothing");
  });
});

describe("rows of a client", () => {
  it.each<[string, readonly (readonly Cell[])[], string | undefined]>([
    ['[9223372036854775807]\n["9223372036854775807"]', [[9_223_372_036_854_775_807n], [9_223_372_036_854_775_807n]], undefined],
    ["[9223372036854775806]", [[9_223_372_036_854_775_807n]], "Row 1, column 1 is 9223372036854775806, not 9223372036854775807"],
    ['["NaN","-Infinity"]', [[Number.NaN, Number.NEGATIVE_INFINITY]], undefined],
    ['["1.10"]\n[1.1]', [[{ decimal: "1.10" }], [{ decimal: "1.10" }]], undefined],
    ['[{"a":1}]\n[[["a",1]]]', [[{ pairs: [["a", 1n]] }], [{ pairs: [["a", 1n]] }]], undefined],
    ['["2001-08-22T03:04:05.123Z"]', [[{ time: "2001-08-22 03:04:05.123456" }]], expect.stringContaining("column 1") as string],
    ['{"x":1,"y":null}', [[1n, null]], undefined],
    ["[1]", [[1n], [2n]], "1 rows instead of 2"],
    ["[[1,2]]", [[[1n, 2n]]], undefined],
  ])("%s", (text, rows, wrong) => {
    expect(difference(readRows(text), rows)).toEqual(wrong);
  });
});

describe("the client of this package", () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-judge-"));
    const entryPoints = { client: join(root, "src/client/index.ts") };
    await build({
      entryPoints,
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("passes where connections break, answers are refused and statements end early", async () => {
    const groups = ["connections", "statuses", "endings"];
    const slow = ["first-answer-late", "overloaded-thrice", "overloaded-often"];
    const command = [
      "env",
      `ORRERY_CLIENT=${join(folder, "client.mjs")}`,
      process.execPath,
      join(root, "examples/judge/orrery-client.mjs"),
    ];
    const judgements = await judge({
      command,
      situations: situations.filter(({ group, name }) => groups.includes(group) && !slow.includes(name)),
      seed: "1",
    });
    expect(judgements.filter(({ verdict }) => verdict !== "pass").map(({ situation, violations }) => [situation.name, violations])).toEqual(
      [],
    );
  });
});

describe("the command", () => {
  it("lists situations and refuses wrong usage", () => {
    const run = (...args: readonly string[]): { readonly status: number | null; readonly text: string } => {
      const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, "build.mjs"), "sim", "judge", ...args], { cwd: root });
      return { status, text: `${String(stdout)}${String(stderr)}` };
    };
    expect(run("--list", "--only", "values")).toMatchObject({ status: 0, text: expect.stringContaining("values/bigint *") as string });
    expect(run()).toMatchObject({ status: 2, text: expect.stringContaining("No client") as string });
    expect(run("--only", "nothing", "--", "true")).toMatchObject({ status: 2 });
    const report = join(tmpdir(), `orrery-judge-${process.pid}.html`);
    const judged = run("--only", "one-row", "--report", report, "--min-score", "100", "--", "sh", "-c", "exit 3");
    expect(judged).toMatchObject({ status: 1, text: expect.stringContaining("0 %: 0 passed, 1 failed") as string });
    expect(readFileSync(report, "utf8")).toContain("one-row");
    rmSync(report);
  });
});
