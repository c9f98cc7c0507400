/** The web interface in a real Chromium, driven by Playwright: one browser for a test file, a context for each visit. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium, howToInstall } from "./chromium.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const waitMs = 60_000;

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the page and its console, with violations of the content security policy. */
  readonly errors: string[];
  /** Requested paths below /v1. */
  readonly requests: string[];
  close(): Promise<void>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  /** Timers and the clock of the page stand still until the test moves them. */
  readonly isClockOurs?: boolean;
  readonly acceptsAnyCertificate?: boolean;
}

export class WebBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<WebBrowser> {
    const found = findChromium();
    if (found === undefined) {
      throw new Error(howToInstall);
    }
    // Playwright wants a path where findChromium may have a name.
    const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', found], { encoding: "utf8" }).trim();
    return new WebBrowser(await chromium.launch({ executablePath, args: ["--no-sandbox", "--force-color-profile=srgb"] }));
  }

  async open(address: string, options: VisitOptions = {}): Promise<Visit> {
    const { width = 1440, height = 900, isDark = false, isClockOurs = false } = options;
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: isDark ? "dark" : "light",
      ignoreHTTPSErrors: options.acceptsAnyCertificate === true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    const errors: string[] = [];
    const requests: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        errors.push(message.text());
      }
    });
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/v1/")) {
        requests.push(pathname + search);
      }
    });
    if (isClockOurs) {
      await page.clock.install();
    }
    await page.goto(address);
    return { page, context, errors, requests, close: () => context.close() };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** What axe finds on the page: the rule, and the first element that breaks it. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    interface Found {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { axe } = globalThis as unknown as { readonly axe: { run(options: object): Promise<{ readonly violations: readonly Found[] }> } };
    const result = await axe.run({
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ""}`);
  });
  return violations;
}
