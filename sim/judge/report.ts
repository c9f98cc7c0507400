/** The report of a judged client: one HTML document that needs nothing else. */
import { firstHeader } from "../../src/protocol/http/headers.ts";
import type { Judgement } from "./judge.ts";
import { modelRules } from "./model.ts";
import { describeScore, scoreOf } from "./score.ts";
import type { TapeEntry } from "./tape.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --none: #777; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
.pass { color: var(--good); } .fail { color: var(--bad); } .cannot { color: var(--none); }
.wide { overflow-x: auto; } pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); font-size: 13px; }
.tape td { font: 13px/1.4 ui-monospace, monospace; word-break: break-all; } td.number { text-align: right; white-space: nowrap; }
`;

export interface ReportFacts {
  /** The client's command. */
  readonly command: string;
  readonly seed: string;
  readonly date: string;
}

export function reportPage(judgements: readonly Judgement[], { command, date, seed }: ReportFacts): string {
  const failures = judgements.filter(({ verdict }) => verdict === "fail");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(command)}: ${scoreOf(judgements).percent} %</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(command)}</h1>
<p><strong>${escaped(describeScore(scoreOf(judgements)))}</strong></p>
<p>${judgements.length} situations, seed ${escaped(seed)}, ${escaped(date)}. Situations that a client must pass are marked *.</p>
<h2>Situations</h2>
<div class="wide"><table>
<thead><tr><th>Group</th><th>Situation</th><th>Verdict</th><th>What happens</th><th>What was wrong</th><th>ms</th></tr></thead>
<tbody>
${judgements.map(situationRow).join("\n")}
</tbody>
</table></div>
<h2>Rules of the statement model</h2>
<ul>
${Object.entries(modelRules)
  .map(([rule, sentence]) => `<li><code>${rule}</code>: ${escaped(sentence)}</li>`)
  .join("\n")}
</ul>
<h2>Tapes of the failures</h2>
${failures.length === 0 ? "<p>None.</p>" : failures.map(failureSection).join("\n")}
</body>
</html>
`;
}

function situationRow({ ms, situation, verdict, violations }: Judgement): string {
  const name = `${escaped(situation.name)}${situation.must ? " *" : ""}`;
  const linked = verdict === "fail" ? `<a href="#${escaped(situation.name)}">${name}</a>` : name;
  const wrong = violations.map(({ rule, sentence }) => `<code>${escaped(rule)}</code>: ${escaped(sentence)}`).join("<br>");
  return `<tr><td>${escaped(situation.group)}</td><td>${linked}</td><td class="${verdict}">${verdict}</td><td>${escaped(situation.story)}</td><td>${wrong}</td><td class="number">${Math.round(ms)}</td></tr>`;
}

function failureSection({ run, situation, tape, violations }: Judgement): string {
  const statements = [...(situation.setup ?? []), situation.sql];
  return `<h3 id="${escaped(situation.name)}">${escaped(situation.name)}</h3>
<p>${escaped(situation.story)}</p>
<ul>${violations.map(({ rule, sentence }) => `<li><code>${escaped(rule)}</code>: ${escaped(sentence)}</li>`).join("")}</ul>
<pre>${statements.map((sql) => escaped(shortened(sql, 400))).join("\n")}</pre>
<p>Exit code ${escaped(String(run.code))}${run.hung ? ", ended by the judge" : ""}.</p>
${run.errors.trim() === "" ? "" : `<pre>${escaped(shortened(run.errors.trim(), 1500))}</pre>`}
<div class="wide"><table class="tape">
<thead><tr><th>ms</th><th>Request</th><th>Answer</th><th>ms</th></tr></thead>
<tbody>
${shownEntries(tape).map(entryRow).join("\n")}
</tbody>
</table></div>`;
}

const entriesMax = 60;

/** Beginning and end of a long tape. */
function shownEntries(tape: readonly TapeEntry[]): readonly TapeEntry[] {
  return tape.length <= entriesMax ? tape : [...tape.slice(0, entriesMax / 2), ...tape.slice(-entriesMax / 2)];
}

function entryRow(entry: TapeEntry): string {
  const session = Object.entries(entry.headers)
    .filter(([name]) => /^x-(?:engine|presto|trino)-/.test(name) && !/-(?:user|source|catalog|schema)$/.test(name))
    .map(([name, value]) => `${name}: ${String(value)}`);
  const asked = [`${entry.method} ${entry.url}`, ...session, ...(entry.body === "" ? [] : [shortened(entry.body, 200)])];
  return `<tr><td class="number">${Math.round(entry.atMs)}</td><td>${asked.map(escaped).join("<br>")}</td><td>${escaped(answerText(entry))}</td><td class="number">${entry.endedMs === undefined ? "" : Math.round(entry.endedMs)}</td></tr>`;
}

function answerText({ answer = "", answerHeaders, ending, leftMs, status }: TapeEntry): string {
  const after = answerHeaders === undefined ? undefined : firstHeader(answerHeaders, "retry-after");
  const how = ending === undefined ? "open" : ending === "answered" ? "" : `${ending} `;
  const left = leftMs === undefined ? "" : ` (client left at ${Math.round(leftMs)} ms)`;
  return `${how}${status ?? ""}${after === undefined ? "" : ` Retry-After ${after}`}${left} ${shortened(answer, 300)}`.trim();
}

function shortened(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
