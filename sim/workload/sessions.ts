/**
 * Steps of a user whose session changes: statements are prepared, executed with values and given back, properties set and reset, another schema is used. The
 * service keeps nothing of it: what a statement means is in the headers that the client has been told to send.
 */
import type { ClientSession } from "../../src/client/session.ts";
import type { Stream } from "../world/streams.ts";
import { workloadSchema } from "./tables.ts";

export type SessionStep =
  | { readonly kind: "prepare"; readonly name: string; readonly query: string }
  /** `query` is what was prepared under the name when everything has gone well. */
  | { readonly kind: "execute"; readonly name: string; readonly query: string; readonly values: readonly string[] }
  | { readonly kind: "deallocate"; readonly name: string }
  | { readonly kind: "set"; readonly property: string; readonly value: string }
  | { readonly kind: "reset"; readonly property: string }
  | { readonly kind: "show"; readonly property: string }
  | { readonly kind: "use"; readonly catalog: string; readonly schema: string }
  /** Here and in what is prepared, `TABLE.` before the name of a table is left out, and what the query means hangs on the session in which it runs. */
  | { readonly kind: "read"; readonly query: string };

/** What the session is where nothing has changed it, for the users of this workload. */
export interface SessionPlace {
  readonly catalog: string;
  readonly schema: string;
}

