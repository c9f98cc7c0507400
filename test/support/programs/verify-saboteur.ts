/**
 * A program like the simulator's `verify` process, but with a node that leaks: the module reads host state before any trap is installed, as
 * a careless dependency would, and adds it to one response. Arguments: the kind of leak, and the number of the response to a submission.
 */
import { randomUUID } from "node:crypto";
import { scenarios } from "../../../scenarios/index.ts";
import { serveVerify } from "../../../sim/verify/child.ts";
import { leakInto } from "../leak.ts";

const [, , what, answer] = process.argv;
const zone = process.env["TZ"] ?? "";
const unique = randomUUID();

await serveVerify(scenarios, { sabotage: leakInto(Number(answer), what === "zone" ? (zone === "UTC" ? "" : zone) : unique) });
