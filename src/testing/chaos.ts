/**
 * Faults by rule. A rule names messages (sender, receiver, path ...) and what happens to them, or a fault point of the engine and how often
 * it fires. The vocabulary is the simulator's: the fates of `ports/fates.ts` and the points of `ports/points.ts`.
 */
import "./dispose.ts";
import { type FateKind, type Leg, messageFates } from "../ports/fates.ts";
import type { Headers, HttpMethod } from "../ports/network.ts";
import { type FaultPoints, faultPoints, type PointName } from "../ports/points.ts";
import { hashBytes } from "../recording/hash.ts";
import { nearestName } from "../server/properties.ts";
import { encodeUtf8 } from "../types/utf8.ts";

/** A fate of the simulator, or an answer with a status of the rule's choice. `overtaken` needs a simulated network. */
export type ChaosFate = Exclude<FateKind, "overtaken"> | "status";

interface HowOften {
  /** Percentage of the matching messages (or passes of the point) that are hit; 100 if absent. The draw depends on `seed` only. */
  readonly percent?: number;
  /** This many matches are let through first. */
  readonly after?: number;
  /** The rule ends after this many hits. */
  readonly times?: number;
}

/** Messages that match all given members have the fate. */
export interface MessageRule extends HowOften {
  readonly fate: ChaosFate;
  /** Sender: `client`, `coordinator`, `worker-1`; `*` stands for any characters. Any sender if absent. */
  readonly from?: string;
  /** Receiver of the request; named like `from`. */
  readonly to?: string;
  readonly method?: HttpMethod;
  /** Prefix of the path with its query, or a pattern for it. */
  readonly path?: string | RegExp;
  /** The engine's name for the request, as in traces of the simulator: `task-update`. Requests of HTTP clients have the label `http`. */
  readonly label?: string;
  /** Request headers by lower-case name: the exact value, or a pattern for it. */
  readonly headers?: Readonly<Record<string, string | RegExp>>;
  /** The message of the exchange that is hit: `request` if absent, `answer` for `truncated`. */
  readonly leg?: Leg;
  /** Of `delayed`, and of the second request of `duplicated`, in milliseconds. */
  readonly delayMs?: number;
  /** Of `status`; 503 if absent. The node never sees the request. */
  readonly status?: number;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly answerBody?: string;
}

/** A fault point of the engine fires: rare but legal behavior, such as short answers and late requests. */
export interface PointRule extends HowOften {
  readonly point: PointName;
  /** The node; named like `MessageRule.from`. Every node if absent. */
  readonly at?: string;
}

export type ChaosRule = MessageRule | PointRule;

/** A fault in force. `using` ends it with the block. */
export interface Fault {
  /** Messages or passes that were hit. */
  readonly hits: number;
  /** Ends the fault. Idempotent. */
  heal(): void;
  [Symbol.dispose](): void;
}

/** One leg of an exchange. */
export interface ChaosMessage {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Headers;
  readonly leg: Leg;
  /** Ordinal among the messages of the same ends, label and leg. */
  readonly ordinal: number;
}

/** What happens to one message. Delays add up; of the other fates, the first rule decides. */
export interface Verdict {
  readonly delayMs: number;
  readonly ruling: MessageRule | undefined;
}

const legsOf: Readonly<Record<ChaosFate, readonly Leg[]>> = {
  lost: ["request", "answer"],
  reset: ["request", "answer"],
  "reset-delivered": ["request"],
  duplicated: ["request"],
  delayed: ["request", "answer"],
  "never-answered": ["request"],
  truncated: ["answer"],
  status: ["request"],
};

/**
 * A task must emit the same output on every node and in every attempt, so these points fire always or never.
 */
const wholeRunPoints: ReadonlySet<PointName> = new Set([
  "page-cut-early",
  "page-without-dictionary",
  "partial-aggregation-flushes-early",
  "top-rows-cut-early",
]);

const untouched: Verdict = Object.freeze({ delayMs: 0, ruling: undefined });

export class Chaos {
  readonly #places: readonly string[];
  readonly #seed: number;
  readonly #rules = new Set<RuleInForce>();
  #rulesEver = 0;

  constructor(options: { readonly places: readonly string[]; readonly seed: number }) {
    this.#places = options.places;
    this.#seed = options.seed;
  }

