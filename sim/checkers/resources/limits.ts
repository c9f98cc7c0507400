/**
 * The limits of a query, checked against the last document of its client. A successful query has stayed within its limits; a query that was
 * ended for a limit had exceeded it, and was ended soon after. The document reports usage that the tasks sent to the coordinator; the
 * statistics oracle compares it with the tasks.
 */
import { parseDataSize, parseDurationMs } from "../../../src/protocol/units.ts";
import type { Properties } from "../../plan.ts";
import { check, type Verdict } from "../violation.ts";

const oracle = "limits";
/** Interval in which an undisturbed coordinator checks limits, plus the work between two checks, in milliseconds. */
const lateMsMax = 1000;
/** CPU time, in milliseconds, that may pass between a task's reports. Tasks report once a second, and each has a thread of its own. */
const lateCpuMsMax = 2500;

export interface LimitsOptions {
  readonly verdict: Verdict;
  readonly properties: Properties;
  /** Returns the session properties of a user's statements. */
  readonly sessionOf: (user: string) => Readonly<Record<string, string>>;
  readonly nodeCount: number;
  /** Whether any fault or failed message may delay events. */
  readonly isTroubled: () => boolean;
}

export interface LimitedDocument {
  readonly id: string;
  readonly nextUri?: string;
  readonly error?: { readonly errorName: string; readonly message: string };
  readonly stats: {
    readonly state: string;
    readonly cpuTimeMillis?: number;
    readonly elapsedTimeMillis?: number;
    readonly queuedTimeMillis?: number;
    readonly physicalInputBytes?: number;
    readonly peakMemoryBytes?: number;
  };
}

export interface QueryLimits {
  readonly runMs: number;
  readonly executionMs: number;
  readonly cpuMs: number;
  readonly scanBytes: number;
  readonly userMemoryBytes: number;
  readonly totalMemoryBytes: number;
}

/** Limits of docs/interface.md (Limits of a query), from the plan's configuration and the session, which may only lower them. */
export function plannedLimits(properties: Properties, session: Readonly<Record<string, string>>): QueryLimits {
  const userMemoryBytes = parseDataSize(properties["query.max-memory"] ?? "20GB") ?? Number.NaN;
  const usually: Properties = { "query.max-memory": "20GB", "query.max-total-memory": `${2 * userMemoryBytes}B` };
  const least = (name: string, parse: (text: string) => number | undefined): number =>
    Math.min(
      ...[properties[name] ?? usually[name], session[name.replaceAll(/[.-]/g, "_")]].map(
        (text) => parse(text ?? "") ?? Number.POSITIVE_INFINITY,
      ),
    );
  return {
    runMs: least("query.max-run-time", parseDurationMs),
    executionMs: least("query.max-execution-time", parseDurationMs),
    cpuMs: least("query.max-cpu-time", parseDurationMs),
    scanBytes: least("query.max-scan-physical-bytes", parseDataSize),
    userMemoryBytes: least("query.max-memory", parseDataSize),
    totalMemoryBytes: least("query.max-total-memory", parseDataSize),
  };
}

export class LimitsOracle {
  readonly #options: LimitsOptions;
  /** Queries that ran again: what their former attempts have used counts for the limits, and no document shows it. */
  readonly #ranAgain = new Set<string>();
  /** A query ended without the last numbers of its tasks, so what it shows may have come after its end. */
  #lacksNumbers = false;

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /** Receives every note of the world. */
  note(kind: string, detail: string): void {
    if (kind === "log-info" && /^query-attempt-(?:lost|given-up) /.test(detail)) {
      this.#ranAgain.add(/"queryId":"([^"]+)"/.exec(detail)?.[1] ?? "");
    }
    this.#lacksNumbers ||= kind === "point" && detail === "query-ends-without-last-numbers";
  }

