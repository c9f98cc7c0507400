/** `npm run docs -- judge`: judges the clients that are installed here and writes the table of docs/clients.md. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs of examples/judge, and the packages that they run; of this project if there is none. */
const clients: readonly { readonly program: string; readonly packageName?: string; readonly title?: string }[] = [
  { program: "orrery-client", title: "`orrery/client`" },
  { program: "orrery-shell", title: "Orrery's shell" },
  { program: "trino-client", packageName: "trino-client" },
  { program: "presto-client", packageName: "presto-client" },
  { program: "presto-client-ts", packageName: "presto-client-ts" },
  { program: "presto-js-client", packageName: "@prestodb/presto-js-client" },
  { program: "presto-stream-client", packageName: "presto-stream-client" },
  { program: "lento", packageName: "lento" },
  { program: "evidence", packageName: "@evidence-dev/trino" },
];

interface Judged {
  readonly score: {
    readonly passed: number;
    readonly failed: number;
    readonly cannot: number;
    readonly failedMust: number;
    readonly percent: number;
  };
  readonly situations: readonly { readonly name: string; readonly must: boolean; readonly verdict: string }[];
}

const begin = "<!-- judged: begin -->";
const end = "<!-- judged: end -->";

/** `from` is a folder with verdicts that were written before, as PROGRAM.json. */
export async function refreshJudged(root: string, from: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-judged-"));
  try {
    const build = from === undefined ? await bundleClient(root, folder) : "";
    const judged = clients.map((client) => ({
      client,
      verdicts: from === undefined ? run(root, folder, client.program, build) : read(from, client.program),
    }));
    const page = join(root, "docs/clients.md");
    const text = readFileSync(page, "utf8");
    const [before = "", rest = ""] = text.split(begin);
    const [, after = ""] = rest.split(end);
    const table = judged.map(({ client, verdicts }) => row(root, client, verdicts)).join("\n");
    const date = new Date().toISOString().slice(0, 10);
    const count = judged[0]?.verdicts.situations.length ?? 0;
    writeFileSync(
      page,
      `${before}${begin}\n${date}, ${count} situations:\n\n| Client | Score | Passed | Failed | of them must pass | Cannot | Fails, of what it must pass |\n| --- | --- | --- | --- | --- | --- | --- |\n${table}\n${end}${after}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleClient(root: string, folder: string): Promise<string> {
  const { build } = await import("esbuild");
  const outfile = join(folder, "client.mjs");
  await build({
    entryPoints: [join(root, "src/client/index.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return outfile;
}

function run(root: string, folder: string, program: string, clientModule: string): Judged {
  process.stderr.write(`${program}\n`);
  const json = ["--json", join(folder, `${program}.json`), "--report", join(folder, `${program}.html`)];
  const command = [join(root, "dist/sim.js"), "judge", ...json, "--", process.execPath, join(root, "examples/judge", `${program}.mjs`)];
  spawnSync(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ORRERY_CLIENT: clientModule },
  });
  return read(folder, program);
}

function read(folder: string, program: string): Judged {
  return JSON.parse(readFileSync(join(folder, `${program}.json`), "utf8")) as Judged;
}

function row(root: string, { packageName, program, title }: (typeof clients)[number], { score, situations }: Judged): string {
  const version = packageName === undefined ? "" : ` ${versionOf(root, packageName)}`;
  const name = title ?? `\`${packageName ?? program}\`${version}`;
  const failures = situations.filter(({ must, verdict }) => must && verdict === "fail").map((one) => one.name);
  return `| ${name} | ${score.percent} % | ${score.passed} | ${score.failed} | ${score.failedMust} | ${score.cannot} | ${failures.join(", ")} |`;
}

function versionOf(root: string, packageName: string): string {
  return (JSON.parse(readFileSync(join(root, "node_modules", packageName, "package.json"), "utf8")) as { readonly version: string })
    .version;
}
