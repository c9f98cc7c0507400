/**
 * Generates src/types/time/zone-table.ts from compiled files of the tz database (public domain): `node tools/time-zones.mjs [FOLDER]`.
 * FOLDER is the system's zoneinfo by default. Zones keep their numbers from the present table, because values store a zone's number.
 */
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? "/usr/share/zoneinfo";
const target = fileURLToPath(new URL("../src/types/time/zone-table.ts", import.meta.url));
const gridSeconds = 900;

function filesIn(path) {
  return readdirSync(path)
    .sort()
    .flatMap((name) => (statSync(join(path, name)).isDirectory() ? filesIn(join(path, name)) : [join(path, name)]));
}

/** Parses the 64-bit part of a TZif file (RFC 8536). */
function readZone(bytes) {
  const u32 = (at) => bytes.readUInt32BE(at);
  const [isUt, isStd, leaps, times, types, chars] = [20, 24, 28, 32, 36, 40].map(u32);
  const header = 44 + times * 5 + types * 6 + chars + leaps * 8 + isStd + isUt;
  const count = u32(header + 32);
  const typeCount = u32(header + 36);
  const at = header + 44;
  const offsetOf = (type) => bytes.readInt32BE(at + count * 9 + type * 6);
  const transitions = [];
  let offset = offsetOf(0);
  const first = offset;
  for (let index = 0; index < count; index++) {
    const after = offsetOf(bytes[at + count * 8 + index]);
    if (after !== offset) {
      transitions.push({ seconds: Number(bytes.readBigInt64BE(at + index * 8)), offset: after });
      offset = after;
    }
  }
  const text = bytes.toString("latin1");
  return { first, transitions, typeCount, rule: text.slice(text.lastIndexOf("\n", text.length - 2) + 1).trim() };
}

function clock(text) {
  const [, sign, hours, minutes = "0", seconds = "0"] = /^([+-]?)(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text);
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -total : total;
}

/** Parses a POSIX TZ text: standard and summer offset, then month, week, weekday and second of both changes; empty without summer time. */
function readRule(text) {
  const name = "(?:<[^>]+>|[A-Za-z]+)";
  const [, standard, summer, start, end] = new RegExp(`^${name}([^,A-Za-z<]+)(?:${name}([^,]*),([^,]+),([^,]+))?$`).exec(text);
  if (start === undefined) {
    return [];
  }
  const change = (part) => {
    const [, month, week, day, time = "2"] = /^M(\d+)\.(\d+)\.(\d+)(?:\/(.+))?$/.exec(part);
    return [Number(month), Number(week), Number(day), clock(time)];
  };
  const offset = -clock(standard);
  return [offset, summer === "" ? offset + 3600 : -clock(summer), ...change(start), ...change(end)];
}

function changeOf(year, [month, week, day, seconds], offset) {
  const days = (y, m, d) => Date.UTC(y, m - 1, d) / 86_400_000;
  const firstDay = days(year, month, 1);
  let at = firstDay + ((((day - (firstDay + 4)) % 7) + 7) % 7) + 7 * (week - 1);
  while (at >= days(year, month + 1, 1)) {
    at -= 7;
  }
  return at * 86_400 + seconds - offset;
}

/** Removes the transitions at the end that the rule generates again. */
function withoutRuled({ transitions, rule }) {
  const [standard, summer, ...changes] = readRule(rule);
  let kept = [...transitions];
  if (standard === undefined) {
    return kept;
  }
  const made = (year) => [
    { seconds: changeOf(year, changes.slice(0, 4), standard), offset: summer },
    { seconds: changeOf(year, changes.slice(4), summer), offset: standard },
  ];
  // The first year of the rule stays, because the rule applies after the last transition that is kept.
  let beforeRule = kept;
  let yearAfter;
  while (kept.length > 2) {
    const year = new Date(kept.at(-1).seconds * 1000).getUTCFullYear();
    const pair = kept.slice(-2);
    // A year without transitions does not follow the rule: Haiti had none in 2016.
    if (yearAfter !== undefined && year !== yearAfter - 1) {
      break;
    }
    yearAfter = year;
    if (!made(year).every(({ seconds, offset }) => pair.some((one) => one.seconds === seconds && one.offset === offset))) {
      break;
    }
    beforeRule = kept;
    kept = kept.slice(0, -2);
  }
  return beforeRule;
}

function encode(zone) {
  const kept = withoutRuled(zone);
  const offsets = [...new Set(kept.map(({ offset }) => offset))];
  let before = 0;
  const changes = kept.map(({ seconds, offset }) => {
    const whole = Math.floor(seconds / gridSeconds);
    const rest = seconds - whole * gridSeconds;
    const text = `${(whole - before).toString(36)}${rest === 0 ? "" : `:${rest.toString(36)}`}${String.fromCharCode(65 + offsets.indexOf(offset))}`;
    before = whole;
    return text;
  });
  if (offsets.length > 26) {
    throw new Error("more offsets than letters");
  }
  return [zone.first, offsets.join(","), readRule(zone.rule).join(","), changes.join("")].join("|");
}

const zones = new Map();
for (const file of filesIn(folder)) {
  const name = relative(folder, file);
  const bytes = readFileSync(file);
  if (bytes.subarray(0, 4).toString() === "TZif" && /^[A-Z]/.test(name) && name !== "Factory") {
    zones.set(name, encode(readZone(bytes)));
  }
}
const known = existsSync(target) ? /zoneNames = `([^`]*)`/.exec(readFileSync(target, "utf8"))[1].split(/\s+/) : [];
const names = [...new Set([...known.filter((name) => name !== ""), ...zones.keys()])];
const missing = names.filter((name) => !zones.has(name));
if (missing.length > 0) {
  throw new Error(`zones that were known are gone: ${missing.join(", ")}`);
}
const histories = [...new Set(names.map((name) => zones.get(name)))];
const version = /^# version (\S+)/.exec(readFileSync(join(folder, "tzdata.zi"), "utf8"))[1];
const wrap = (words) =>
  words
    .reduce(
      (lines, word) =>
        `${lines.at(-1)} ${word}`.length > 140 ? [...lines, word] : [...lines.slice(0, -1), `${lines.at(-1)} ${word}`.trim()],
      [""],
    )
    .join("\n");
writeFileSync(
  target,
  `/**
 * The tz database ${version} (public domain). Generated by tools/time-zones.mjs: do not edit.
 */

/** In key order. Names are never removed, and new names are appended. */
export const zoneNames = \`
${wrap(names)}
\`;

/** Line number in zoneHistories for each name. */
export const historyOfName = \`
${wrap(names.map((name) => histories.indexOf(zones.get(name)).toString(36)))}
\`;

/**
 * One history per line: the first offset in seconds; the later offsets; the rule after the last transition (standard and summer offset,
 * then month, week, weekday and second of the day of both transitions); the transitions. A transition is the quarters of an hour since the
 * previous one and the remaining seconds, in base 36, and the letter of its offset.
 */
export const zoneHistories = \`
${histories.join("\n")}
\`;
`,
);
