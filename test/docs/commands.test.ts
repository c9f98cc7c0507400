/**
 * What the pages show can be typed. Every fenced block has a language that says how it is checked:
 *
 * - sql: run against a cluster in this process, statement by statement, in one session a page; `fails=NAME` names the error of each
 * - sh, console: commands, also those within the text; programs are asked for their flags, SQL in `--execute` is run and its table
 *   compared, the seed of README is run whole
 * - diff: applies to the sources
 * - text, ts and others: not run
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyHunks, parseDiff } from "../../sim/mutants/diff.ts";
import { choose, programs } from "../../src/bin/choice.ts";
import { StatementSplitter } from "../../src/cli/splitter.ts";
import { type Block, blocksOf, commandsOf } from "../../tools/docs/blocks.ts";
import { DocsCluster, valueText } from "../../tools/docs/cluster.ts";
import { root } from "../house/sources.ts";
import { readPages } from "./pages.ts";

const run = promisify(execFile);
const pages = readPages();
const checked = ["sql", "sh", "console", "diff"];
const unchecked = ["text", "js", "ts", "properties", "json", "nginx"];
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly scripts: Readonly<Record<string, string>> };

interface Shown {
  readonly place: string;
  readonly block: Block;
}

const shown: readonly Shown[] = pages.flatMap(({ path, text }) =>
  blocksOf(text).map((block) => ({ place: `${path}:${block.line}`, block })),
);

interface Command {
  readonly place: string;
  readonly text: string;
  /** What the page shows below the command. */
  readonly printed: string;
}

const commands: readonly Command[] = shown
  .filter(({ block }) => block.language === "sh" || block.language === "console")
  .flatMap(({ place, block }) =>
    commandsOf(block).flatMap((line) =>
      line
        .split(" && ")
        .map((text) => ({ place, text: text.trim(), printed: block.language === "console" ? printedBelow(block, line) : "" })),
    ),
  );

