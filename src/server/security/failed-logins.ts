/**
 * Bounds the passwords that one address can try: a number at once, then one each interval. A password that was right costs nothing. An
 * address that has tried too many waits; other addresses do not notice.
 */
import { isIPv6 } from "node:net";
import { RefusedRequest } from "../edge/intake.ts";

export interface FailedLoginsOptions {
  /** Wrong passwords that an address can send at once. */
  readonly burst: number;
  /** Time after which an address can send one more. */
  readonly intervalMs: number;
  /** Addresses that are remembered; the one whose failure is the oldest is forgotten first. */
  readonly addressesMax: number;
  readonly nowMs?: () => number;
}

const failedLoginsDefaults: FailedLoginsOptions = { burst: 20, intervalMs: 3000, addressesMax: 10_000 };

export class FailedLogins {
  readonly #options: FailedLoginsOptions;
  readonly #nowMs: () => number;
  /** When each address is without debt again, in ms; in order of the last attempt. */
  readonly #freeAtMs = new Map<string, number>();

  constructor(options: FailedLoginsOptions = failedLoginsDefaults) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? ((): number => performance.now());
  }

  /** Counts an attempt as failed until `forgive`. Throws RefusedRequest 429 if the address has tried too many. */
  attempt(address: string): void {
    const { addressesMax, burst, intervalMs } = this.#options;
    const network = networkOf(address);
    const now = this.#nowMs();
    const freeAt = Math.max(now, this.#freeAtMs.get(network) ?? 0) + intervalMs;
    const waitMs = freeAt - now - burst * intervalMs;
    if (waitMs > 0) {
      throw new RefusedRequest(429, "Too many failed logins, try again later", { "retry-after": String(Math.ceil(waitMs / 1000)) });
    }
    this.#freeAtMs.delete(network);
    this.#freeAtMs.set(network, freeAt);
    if (this.#freeAtMs.size > addressesMax) {
      const [oldest] = this.#freeAtMs.keys();
      this.#freeAtMs.delete(oldest as string);
    }
  }

  /** The attempt was right. */
  forgive(address: string): void {
    const network = networkOf(address);
    const freeAt = this.#freeAtMs.get(network);
    if (freeAt !== undefined) {
      this.#freeAtMs.set(network, freeAt - this.#options.intervalMs);
    }
  }
}

/** An IPv4 address, or the /64 of an IPv6 address: a host has all addresses of it. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) {
    return mapped ?? address;
  }
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const all = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...tail.split(":")];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":");
}
