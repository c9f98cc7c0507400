/**
 * A program like the simulator's own `verify` process, but with a node that leaks: the module has read something of the host before any
 * trap was there, as a careless dependency would, and lets it into one answer. Arguments: what leaks, and into which answer to a submitted
 * statement.
 */
import { randomUUID } from "node:crypto";
import { scenarios } from "../../../scenarios/index.ts";
import { serveVerify } from "../../../sim/verify/child.ts";
import { leakInto } from "../leak.ts";

const [, , what, answer] = process.argv;
const zone = process.env["TZ"] ?? "";
const unique = randomUUID();

await serveVerify(scenarios, { sabotage: leakInto(Number(answer), what === "zone" ? (zone === "UTC" ? "" : zone) : unique) });
