/**
 * A folder with some unreadable files: the others are ordinary tables, and each broken file reports its own error.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, runProgram, startServer } from "../support/programs/server-process.ts";

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-broken-"));
  writeFileSync(join(folder, "people.csv"), "name,age\nAda,36\n");
  symlinkSync("loop.csv", join(folder, "loop.csv"));
  symlinkSync(".", join(folder, "self"));
  symlinkSync("around", join(folder, "around"));
  symlinkSync("/nowhere/gone.csv", join(folder, "gone.csv"));
  execFileSync("mkfifo", [join(folder, "pipe.json")]);
  writeFileSync(join(folder, "half.parquet"), "PAR1 and no more");
  writeFileSync(join(folder, "nothing.parquet"), "");
  mkdirSync(join(folder, "parts"));
  writeFileSync(join(folder, "parts", "a.csv"), "x\n1\n");
  symlinkSync("b.csv", join(folder, "parts", "b.csv"));
  server = await startServer(["--workers", "1", "--data", folder], { environment: { ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m" } });
});

afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function ask(sql: string): Promise<string> {
  const { output, errors } = await runProgram("cli", ["--server", server.uri, "--execute", sql]);
  return (output + errors).trim();
}

it("lists all that have a name, and reads those that can be read", async () => {
  expect((await ask("SHOW TABLES FROM files.default")).split("\n")).toEqual(
    ["half", "loop", "nothing", "parts", "people", "pipe", "self"].map((name) => `"${name}"`),
  );
  expect(await ask("SELECT * FROM files.default.people")).toBe('"Ada","36"');
  expect(await ask("SELECT table_name FROM files.information_schema.tables WHERE table_name = 'people'")).toBe('"people"');
});

it("says of each other what is wrong with it", async () => {
  const select = (table: string): Promise<string> => ask(`SELECT * FROM files.default.${table}`);
  expect(await select("loop")).toMatch(/failed: File loop.csv cannot be read: ELOOP: too many symbolic links encountered$/);
  expect(await select("pipe")).toMatch(/failed: File pipe.json cannot be read: it is neither a file nor a directory$/);
  expect(await select("parts")).toMatch(/failed: File parts\/b.csv cannot be read: ELOOP/);
  expect(await select("half")).toMatch(/failed: half.parquet/);
  expect(await select("nothing")).toMatch(/failed: nothing.parquet/);
  expect(await select("self")).toMatch(/is more than 32 folders below the folder of its table/);
  expect(await select("gone")).toMatch(/Table 'files.default.gone' does not exist/);
  expect(await select("around")).toMatch(/does not exist/);
});

it("lists the columns and comments of those that can be read, and warns of the others", async () => {
  const warned = ["half", "loop", "nothing", "parts", "pipe", "self"];
  const listings = [
    ["SELECT DISTINCT table_name FROM files.information_schema.columns WHERE table_schema = 'default'", '"people"'],
    ["SELECT DISTINCT table_name FROM system.jdbc.columns WHERE table_cat = 'files' AND table_schem = 'default'", '"people"'],
  ];
  for (const [sql = "", rows = ""] of listings) {
    const lines = (await ask(sql)).split("\n");
    expect(lines[0], sql).toBe(rows);
    const tables = lines.slice(1).map((line) => /^WARNING: Table 'files\.default\.(\w+)' cannot be read: \S/.exec(line)?.[1]);
    expect(new Set(tables), sql).toEqual(new Set(warned));
  }
  const commented = await ask("SELECT count(*), count(comment) FROM system.metadata.table_comments WHERE catalog_name = 'files'");
  expect(commented).toMatch(/^"7","0"\nWARNING: /);
  expect(await ask("SELECT count(*) FROM files.information_schema.tables WHERE table_schema = 'default'")).toBe('"7"');
  expect(await ask("SELECT count(*) FROM files.information_schema.columns WHERE table_name = 'people'")).toBe('"2"');
});