  /** Handles a document as the user's client receives it. */
  observe(user: string, document: LimitedDocument): void {
    if (document.nextUri !== undefined) {
      return;
    }
    const limits = plannedLimits(this.#options.properties, this.#options.sessionOf(user));
    if (document.stats.state === "FINISHED") {
      this.#observeSuccess(document, limits);
    } else if (document.error !== undefined) {
      this.#observeFailure(document, document.error.errorName, limits);
    }
  }

  #observeSuccess({ id, stats }: LimitedDocument, limits: QueryLimits): void {
    const { cpuTimeMillis: cpuMs = 0, elapsedTimeMillis: elapsedMs = 0, queuedTimeMillis: queuedMs = 0, physicalInputBytes = 0 } = stats;
    const isLate = this.#lacksNumbers;
    this.#check(isLate || cpuMs <= limits.cpuMs, () => `${id} ended well after ${cpuMs} ms of CPU time, of ${limits.cpuMs} allowed`);
    this.#check(isLate || physicalInputBytes <= limits.scanBytes, () => {
      return `${id} ended well after its scans read ${physicalInputBytes} bytes, of ${limits.scanBytes} allowed`;
    });
    this.#checkSoon(elapsedMs, limits.runMs, () => `${id} ended well after ${elapsedMs} ms, of ${limits.runMs} allowed`);
    const executionMs = elapsedMs - queuedMs;
    this.#checkSoon(
      executionMs,
      limits.executionMs,
      () => `${id} ended well after it ran for ${executionMs} ms, of ${limits.executionMs} allowed`,
    );
  }

  #observeFailure({ id, stats, error }: LimitedDocument, errorName: string, limits: QueryLimits): void {
    const { cpuTimeMillis: cpuMs = 0, elapsedTimeMillis: elapsedMs = 0, queuedTimeMillis: queuedMs = 0, physicalInputBytes = 0 } = stats;
    const isPart = this.#ranAgain.has(id);
    if (errorName === "EXCEEDED_CPU_LIMIT") {
      this.#check(isPart || cpuMs >= limits.cpuMs, () => `${id} was ended for its CPU time after ${cpuMs} ms, of ${limits.cpuMs} allowed`);
      const soonMs = limits.cpuMs + this.#options.nodeCount * lateCpuMsMax;
      this.#check(this.#options.isTroubled() || cpuMs <= soonMs, () => `${id} was ended for its CPU time as late as after ${cpuMs} ms`);
    } else if (errorName === "EXCEEDED_SCAN_LIMIT") {
      this.#check(isPart || physicalInputBytes > limits.scanBytes, () => {
        return `${id} was ended for its scans after ${physicalInputBytes} bytes, of ${limits.scanBytes} allowed`;
      });
    } else if (errorName === "EXCEEDED_GLOBAL_MEMORY_LIMIT") {
      // The peaks of the tasks add up to at least what they held at the moment.
      const limitBytes = error?.message.includes(" total ") === true ? limits.totalMemoryBytes : limits.userMemoryBytes;
      const { peakMemoryBytes = 0 } = stats;
      this.#check(peakMemoryBytes > limitBytes, () => {
        return `${id} was ended for its memory, which never exceeded ${peakMemoryBytes} bytes, of ${limitBytes} allowed`;
      });
    } else if (errorName === "EXCEEDED_TIME_LIMIT") {
      const isExecution = error?.message.includes("execution") === true;
      const [limitMs, spentMs] = isExecution ? [limits.executionMs, elapsedMs - queuedMs] : [limits.runMs, elapsedMs];
      // Fractions of a millisecond are truncated. The documents of old families have no times.
      const isTold = stats.elapsedTimeMillis !== undefined;
      this.#check(!isTold || spentMs >= limitMs - 1, () => `${id} was ended after ${spentMs} ms, of ${limitMs} allowed`);
      this.#checkSoon(spentMs, limitMs, () => `${id} was ended as late as after ${spentMs} ms, of ${limitMs} allowed`);
    }
  }

  #checkSoon(spentMs: number, limitMs: number, sentence: () => string): void {
    this.#check(this.#options.isTroubled() || spentMs <= limitMs + lateMsMax, sentence);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "safety", oracle, holds, sentence);
  }
}