function quoted(name: string): string {
  return /^[a-z]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The query as it is written: names without a schema are of the one in use. */
function bare(query: string): string {
  return query.replaceAll("TABLE.", "");
}

function placed(query: string, { catalog, schema }: SessionPlace): string {
  return query.replaceAll("TABLE.", `${catalog}."${schema}".`);
}

export function sessionStatement(step: SessionStep): string {
  switch (step.kind) {
    case "prepare":
      return `PREPARE ${quoted(step.name)} FROM ${bare(step.query)}`;
    case "execute":
      return `EXECUTE ${quoted(step.name)}${step.values.length === 0 ? "" : ` USING ${step.values.join(", ")}`}`;
    case "deallocate":
      return `DEALLOCATE PREPARE ${quoted(step.name)}`;
    case "set":
      return `SET SESSION ${step.property} = '${step.value}'`;
    case "reset":
      return `RESET SESSION ${step.property}`;
    case "show":
      return `SHOW SESSION LIKE '${step.property}'`;
    case "use":
      return `USE ${quoted(step.catalog)}.${quoted(step.schema)}`;
    case "read":
      return bare(step.query);
  }
}

/** The same question to a session of which nothing is expected. */
export function qualifiedStatement(step: SessionStep, place: SessionPlace): string {
  switch (step.kind) {
    case "execute": {
      let next = 0;
      return placed(step.query, place).replaceAll("?", () => step.values[next++] ?? "?");
    }
    case "read":
      return placed(step.query, place);
    default:
      return sessionStatement(step);
  }
}

/** Everything that the step can mean to a session that begins at `place` and may have come to others. */
function qualifiedStatements(step: SessionStep, place: SessionPlace): readonly string[] {
  return [...new Set([place, ...places].map((one) => qualifiedStatement(step, one)))];
}

/** What a reference must know of a statement; nothing of what reads or writes a table of its user's own. */
export function questionsOf(
  { sql, step, sessionStep }: { readonly sql: string; readonly step?: unknown; readonly sessionStep?: SessionStep },
  place: SessionPlace,
): readonly string[] {
  if (sessionStep !== undefined) {
    return qualifiedStatements(sessionStep, place);
  }
  return step === undefined ? [sql] : [];
}

/** The session after the step has been carried out. */
export function sessionAfterStep(session: ClientSession, step: SessionStep): ClientSession {
  switch (step.kind) {
    case "prepare":
      return { ...session, preparedStatements: { ...session.preparedStatements, [step.name]: bare(step.query) } };
    case "deallocate":
      return { ...session, preparedStatements: without(session.preparedStatements, step.name) };
    case "set":
      return { ...session, properties: { ...session.properties, [step.property]: step.value } };
    case "reset":
      return { ...session, properties: without(session.properties, step.property) };
    case "use":
      return { ...session, catalog: step.catalog, schema: step.schema };
    default:
      return session;
  }
}

function without(values: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

const places: readonly SessionPlace[] = [
  { catalog: "tpch", schema: "tiny" },
  { catalog: "memory", schema: "default" },
];

interface Template {
  readonly query: string;
  readonly values: (stream: Stream) => readonly string[];
}

/** Large tables are those of the workload whatever schema is in use. */
const fixed = `tpch."${workloadSchema}"`;
const templates: readonly Template[] = [
  {
    query: `SELECT custkey, count(*), sum(totalprice) FROM ${fixed}.orders WHERE totalprice > ? GROUP BY custkey`,
    values: (stream) => [String(stream.between(1_000, 400_000))],
  },
  {
    query: "SELECT nationkey, name FROM TABLE.nation WHERE regionkey = ? OR name LIKE ?",
    values: (stream) => [String(stream.nextInt(6)), `'%${stream.pick(["A", "IN", "''", ",=;é"])}%'`],
  },
  {
    query: `SELECT o.orderkey, c.name FROM ${fixed}.orders o JOIN ${fixed}.customer c ON o.custkey = c.custkey WHERE c.mktsegment = ? AND o.orderdate < ?`,
    values: (stream) => [`'${stream.pick(["BUILDING", "MACHINERY"])}'`, `DATE '199${stream.between(2, 8)}-0${stream.between(1, 9)}-15'`],
  },
  {
    query: `SELECT shipmode, count(*) FROM ${fixed}.lineitem WHERE quantity > ? AND shipmode <> 'a,b=c%20+é' GROUP BY shipmode`,
    values: (stream) => [String(stream.between(1, 49))],
  },
  { query: "SELECT count(*), 'it''s' AS text FROM TABLE.supplier", values: () => [] },
];

const names = ["q1", "q2", "Q 3,=é%"] as const;
const settings = [
  ["join_distribution_type", ["PARTITIONED", "BROADCAST", "AUTOMATIC"]],
  ["join_reordering_strategy", ["NONE", "AUTOMATIC"]],
] as const;
const reads = [
  "SELECT count(*), max(name) FROM TABLE.supplier",
  "SELECT n.name, r.name FROM TABLE.nation n JOIN TABLE.region r ON n.regionkey = r.regionkey",
  "SELECT nationkey, count(*) FROM TABLE.supplier GROUP BY nationkey",
] as const;

/** What a user does with a session, mostly sensible: now and then a name is used that is not there. */
export function drawSessionSteps(stream: Stream): readonly SessionStep[] {
  const prepared = new Map<string, Template>();
  const steps: SessionStep[] = [];
  const prepare = (name: string): void => {
    const template = stream.pick(templates);
    prepared.set(name, template);
    steps.push({ kind: "prepare", name, query: template.query });
    if (stream.chance(2, 3)) {
      steps.push({ kind: "execute", name, query: template.query, values: template.values(stream) });
    }
  };
  const count = stream.between(4, 6);
  while (steps.length < count) {
    const fresh = names.filter((name) => !prepared.has(name) && !steps.some((step) => "name" in step && step.name === name));
    const [property, values] = stream.pick(settings);
    switch (stream.nextInt(10)) {
      case 0:
        steps.push({ kind: "set", property, value: stream.pick(values) });
        break;
      case 1:
        steps.push({ kind: stream.pick(["reset", "show"]), property });
        break;
      case 2:
        steps.push({ kind: "use", ...stream.pick(places) });
        break;
      case 3:
      case 4:
        steps.push({ kind: "read", query: stream.pick(reads) });
        break;
      default: {
        const [name, template] = [...prepared][stream.nextInt(prepared.size + 1)] ?? [];
        if (name === undefined || template === undefined) {
          const next = fresh[0];
          if (next !== undefined) {
            prepare(next);
          }
        } else if (stream.chance(1, 4)) {
          prepared.delete(name);
          steps.push({ kind: "deallocate", name });
          if (stream.chance(1, 2)) {
            steps.push({ kind: "execute", name, query: template.query, values: template.values(stream) });
          }
        } else {
          steps.push({ kind: "execute", name, query: template.query, values: template.values(stream) });
        }
      }
    }
  }
  return steps;
}
