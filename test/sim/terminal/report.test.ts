/** The page about sweeps: what it shows, and that nothing from a file becomes markup. */
import { describe, expect, it } from "vitest";
import { reportPage } from "../../../sim/report/page.ts";
import { readSavedSweep, type SavedSweep } from "../../../sim/report/saved.ts";

const hostile = `<script>alert("1")</script>&'`;
const sweep: SavedSweep = {
  orrerySweep: 1,
  program: { commit: hostile, dirty: true, hash: "0" },
  from: 1,
  to: 20,
  seeds: 20,
  failed: 3,
  jobs: 2,
  realMs: 2_000,
  fingerprint: hostile,
  failures: [{ kind: "safety", oracle: hostile, shape: "", sentence: hostile, seeds: [hostile] }],
  tally: { statements: 7, [`error ${hostile}`]: 2, "landed crash": 4 },
};

describe("a report", () => {
  it("shows verdict, failures, work and coverage, and no text of a file as markup", () => {
    const page = reportPage([{ name: hostile, sweep }]);
    expect(page).toContain('<span class="bad">FAIL</span> seeds 1 to 20');
    expect(page).toContain("600 seeds a minute on 2 processes");
    expect(page).toMatch(/0 of \d+ rare situations and pairs were reached/);
    expect(page).not.toContain("<script");
    expect(page).not.toContain('alert("1")');
    expect(page).toContain("&#60;script&#62;alert(&#34;1&#34;)");
    expect(page).not.toContain("<h2>Trend</h2>");
  });

  it("shows the trend of several sweeps, the newest sweep's verdict on top", () => {
    const page = reportPage([
      { name: "a.json", sweep },
      { name: "b.json", sweep: { ...sweep, failed: 0, failures: [], realMs: 1_000 } },
    ]);
    expect(page).toContain('<span class="good">PASS</span>');
    expect(page).toContain('aria-label="Seeds a minute: 600, 1,200"');
    expect(() => reportPage([])).toThrow(RangeError);
  });
});

describe("saved totals", () => {
  it("are read back, and a text that is none is refused with its reason", () => {
    expect(readSavedSweep(JSON.stringify(sweep))).toEqual(sweep);
    expect(() => readSavedSweep("{")).toThrow("it is not JSON");
    expect(() => readSavedSweep("{}")).toThrow("it does not hold the totals of a sweep: orrerySweep");
    expect(() => readSavedSweep(JSON.stringify({ ...sweep, seeds: -1 }))).toThrow("seeds");
  });
});
