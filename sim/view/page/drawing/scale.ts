/**
 * Maps time to screen positions. There are two scales: linear time, and an activity scale that shortens long silences, so that bursts of
 * milliseconds between seconds of silence are readable side by side. Positions are nanoseconds; a silence has fewer positions than
 * nanoseconds.
 */

export class Scale {
  /** Ascending times with their `#positions`; between two of them, the position is linear in time. */
  readonly #times: Float64Array;
  readonly #positions: Float64Array;

  private constructor(times: Float64Array, positions: Float64Array) {
    this.#times = times;
    this.#positions = positions;
  }

  static clock(fromNanos: number, toNanos: number): Scale {
    const ends = Float64Array.of(fromNanos, Math.max(toNanos, fromNanos + 1));
    return new Scale(ends, ends);
  }

  /** `times` are the ascending times of activity. Gaps up to `calmNanos` keep their length; longer ones grow logarithmically. */
  static activity(times: Float64Array, calmNanos: number): Scale {
    const anchors: number[] = [];
    const positions: number[] = [];
    let position = 0;
    for (const time of times) {
      const last = anchors.at(-1);
      if (last === undefined) {
        anchors.push(time);
        positions.push(0);
      } else if (time > last) {
        const gap = time - last;
        position += gap <= calmNanos ? gap : calmNanos * (1 + 1.5 * Math.log2(gap / calmNanos));
        anchors.push(time);
        positions.push(position);
      }
    }
    if (anchors.length < 2) {
      const from = anchors[0] ?? 0;
      return Scale.clock(from, from + 1);
    }
    return new Scale(Float64Array.from(anchors), Float64Array.from(positions));
  }

  /** Whether the scale is linear. */
  get isEven(): boolean {
    return this.#times === this.#positions;
  }

  get from(): number {
    return this.#positions[0] ?? 0;
  }

  get to(): number {
    return this.#positions[this.#positions.length - 1] ?? 1;
  }

  positionOf(nanos: number): number {
    return interpolate(this.#times, this.#positions, nanos);
  }

  nanosAt(position: number): number {
    return interpolate(this.#positions, this.#times, position);
  }

  /** Positions of ascending times, computed in one pass. */
  positionsOf(times: Float64Array): Float64Array {
    const found = new Float64Array(times.length);
    let slot = 0;
    const last = this.#times.length - 2;
    for (let index = 0; index < times.length; index++) {
      const time = times[index] ?? 0;
      while (slot < last && (this.#times[slot + 1] ?? 0) < time) {
        slot++;
      }
      found[index] = between(this.#times, this.#positions, slot, time);
    }
    return found;
  }
}

function between(from: Float64Array, to: Float64Array, slot: number, value: number): number {
  const a = from[slot] ?? 0;
  const b = from[slot + 1] ?? a + 1;
  const c = to[slot] ?? 0;
  return c + ((value - a) / (b - a)) * ((to[slot + 1] ?? c) - c);
}

function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  return between(from, to, Math.max(0, Math.min(from.length - 2, firstAtLeast(from, value) - 1)), value);
}

/** Index of the first number that is at least `value`, in ascending numbers. */
export function firstAtLeast(numbers: Float64Array, value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The number between `from` and `to` with the fewest digits, among those that end in 0, 5 or an even digit. */
export function roundest(from: number, to: number): number {
  for (let power = 10 ** 13; power >= 1; power /= 10) {
    for (const step of [power, power / 2, power / 5]) {
      const candidate = Math.ceil(from / step) * step;
      if (candidate <= to) {
        return candidate;
      }
    }
  }
  return Math.round((from + to) / 2);
}

/** The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((digit) => digit * power >= least) ?? 10);
}

export type TimeFormat = "seconds" | "clock" | "relative";

/** `spanNanos` is the visible time span, which determines the number of digits. */
export function formatTime(
  nanos: number,
  options: { readonly format: TimeFormat; readonly originNanos: number; readonly spanNanos: number },
): string {
  if (options.format === "relative") {
    const offset = nanos - options.originNanos;
    return `${offset < 0 ? "−" : "+"}${formatDuration(Math.abs(offset))}`;
  }
  const digits = Math.max(0, Math.min(9, 10 - Math.floor(Math.log10(Math.max(1, options.spanNanos)))));
  const seconds = nanos / 1e9;
  if (options.format === "seconds") {
    return `${seconds.toFixed(digits)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - minutes * 60).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, "0");
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

export function formatDuration(nanos: number): string {
  const [unit, per] = nanos >= 1e9 ? ["s", 1e9] : nanos >= 1e6 ? ["ms", 1e6] : nanos >= 1e3 ? ["µs", 1e3] : ["ns", 1];
  const value = nanos / Number(per);
  return `${value.toFixed(per === 1 ? 0 : value < 10 ? 3 : value < 100 ? 2 : 1)} ${unit}`;
}