  /** Throws a TypeError for a rule that can never match or has no meaning. */
  check(rule: ChaosRule): void {
    checkRule(rule, this.#places);
  }

  add(rule: ChaosRule): Fault {
    this.check(rule);
    const inForce = new RuleInForce(rule, `${this.#seed}/${this.#rulesEver++}`, () => this.#rules.delete(inForce));
    this.#rules.add(inForce);
    return inForce;
  }

  verdictOn(message: ChaosMessage): Verdict {
    if (this.#rules.size === 0) {
      return untouched;
    }
    let delayMs = 0;
    for (const rule of this.#rules) {
      const ruling = rule.hitsMessage(message);
      if (ruling?.fate === "delayed") {
        delayMs += ruling.delayMs ?? 0;
      } else if (ruling !== undefined) {
        return { delayMs, ruling };
      }
    }
    return { delayMs, ruling: undefined };
  }

  pointsOf(place: string): FaultPoints {
    return {
      fires: (name) => {
        let fires = false;
        for (const rule of this.#rules) {
          fires = rule.hitsPoint(place, name) || fires;
        }
        return fires;
      },
    };
  }

  heal(): void {
    for (const rule of Array.from(this.#rules)) {
      rule.heal();
    }
  }
}

class RuleInForce implements Fault {
  readonly #rule: ChaosRule;
  readonly #draws: string;
  readonly #onHealed: () => void;
  #matches = 0;
  #hits = 0;

  constructor(rule: ChaosRule, draws: string, onHealed: () => void) {
    this.#rule = rule;
    this.#draws = draws;
    this.#onHealed = onHealed;
  }

  get hits(): number {
    return this.#hits;
  }

  hitsMessage(message: ChaosMessage): MessageRule | undefined {
    const rule = this.#rule;
    if (!("fate" in rule) || !matches(rule, message)) {
      return undefined;
    }
    const { from, to, label, leg, ordinal } = message;
    return this.#strikes(`${from}>${to} ${label} #${ordinal} ${leg}`) ? rule : undefined;
  }

  hitsPoint(place: string, name: PointName): boolean {
    const rule = this.#rule;
    if (!("point" in rule) || rule.point !== name || (rule.at !== undefined && !named(rule.at, place))) {
      return false;
    }
    return this.#strikes(wholeRunPoints.has(name) ? name : `${place} ${name} #${this.#matches}`);
  }

  heal(): void {
    this.#onHealed();
  }

  [Symbol.dispose](): void {
    this.heal();
  }

  /** Counts the match. */
  #strikes(drawName: string): boolean {
    const { after = 0, percent = 100, times = Number.POSITIVE_INFINITY } = this.#rule;
    this.#matches++;
    if (this.#matches <= after || this.#hits >= times || !chance(percent, `${this.#draws} ${drawName}`)) {
      return false;
    }
    this.#hits++;
    return true;
  }
}

/** The same name always draws the same, so one rule's draws do not depend on other messages. */
function chance(percent: number, name: string): boolean {
  return percent >= 100 || hashBytes(encodeUtf8(name)) / 2 ** 32 < percent / 100;
}

function matches(rule: MessageRule, message: ChaosMessage): boolean {
  const { from, to, method, path, label, headers = {} } = rule;
  return (
    message.leg === legOf(rule) &&
    (from === undefined || named(from, message.from)) &&
    (to === undefined || named(to, message.to)) &&
    (method === undefined || method === message.method) &&
    (label === undefined || label === message.label) &&
    (path === undefined || (typeof path === "string" ? message.path.startsWith(path) : path.test(message.path))) &&
    Object.entries(headers).every(([name, wanted]) => {
      const value = message.headers[name.toLowerCase()];
      const text = value === undefined || typeof value === "string" ? value : value.join(",");
      return text !== undefined && (typeof wanted === "string" ? wanted === text : wanted.test(text));
    })
  );
}

function legOf({ fate, leg }: MessageRule): Leg {
  return leg ?? legsOf[fate][0] ?? "request";
}

/** `*` stands for any characters. */
function named(pattern: string, place: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) {
    return pattern === place;
  }
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w-]/g, "\\$&")).join(".*")}$`).test(place);
}

function checkRule(rule: ChaosRule, places: readonly string[]): void {
  const { percent, after, times } = rule;
  checkRange("percent", percent, 0, 100);
  checkRange("after", after, 0, Number.MAX_SAFE_INTEGER);
  checkRange("times", times, 0, Number.MAX_SAFE_INTEGER);
  if ("point" in rule) {
    checkName("fault point", rule.point, Object.keys(faultPoints));
    checkPlace("at", rule.at, places);
    if (wholeRunPoints.has(rule.point) && (after ?? 0) + (times ?? 0) > 0) {
      throw new TypeError(`fault point '${rule.point}' fires always or never; it takes neither 'after' nor 'times'`);
    }
    return;
  }
  checkName("fate", rule.fate, [...Object.keys(messageFates).filter((fate) => fate in legsOf), "status"]);
  checkPlace("from", rule.from, places);
  checkPlace("to", rule.to, places);
  if (rule.leg !== undefined && !legsOf[rule.fate].includes(rule.leg)) {
    throw new TypeError(`fate '${rule.fate}' cannot hit the leg '${rule.leg}'`);
  }
  if (rule.fate === "delayed" && rule.delayMs === undefined) {
    throw new TypeError("fate 'delayed' needs 'delayMs'");
  }
  checkRange("delayMs", rule.delayMs, 0, 2 ** 31 - 1);
  checkRange("status", rule.status, 200, 599);
}

function checkName(kind: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) {
    const near = nearestName(name, known);
    throw new TypeError(
      `${kind} '${name}' is not known${near === undefined ? `; known are ${known.join(", ")}` : `; did you mean '${near}'?`}`,
    );
  }
}

function checkPlace(member: string, pattern: string | undefined, places: readonly string[]): void {
  if (pattern !== undefined && !places.some((place) => named(pattern, place))) {
    throw new TypeError(`'${member}: ${pattern}' matches no place of this cluster; it has ${places.join(", ")}`);
  }
}

function checkRange(member: string, value: number | undefined, low: number, high: number): void {
  if (value !== undefined && !(value >= low && value <= high)) {
    throw new TypeError(`'${member}: ${value}' is not a number from ${low} to ${high}`);
  }
}