/** Commands within the text and in tables. */
const mentioned: readonly Command[] = pages.flatMap(({ path, text }) =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`((?:[A-Z_]+=\S+ )*(?:npm (?:run|start|test)|npx orrery)\b[^`]*)`/g)].map(
    ([, command = ""]) => ({
      place: path,
      text: command,
      printed: "",
    }),
  ),
);

function printedBelow({ text }: Block, command: string): string {
  const after = text.slice(text.indexOf(command) + command.length);
  const end = after.indexOf("\n$ ");
  return end < 0 ? after : after.slice(0, end);
}

/** Words of a command line; quotes hold words together. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/**
 * `npm run sim -- shrink 24` and `node build.mjs sim shrink 24` are program sim with arguments. Undefined for what is no program of this
 * project.
 */
function programOf(text: string): { readonly program: string; readonly args: readonly string[] } | undefined {
  const bare = text.replace(/^(?:[A-Z_]+=\S+ )+/, "").replace(/^npm run --silent /, "npm run ");
  const words = wordsOf(bare);
  if (bare.startsWith("node build.mjs ")) {
    return { program: words[2] ?? "", args: words.slice(3) };
  }
  if (words[0] === "npx" && words[1] === "orrery") {
    const choice = choose(words.slice(2));
    return "problem" in choice ? { program: choice.problem, args: [] } : { program: "orrery", args: [choice.program, ...choice.args] };
  }
  if (words[0] !== "npm" || words[1] === "ci" || words[1] === "install") {
    return undefined;
  }
  const script = words[1] === "run" ? words[2] : words[1];
  const dashes = words.indexOf("--");
  const line = scripts[script ?? ""];
  if (line !== undefined && !line.startsWith("node build.mjs")) {
    return undefined;
  }
  const program = /^node build\.mjs ?(\S*)/.exec(line ?? "")?.[1];
  return { program: program ?? `no script '${script ?? ""}'`, args: dashes < 0 ? [] : words.slice(dashes + 1) };
}

/** Names of commands of a program, so that `--help` is asked of the right one. */
const subcommands = [
  "rules",
  "operators",
  "shrink",
  "explain",
  "act",
  "generalise",
  "import",
  "replay",
  "gap",
  "mutants",
  "coverage",
  "scale",
  "view",
  "verify",
  "branch",
  "serve",
  "judge",
  "outputs",
  "pictures",
  ...Object.keys(programs),
];

const helps = new Map<string, Promise<string>>();

function helpOf(program: string, subcommand: string | undefined): Promise<string> {
  const key = `${program} ${subcommand ?? ""}`;
  const known = helps.get(key);
  if (known !== undefined) {
    return known;
  }
  const asked = run(process.execPath, [
    join(root, "dist", `${program}.js`),
    ...(subcommand === undefined ? [] : [subcommand]),
    "--help",
  ]).then(({ stdout }) => stdout);
  helps.set(key, asked);
  return asked;
}

beforeAll(async () => {
  await run(process.execPath, [join(root, "build.mjs")], { cwd: root });
}, 300_000);

describe("blocks", () => {
  it("say what they are", () => {
    const known = new Set([...checked, ...unchecked]);
    expect(shown.filter(({ block }) => !known.has(block.language)).map(({ place, block }) => `${place}: '${block.language}'`)).toEqual([]);
  });

  it("of diffs apply to the sources", () => {
    for (const { block } of shown.filter(({ block: { language } }) => language === "diff")) {
      for (const patch of parseDiff(block.text)) {
        const source = readFileSync(join(root, patch.path), "utf8");
        expect(applyHunks(source, patch)).not.toBe(source);
      }
    }
  });
});

describe("commands", () => {
  it("are of programs and flags that exist", async () => {
    const wrong: string[] = [];
    for (const { place, text } of [...commands, ...mentioned]) {
      const asked = programOf(text);
      if (asked === undefined) {
        if (!/^(npm ci|npm install orrery$|npm run (lint|format)$|cd \S+|mkdir |git |npx vitest run |curl )/.test(text)) {
          wrong.push(`${place}: ${text}`);
        }
        continue;
      }
      if (!existsSync(join(root, "dist", `${asked.program}.js`))) {
        wrong.push(`${place}: ${asked.program}: ${text}`);
        continue;
      }
      const help = await helpOf(
        asked.program,
        subcommands.find((name) => asked.args[0] === name),
      );
      const flags = asked.args.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0] ?? "");
      wrong.push(...flags.filter((flag) => !help.includes(flag)).map((flag) => `${place}: ${flag}: ${text}`));
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it("name scenarios that exist", async () => {
    const { stdout } = await run(process.execPath, [join(root, "dist/sim.js"), "--list"]);
    const names = [...commands, ...mentioned].flatMap(({ text }) => /--scenario ([a-z][a-z-]*[a-z])(?: |$)/.exec(text)?.[1] ?? []);
    expect(names.filter((name) => !stdout.split("\n").includes(name))).toEqual([]);
  }, 300_000);

  it("print what README shows for a seed", async () => {
    const [command] = commands.filter(({ text }) => text === "npm run sim -- --seed 42");
    const { stdout } = await run(process.execPath, [join(root, "dist/sim.js"), "--seed", "42"]);
    // The time differs, and the token names the build. Long lines are cut.
    const withoutTime = (text: string): string => text.replace(/ in [\d.]+ s \(\d+x\)/, "");
    const lines = (text: string): string[] =>
      text
        .trim()
        .split("\n")
        .map((line) =>
          withoutTime(line)
            .replace(/^token +\S+ +/, "")
            .replace(/ \.\.\.$/, "")
            .trimEnd(),
        );
    const told = lines(stdout);
    expect(lines(command?.printed ?? "")).toEqual(told.map((line, index) => line.slice(0, lines(command?.printed ?? "")[index]?.length)));
  }, 300_000);
});

describe("SQL", () => {
  const clusters: DocsCluster[] = [];

  afterAll(async () => {
    for (const cluster of clusters) {
      await cluster.close();
    }
  });

  async function start(): Promise<DocsCluster> {
    const cluster = await DocsCluster.start();
    clusters.push(cluster);
    return cluster;
  }

  const withSql = pages.filter(({ text }) => blocksOf(text).some(({ language }) => language === "sql"));

  it.each(withSql.map(({ path, text }) => [path, text] as const))(
    "of %s runs",
    async (_, text) => {
      const cluster = await start();
      const wrong: string[] = [];
      for (const block of blocksOf(text).filter(({ language }) => language === "sql")) {
        const fails = block.words.find((word) => word.startsWith("fails="))?.slice("fails=".length);
        for (const sql of statementsOf(block.text)) {
          const { error } = await cluster.run(sql);
          if (error?.errorName !== fails) {
            wrong.push(`line ${block.line}: ${sql}: ${error === undefined ? "did not fail" : `${error.errorName} ${error.message}`}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
    300_000,
  );

  const executed = commands.filter(
    ({ text }) => text.startsWith("npm run cli") && text.includes("--execute") && !text.includes("--catalog files"),
  );

  it.each(executed.map((command) => [command.place, command] as const))(
    "of the command at %s gives the rows that the page shows",
    async (_, command) => {
      const words = wordsOf(command.text);
      const sql = words[words.indexOf("--execute") + 1] ?? "";
      const { rows, error } = await (await start()).run(sql);
      expect(error).toBeUndefined();
      if (command.printed.includes("-+-")) {
        const printed = command.printed
          .split("\n")
          .filter((line) => line.includes(" | "))
          .slice(1);
        const cells = printed.map((line) => line.split(" | ").map((cell) => cell.trim()));
        expect(cells.map((line) => line.map(rounded))).toEqual(rows.map((row) => row.map((value) => rounded(valueText(value)))));
      }
    },
    300_000,
  );
});

/** The last digits of a sum of doubles follow the order of its rows, which the number of workers decides. */
function rounded(cell: string): string {
  return /^-?\d+(\.\d+)?(E\d+)?$/.test(cell) ? String(Number(Number(cell).toPrecision(12))) : cell;
}

function statementsOf(text: string): readonly string[] {
  const splitter = new StatementSplitter();
  return [...splitter.feed(text).map(({ sql }) => sql), splitter.rest()].filter((sql) => sql !== "");
}
