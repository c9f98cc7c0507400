/**
 * Steps of a user whose session changes. The user prepares, executes and deallocates statements, sets and resets properties, and switches
 * the schema. The semantics of a statement follow from the headers that the service told the client to send. The service keeps only
 * transactions.
 */
import type { ClientSession } from "../../src/client/session.ts";
import type { Stream } from "../world/streams.ts";
import { workloadSchema } from "./tables.ts";

export type SessionStep =
  | { readonly kind: "prepare"; readonly name: string; readonly query: string }
  /** `query` is the query prepared under the name, if all earlier steps succeeded. */
  | { readonly kind: "execute"; readonly name: string; readonly query: string; readonly values: readonly string[] }
  | { readonly kind: "deallocate"; readonly name: string }
  | { readonly kind: "set"; readonly property: string; readonly value: string }
  | { readonly kind: "reset"; readonly property: string }
  | { readonly kind: "show"; readonly property: string }
  | { readonly kind: "use"; readonly catalog: string; readonly schema: string }
  /**
   * In `read` and `prepare`, the statement omits the `TABLE.` before a table name, so that the session's current schema decides what the
   * query reads.
   */
  | { readonly kind: "read"; readonly query: string }
  | { readonly kind: "begin" }
  | { readonly kind: "end"; readonly commits: boolean };

/** Initial catalog and schema of the session of a user of this workload. */
export interface SessionPlace {
  readonly catalog: string;
  readonly schema: string;
}

function quoted(name: string): string {
  return /^[a-z]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The query text as sent: unqualified names resolve in the current schema. */
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
    case "begin":
      return "START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY";
    case "end":
      return step.commits ? "COMMIT" : "ROLLBACK";
  }
}

/** An equivalent statement that does not depend on session state. */
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

/** All possible equivalents of the step for a session that began at `place` and may have switched. */
function qualifiedStatements(step: SessionStep, place: SessionPlace): readonly string[] {
  return [...new Set([place, ...places].map((one) => qualifiedStatement(step, one)))];
}

/** Part of a planned statement. */
interface Question {
  readonly sql: string;
  readonly step?: unknown;
  readonly shared?: unknown;
  readonly granting?: unknown;
  readonly sessionStep?: SessionStep;
  readonly catalogStep?: { readonly updateType: string } | { readonly equivalent: string };
  readonly restricted?: { readonly equivalent: string } | { readonly denied: string };
  readonly volatile?: { readonly equivalent: string };
}

/** Statements whose reference results are needed. A statement on a user's own table has none. */
export function questionsOf(
  { catalogStep, granting, restricted, sql, step, shared, sessionStep, volatile }: Question,
  place: SessionPlace,
): readonly string[] {
  const other = catalogStep ?? restricted ?? volatile;
  if (other !== undefined) {
    return "equivalent" in other ? [other.equivalent] : [];
  }
  if (sessionStep?.kind === "begin" || sessionStep?.kind === "end") {
    return [];
  }
  if (sessionStep !== undefined) {
    return qualifiedStatements(sessionStep, place);
  }
  return (step ?? shared ?? granting) === undefined ? [sql] : [];
}

/** The session after the step succeeded. */
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
    case "end":
      return withoutTransaction(session);
    default:
      return session;
  }
}

function without(values: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

export function withoutTransaction({ transactionId: _ended, ...session }: ClientSession): ClientSession {
  return session;
}

const places: readonly SessionPlace[] = [
  { catalog: "tpch", schema: "tiny" },
  { catalog: "memory", schema: "default" },
];

interface Template {
  readonly query: string;
  readonly values: (stream: Stream) => readonly string[];
}

/** Large tables always belong to the schema of the workload, whatever the current schema is. */
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
  ["optimizer_rules", ["-push_limits", "-partial_aggregation,-reuse_partitioning", "-all,+push_predicates", ""]],
] as const;
const reads = [
  "SELECT count(*), max(name) FROM TABLE.supplier",
  "SELECT n.name, r.name FROM TABLE.nation n JOIN TABLE.region r ON n.regionkey = r.regionkey",
  "SELECT nationkey, count(*) FROM TABLE.supplier GROUP BY nationkey",
] as const;

/** Of a column that no table has: the statement aborts its transaction. */
const failing = "SELECT nothing FROM TABLE.nation";

/** A transaction, whose second statement may fail. */
function drawTransaction(stream: Stream): readonly SessionStep[] {
  const read = (): SessionStep => ({ kind: "read", query: stream.pick(reads) });
  const second: SessionStep = stream.chance(1, 3) ? { kind: "read", query: failing } : read();
  return [{ kind: "begin" }, read(), second, read(), { kind: "end", commits: stream.chance(2, 3) }];
}

/** A transaction that is over for the server before its client ends it, and is read on. */
export function drawAbortedTransaction(stream: Stream): readonly SessionStep[] {
  const read = (): SessionStep => ({ kind: "read", query: stream.pick(reads) });
  const readsOn = Array.from({ length: stream.between(3, 6) }, read);
  return [{ kind: "begin" }, { kind: "read", query: failing }, ...readsOn, { kind: "end", commits: stream.chance(1, 2) }, read()];
}

/** Two or three transactions, one after the other, with reads that take a while. */
export function drawIdleTransactions(stream: Stream): readonly SessionStep[] {
  const read = (): SessionStep => ({ kind: "read", query: stream.pick([...reads, `SELECT orderkey, clerk FROM ${fixed}.orders`]) });
  return Array.from({ length: stream.between(2, 3) }, (): readonly SessionStep[] => [
    { kind: "begin" },
    ...Array.from({ length: stream.between(0, 3) }, read),
    { kind: "end", commits: stream.chance(2, 3) },
    // A client that is told that its transaction is unknown still has it.
    { kind: "end", commits: false },
  ]).flat();
}

/** Draws the steps of a user's session, of which some have a transaction. */
export function drawSession(streams: { readonly steps: Stream; readonly transaction: Stream }): readonly SessionStep[] {
  const steps = drawSessionSteps(streams.steps);
  const { transaction } = streams;
  if (!transaction.chance(1, 2, "has a transaction")) {
    return steps;
  }
  const place = transaction.nextInt(steps.length + 1, "place of the transaction");
  return steps.toSpliced(place, 0, ...drawTransaction(transaction));
}

/** Draws the steps of a user's session. Most are valid; some use a name that does not exist. */
function drawSessionSteps(stream: Stream): readonly SessionStep[] {
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
