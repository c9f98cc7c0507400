/**
 * A module that is loaded into each process of an acted cluster before its program. It emulates clock and disk faults of the plan. The
 * program itself is unchanged; settings arrive over the channel between parent and child process.
 */

export interface DiskConditions {
  readonly delayMs?: number;
  readonly errorPercent?: number;
  readonly bytesMax?: number;
  /** Percentage of reads with one flipped bit. */
  readonly corruptPercent?: number;
}

export interface ClockConditions {
  /** Offset of the wall clock only. */
  readonly offsetMs: number;
  /** Drift of the wall clock, the monotonic clock and timers; positive is fast. */
  readonly driftPpm: number;
}

/** Clock and disk conditions, sent to a running process or passed to a starting one. */
export interface ProcessConditions {
  readonly disk: DiskConditions;
  readonly clock: ClockConditions;
}

const preload = `
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
let disk = initial.disk, clock = initial.clock, written = 0, count = 0;

const RealDate = Date, realNow = performance.now.bind(performance), realSetTimeout = setTimeout, realSetInterval = setInterval;
let baseReal = 0, baseLocal = 0;
const rate = () => 1 + clock.driftPpm / 1e6;
const localNow = () => baseLocal + (realNow() - baseReal) * rate();
const wallNow = () => {
  const real = realNow();
  return RealDate.now() + clock.offsetMs + Math.floor(baseLocal + (real - baseReal) * rate() - real);
};
class LocalDate extends RealDate {
  constructor(...given) { if (given.length === 0) { super(wallNow()); } else { super(...given); } }
  static now() { return wallNow(); }
}
globalThis.Date = new Proxy(LocalDate, { apply: () => new LocalDate().toString() });
Object.defineProperty(performance, "now", { value: localNow });
globalThis.setTimeout = (callback, ms, ...rest) => realSetTimeout(callback, Number(ms ?? 0) / rate(), ...rest);
globalThis.setInterval = (callback, ms, ...rest) => realSetInterval(callback, Number(ms ?? 0) / rate(), ...rest);

process.on("message", (message) => {
  if (message.conditions) {
    const real = realNow();
    baseLocal = baseLocal + (real - baseReal) * rate();
    baseReal = real;
    ({ disk, clock } = message.conditions);
  }
});
process.channel?.unref();

const fail = (code, text) => Object.assign(new Error(text), { code });
const hits = (percent) => percent > 0 && (count++ * 37) % 100 < percent;
for (const name of ["writeFile", "appendFile", "open"]) {
  const original = fs[name];
  fs[name] = async (path, bytes, ...rest) => {
    const { delayMs = 0, errorPercent = 0, bytesMax = Infinity } = disk;
    const spill = String(path).includes("/orrery-");
    if (spill && delayMs > 0) { await new Promise((resolve) => realSetTimeout(resolve, delayMs)); }
    if (spill && hits(errorPercent)) { throw fail("EIO", "input/output error"); }
    if (spill && name !== "open") {
      if (written + bytes.length > bytesMax) { throw fail("ENOSPC", "no space left on device"); }
      written += bytes.length;
    }
    const result = await original(path, bytes, ...rest);
    if (spill && name === "open") {
      const read = result.read.bind(result);
      result.read = async (target, at, length, position) => {
        const done = await read(target, at, length, position);
        if (done.bytesRead > 0 && hits(disk.corruptPercent ?? 0)) { target[at + (count % done.bytesRead)] ^= 1 << (count % 8); }
        return done;
      };
    }
    return result;
  };
}
syncBuiltinESMExports();
`;

/** URL for Node's `--import`. */
export function preloadUrl(initial: ProcessConditions): string {
  return `data:text/javascript,${encodeURIComponent(`const initial = ${JSON.stringify(initial)};${preload}`)}`;
}
