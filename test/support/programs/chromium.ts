/**
 * Runs a real Chromium without a window for tests of web pages; controls it through its debugging pipe and ends it with the test.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The path of Chromium, from CHROMIUM or the search path; undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env;
  const candidates = CHROMIUM === undefined || CHROMIUM === "" ? names : [CHROMIUM];
  return candidates.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}

/** True if CI is set, as in .ci/run: browser tests must then run. */
export function isChromiumRequired(): boolean {
  const { CI } = process.env;
  return CI !== undefined && CI !== "" && CI !== "false";
}

export const howToInstall = "Chromium is not here: install it (apt-get install chromium) or name one in CHROMIUM";

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { message: string };
  readonly sessionId?: string;
};

/** Console messages and requests of a tab since it was opened. */
export interface Watched {
  readonly errors: string[];
  /** Requested addresses, without the page itself and data URIs. */
  readonly requests: string[];
}

export class Browser {
  readonly #process: ChildProcess;
  readonly #pipe: Writable;
  readonly #folder: string;
  readonly #waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  readonly #sessions = new Map<string, (method: string, params: Record<string, unknown>) => void>();
  #next = 1;
  #rest = "";

  private constructor(path: string) {
    this.#folder = mkdtempSync(join(tmpdir(), "orrery-chromium-"));
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
    const quiet = [
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      "--force-color-profile=srgb",
    ];
    this.#process = spawn(path, [...flags, ...quiet, `--user-data-dir=${this.#folder}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.#pipe = this.#process.stdio[3] as Writable;
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.#pipe.on("error", () => undefined);
    const fail = (why: string) => () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(why));
      }
      this.#waiting.clear();
    };
    this.#process.on("error", fail(howToInstall));
    this.#process.on("exit", fail("Chromium ended"));
  }

  static start(): Browser {
    const path = findChromium();
    if (path === undefined) {
      throw new Error(howToInstall);
    }
    return new Browser(path);
  }

  /** Messages end with a zero byte. */
  #read(text: string): void {
    const parts = (this.#rest + text).split("\0");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      if (message.id !== undefined) {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        if (message.error === undefined) {
          waiting?.resolve(message.result);
        } else {
          waiting?.reject(new Error(message.error.message));
        }
      } else if (message.sessionId !== undefined && message.method !== undefined) {
        this.#sessions.get(message.sessionId)?.(message.method, (message.params ?? {}) as Record<string, unknown>);
      }
    }
  }

  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      this.#pipe.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  }

  /** Opens a file; resolves when `ready` (an expression in the page) is true. */
  async open(
    file: string,
    options: { readonly width: number; readonly height: number; readonly ready: string; readonly dark?: boolean; readonly ratio?: number },
  ): Promise<Tab> {
    const { targetId } = await this.send<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    const watched: Watched = { errors: [], requests: [] };
    const url = pathToFileURL(file).href;
    this.#sessions.set(sessionId, (method, params) => watch(watched, url, method, params));
    const tab = new Tab(this, sessionId, targetId, watched);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await this.send(`${domain}.enable`, {}, sessionId);
    }
    await tab.resize(options.width, options.height, options.ratio ?? 1);
    await tab.prefer(options.dark === true ? "dark" : "light");
    await this.send("Page.navigate", { url }, sessionId);
    await tab.waitFor(options.ready);
    return tab;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.send("Browser.close").catch(() => undefined);
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function watch({ errors, requests }: Watched, page: string, method: string, params: Record<string, unknown>): void {
  if (method === "Runtime.exceptionThrown" || (method === "Log.entryAdded" && (params["entry"] as { level: string }).level === "error")) {
    errors.push(JSON.stringify(params));
  } else if (method === "Runtime.consoleAPICalled" && (params["type"] === "error" || params["type"] === "warning")) {
    errors.push(JSON.stringify(params["args"]));
  } else if (method === "Network.requestWillBeSent") {
    const { url } = params["request"] as { url: string };
    if (url !== page && !url.startsWith("data:")) {
      requests.push(url);
    }
  }
}

export class Tab {
  readonly watched: Watched;
  readonly #browser: Browser;
  readonly #session: string;
  readonly #target: string;

  constructor(browser: Browser, session: string, target: string, watched: Watched) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
    this.watched = watched;
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    return this.#browser.send<T>(method, params, this.#session);
  }

  /** The value of an expression in the page. Awaits promises and rethrows exceptions. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: { exception?: { description?: string }; text: string };
    }>("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Evaluates the expression once per frame, for at most a minute. */
  async waitFor(expression: string): Promise<void> {
    const holds = await this.evaluate<boolean>(
      `new Promise((resolve) => { const until = performance.now() + 60000; const look = () => (${expression}) ? resolve(true) : performance.now() > until ? resolve(false) : setTimeout(look, 16); look(); })`,
    );
    if (!holds) {
      throw new Error(`after a minute this does not hold: ${expression}; the page said: ${this.watched.errors.join("; ")}`);
    }
  }

  async resize(width: number, height: number, ratio = 1): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
  }

  async prefer(scheme: "light" | "dark"): Promise<void> {
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  }

  /** Sends a key press with its text, as a keyboard does. */
  async press(key: string, code = key): Promise<void> {
    const text = key.length === 1 ? { text: key } : key === "Enter" ? { text: "\r" } : {};
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, ...text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  }

  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
  }

  async mouse(
    type: "mousePressed" | "mouseReleased" | "mouseMoved" | "mouseWheel",
    x: number,
    y: number,
    more: object = {},
  ): Promise<void> {
    await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }

  async click(x: number, y: number): Promise<void> {
    await this.mouse("mousePressed", x, y, { button: "left", buttons: 1, clickCount: 1 });
    await this.mouse("mouseReleased", x, y, { button: "left", buttons: 0, clickCount: 1 });
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.closeTarget", { targetId: this.#target });
  }
}
