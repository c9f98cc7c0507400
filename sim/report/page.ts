/**
 * One page about sweeps: verdict, kinds of failures, coverage, time, and the trend when several sweeps are given. Self-contained, without
 * a script; text from the sweeps is escaped.
 */
import { createHash } from "node:crypto";
import { goals } from "../coverage/goals.ts";
import { possiblePairs } from "../coverage/pairs.ts";
import type { SavedSweep } from "./saved.ts";

export interface ReportedSweep {
  /** Name of the file that it was read from. */
  readonly name: string;
  readonly sweep: SavedSweep;
}

const coveredPrefix = "covered ";
const msPerMinute = 60_000;
const holesShownMax = 200;
const chart = { width: 640, height: 160, left: 48, bottom: 22, top: 10 } as const;

const style = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --fill: #0b62c4;
  --bad: #b3261e; --good: #1a7f37; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9aa4af; --line: #3d444d; --fill: #6cb6ff; --bad: #ff8a80; --good: #6fdd8b; --back: #0d1117; }
}
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .soft { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } 
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.bar { fill: var(--fill); } .axis { stroke: var(--line); } .trend { fill: none; stroke: var(--fill); stroke-width: 2; }
`.trim();

/** Text for element content and quoted attributes. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

function programOf({ program }: SavedSweep): string {
  return `${program.commit ?? "no commit"}${program.dirty ? " (changed)" : ""}`;
}

function seedsAMinute({ seeds, realMs }: SavedSweep): number {
  return realMs === 0 ? 0 : (seeds / realMs) * msPerMinute;
}

/** The newest sweep is the last one. Throws RangeError without a sweep. */
export function reportPage(sweeps: readonly ReportedSweep[]): string {
  const newest = sweeps.at(-1);
  if (newest === undefined) {
    throw new RangeError("a report needs a sweep");
  }
  const { sweep } = newest;
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Orrery simulator: seeds ${sweep.from} to ${sweep.to}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...verdict(sweep),
    ...failures(sweep),
    ...work(sweep),
    ...coverage(sweep),
    ...(sweeps.length > 1 ? trend(sweeps) : []),
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function verdict(sweep: SavedSweep): readonly string[] {
  const { from, to, seeds, failed, realMs, jobs, fingerprint } = sweep;
  const left = to - from + 1 - seeds;
  const simulated = (sweep.tally["simulatedMs"] ?? 0) / 1000;
  return [
    `<h1>${failed === 0 ? '<span class="good">PASS</span>' : '<span class="bad">FAIL</span>'} seeds ${from} to ${to}</h1>`,
    `<p>${number(seeds)} seeds ran${left > 0 ? `, ${number(left)} did not` : ""}; ${number(failed)} failed.`,
    `${number(simulated)} s simulated in ${number(realMs / 1000)} s, ${number(seedsAMinute(sweep))} seeds a minute on ${jobs} processes.</p>`,
    `<p class="soft">Program ${escape(programOf(sweep))}, fingerprint <code>${escape(fingerprint)}</code></p>`,
  ];
}

function failures({ failures: groups }: SavedSweep): readonly string[] {
  const rows = groups.map(
    ({ kind, oracle, sentence, seeds }) =>
      `<tr><td class="n">${seeds.length}</td><td>${escape(kind)}</td><td>${escape(oracle)}</td><td>${escape(sentence.split("\n")[0] ?? "")}<br>` +
      `<code>npm run sim -- shrink ${escape(seeds[0] ?? "")}</code></td></tr>`,
  );
  return [
    "<h2>Failures</h2>",
    ...(rows.length === 0
      ? ["<p>None.</p>"]
      : [
          '<div class="wide" tabindex="0" role="region" aria-label="Failures"><table>',
          '<thead><tr><th class="n">Seeds</th><th>Kind</th><th>Oracle</th><th>Sentence of the smallest seed</th></tr></thead><tbody>',
          ...rows,
          "</tbody></table></div>",
        ]),
  ];
}

/** Counters with a prefix, as bars. */
function bars(tally: SavedSweep["tally"], prefix: string, title: string): readonly string[] {
  const counts = Object.entries(tally)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .map(([name, count]) => ({ name: name.slice(prefix.length), count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const most = counts[0]?.count ?? 1;
  const rows = counts.map(
    ({ name, count }) =>
      `<tr><td>${escape(name)}</td><td class="n">${number(count)}</td><td><svg width="160" height="10" aria-hidden="true">` +
      `<rect class="bar" width="${Math.max(1, Math.round((count / most) * 160))}" height="10"/></svg></td></tr>`,
  );
  return rows.length === 0
    ? []
    : [`<details><summary>${escape(title)} (${rows.length})</summary><table><tbody>`, ...rows, "</tbody></table></details>"];
}

function work({ tally }: SavedSweep): readonly string[] {
  const of = (name: string): string => number(tally[name] ?? 0);
  return [
    "<h2>Work</h2>",
    `<p>${of("statements")} statements: ${of("finished")} finished, ${of("cancelled")} cancelled, ${of("abandoned")} abandoned,`,
    `${of("unanswered")} unanswered; ${of("rows")} rows, ${of("tasks")} tasks, ${of("pages")} pages, ${of("spills")} of them spilled.</p>`,
    ...bars(tally, "statement ", "Statements by kind"),
    ...bars(tally, "error ", "Declared errors"),
    ...bars(tally, "landed ", "Faults that landed on work in flight"),
    ...bars(tally, "point ", "Fault points fired"),
    ...bars(tally, "checked ", "Checks by oracle"),
  ];
}

function coverage({ tally }: SavedSweep): readonly string[] {
  const known = [...goals, ...possiblePairs];
  const holes = known.filter(({ id }) => (tally[`${coveredPrefix}${id}`] ?? 0) === 0);
  const reached = known.length - holes.length;
  return [
    "<h2>Coverage</h2>",
    `<p>${number(reached)} of ${number(known.length)} rare situations and pairs were reached (${number((reached / known.length) * 100)} %).</p>`,
    ...(holes.length === 0
      ? []
      : [
          `<details><summary>Not reached (${number(holes.length)})</summary><ul>`,
          ...holes.slice(0, holesShownMax).map(({ sentence }) => `<li>no run in which ${escape(sentence)}</li>`),
          ...(holes.length > holesShownMax ? [`<li>and ${number(holes.length - holesShownMax)} others</li>`] : []),
          "</ul></details>",
        ]),
  ];
}

function trend(sweeps: readonly ReportedSweep[]): readonly string[] {
  const known = [...goals, ...possiblePairs];
  const reached = ({ tally }: SavedSweep): number => known.filter(({ id }) => (tally[`${coveredPrefix}${id}`] ?? 0) > 0).length;
  const rows = sweeps.map(
    ({ name, sweep }) =>
      `<tr><td>${escape(name)}</td><td><code>${escape(programOf(sweep))}</code></td><td class="n">${number(sweep.seeds)}</td>` +
      `<td class="n">${number(sweep.failed)}</td><td class="n">${number(seedsAMinute(sweep))}</td><td class="n">${number(reached(sweep))}</td></tr>`,
  );
  return [
    "<h2>Trend</h2>",
    line(
      "Seeds a minute",
      sweeps.map(({ sweep }) => seedsAMinute(sweep)),
    ),
    line(
      "Situations and pairs reached",
      sweeps.map(({ sweep }) => reached(sweep)),
    ),
    '<div class="wide" tabindex="0" role="region" aria-label="Sweeps"><table>',
    '<thead><tr><th>Sweep</th><th>Program</th><th class="n">Seeds</th><th class="n">Failed</th><th class="n">Seeds a minute</th><th class="n">Reached</th></tr></thead><tbody>',
    ...rows,
    "</tbody></table></div>",
  ];
}

function line(title: string, values: readonly number[]): string {
  const { width, height, left, bottom, top } = chart;
  const most = Math.max(1, ...values);
  const x = (index: number): number => left + (index / Math.max(1, values.length - 1)) * (width - left - 10);
  const y = (value: number): number => top + (1 - value / most) * (height - top - bottom);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return [
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}: ${values.map(number).join(", ")}">`,
    `<line class="axis" x1="${left}" y1="${height - bottom}" x2="${width}" y2="${height - bottom}"/>`,
    `<text x="${left - 6}" y="${top + 8}" text-anchor="end">${number(most)}</text><text x="${left - 6}" y="${height - bottom}" text-anchor="end">0</text>`,
    `<polyline class="trend" points="${points}"/><text x="${left}" y="${height - 6}">${escape(title)}</text>`,
    "</svg>",
  ].join("\n");
}
