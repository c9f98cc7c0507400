/**
 * Reporter of vitest that ends a run in which nothing happens any more. The time-out of a test cannot end a thread that never gives up
 * its processor; without this reporter such a test keeps the whole run from its end and from telling which test it was.
 */
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Twice the longest time that a test or a hook may take (vitest.config.ts) and still be reported by vitest itself. */
const silenceMsMax = 2 * 300_000 + 60_000;
const checkMs = 10_000;

export interface StallOptions {
  readonly silenceMsMax: number;
  readonly now: () => number;
  readonly onStall: (message: string) => void;
}

export class StallReporter implements Reporter {
  readonly #options: StallOptions;
  /** The tests that have begun, by module; the modules are those that have not ended. */
  readonly #running = new Map<string, Set<string>>();
  #lastMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: Partial<StallOptions> = {}) {
    this.#options = { silenceMsMax, now: () => performance.now(), onStall: endProcess, ...options };
    this.#lastMs = this.#options.now();
  }

  onTestRunStart(): void {
    this.#happened();
    this.#timer = setInterval(() => this.check(), checkMs);
    this.#timer.unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#happened();
    this.#running.set(relativeModuleId, new Set());
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    this.#happened();
    this.#running.get(module.relativeModuleId)?.add(fullName);
  }

  onTestCaseResult({ module, fullName }: TestCase): void {
    this.#happened();
    this.#running.get(module.relativeModuleId)?.delete(fullName);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#happened();
    this.#running.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  /** Calls `onStall` if nothing has begun or ended for too long. */
  check(): void {
    const silentMs = this.#options.now() - this.#lastMs;
    if (silentMs < this.#options.silenceMsMax) {
      return;
    }
    const lines = [...this.#running].map(([module, tests]) => `  ${module}${tests.size === 0 ? "" : `: ${[...tests].join("; ")}`}`);
    this.#options.onStall(
      [`FAILED: no test has begun or ended for ${Math.round(silentMs / 60_000)} minutes. Unfinished:`, ...lines, ""].join("\n"),
    );
  }

  #happened(): void {
    this.#lastMs = this.#options.now();
  }
}

function endProcess(message: string): void {
  process.stdout.write(message, () => process.exit(1));
}
