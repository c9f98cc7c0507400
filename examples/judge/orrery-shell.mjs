// The shell, as a program that prints JSON. ORRERY_SHELL names its file.
import { spawn } from "node:child_process";
import { server } from "./contract.mjs";

const mark = "judged from here";
const setup = JSON.parse(process.env.ORRERY_SETUP ?? "[]");
if (process.env.ORRERY_ACTION === "cancel") {
  process.exit(64);
}
const statements = setup.length === 0 ? [] : [...setup, `SELECT '${mark}'`];
const child = spawn(
  process.execPath,
  [
    process.env.ORRERY_SHELL ?? "dist/cli.js",
    `--server=${server.uri}`,
    `--user=${server.user}`,
    `--catalog=${server.catalog}`,
    `--schema=${server.schema}`,
    "--output-format=JSON",
    `--execute=${[...statements, process.env.ORRERY_SQL].join(";\n")}`,
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
process.on("SIGINT", () => child.kill("SIGINT"));
let output = "";
child.stdout.setEncoding("utf8").on("data", (text) => {
  output += text;
});
child.on("close", (code) => {
  const lines = output.split("\n");
  const begin = lines.findIndex((line) => line.includes(mark));
  // A model server answers the mark with a row of its own.
  process.stdout.write((begin < 0 && setup.length > 0 ? lines.slice(-2) : lines.slice(begin + 1)).join("\n"));
  process.exitCode = code ?? 130;
});
