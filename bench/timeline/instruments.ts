/**
 * A build of the server that writes down what each thread does: slices of operators, requests, answers, collections and states of queries,
 * with their times. The notes are added to the sources as they are built, so that no other build has them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { projectRoot } from "../../test/support/programs/server-process.ts";

/** Names the folder to which each thread writes its notes. */
export const notesVariable = "TIMELINE_NOTES";

/** Below the project's folder. */
const folder = join("dist", "timeline");

/** Notes are written when a thread has taken none for this long. */
const idleMs = 200;

/** A line a note: start and end in microseconds of the system's monotonic clock, kind, label. */
const recorder = `
const { process, setTimeout } = globalThis;
if (globalThis.timelineNote === undefined) {
  const { appendFileSync } = process.getBuiltinModule("node:fs");
  const { performance, PerformanceObserver } = process.getBuiltinModule("node:perf_hooks");
  const { threadId } = process.getBuiltinModule("node:worker_threads");
  const now = () => Number(process.hrtime.bigint() / 1000n);
  const file = process.env.${notesVariable} + "/" + threadId;
  let [lines, timer] = [[], undefined];
  const add = (start, end, kind, label) => {
    lines.push(start + "\\t" + end + "\\t" + kind + "\\t" + label + "\\n");
    timer ??= setTimeout(() => {
      appendFileSync(file, lines.join(""));
      [lines, timer] = [[], undefined];
    }, ${idleMs}).unref();
  };
  globalThis.timelineNow = now;
  globalThis.timelineNote = (kind, label, start = now()) => add(start, now(), kind, label);
  const zero = now() - performance.now() * 1000;
  new PerformanceObserver((list) => {
    for (const { detail, duration, startTime } of list.getEntries()) {
      add(Math.round(zero + startTime * 1000), Math.round(zero + (startTime + duration) * 1000), "collection", detail.kind);
    }
  }).observe({ entryTypes: ["gc"] });
}
`;

interface Instrument {
  readonly file: string;
  /** Text of the source, which it contains once. */
  readonly at: string;
  readonly becomes: string;
}

const instruments: readonly Instrument[] = [
  {
    file: "src/protocol/state-machine.ts",
    at: "    this.#state = next;\n",
    becomes: '    this.#state = next;\n    if (name.startsWith("query ")) globalThis.timelineNote("state", `${name} ${from} ${next}`);\n',
  },
  {
    file: "src/execution/driver/driver.ts",
    at: "  runSlice(): SliceOutcome {\n",
    becomes: `  runSlice(): SliceOutcome {
    const start = globalThis.timelineNow();
    const outcome = this.timelineSlice();
    const names = this.operators.map(({ context }) => context.operatorType.replace(/Operator$/, ""));
    globalThis.timelineNote("slice", this.operators[0].context.taskId + " " + names.join(" > "), start);
    return outcome;
  }
  timelineSlice(): SliceOutcome {
`,
  },
  {
    file: "src/server/transport/network.ts",
    at: "  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {\n",
    becomes: `  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const start = globalThis.timelineNow();
    try {
      return await this.timelineRequest(request, options);
    } finally {
      globalThis.timelineNote("request", options.label + " " + request.url + " " + request.body.length, start);
    }
  }
  async timelineRequest(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
`,
  },
  {
    file: "src/server/transport/network.ts",
    at: "    this.#handler = handler;\n",
    becomes: `    const answer = handler;
    handler = (request, context) => {
      const start = globalThis.timelineNow();
      const answered = answer(request, context);
      globalThis.timelineNote("serve", request.method + " " + request.url, start);
      return answered;
    };
    this.#handler = handler;
`,
  },
];

/** The source with its notes. Throws if the source has changed so that they no longer fit. */
export function instrumented(file: string, source: string): string {
  return instruments
    .filter((one) => one.file === file)
    .reduce((text, { at, becomes }) => {
      if (text.split(at).length !== 2) {
        throw new Error(`bench/timeline/instruments.ts: ${file} does not contain once: ${at.trim()}`);
      }
      return text.replace(at, () => becomes);
    }, recorder + source);
}

export const instrumentedFiles: readonly string[] = [...new Set(instruments.map(({ file }) => file))];

const plugin: esbuild.Plugin = {
  name: "timeline",
  setup(build) {
    for (const file of instrumentedFiles) {
      const path = join(projectRoot, file);
      build.onLoad({ filter: new RegExp(`^${path.replaceAll(/[.\\]/g, "\\$&")}$`) }, () => ({
        contents: instrumented(file, readFileSync(path, "utf8")),
        loader: "ts",
      }));
    }
  },
};

/** Builds the server and returns the path of its script. */
export async function buildInstrumented(): Promise<string> {
  const builder = pathToFileURL(join(projectRoot, "tools", "programs", "build.mjs")).href;
  const { buildPrograms } = (await import(builder)) as { readonly buildPrograms: (options: object) => Promise<unknown> };
  await buildPrograms({ esbuild, root: projectRoot, folder, plugins: [plugin], sourcemap: false });
  const script = join(projectRoot, folder, "server.js");
  if (!existsSync(script)) {
    throw new Error(`${script} was not built`);
  }
  return script;
}
