/**
 * Users with rights of their own, and the rules that give them. What such a user may see is written out here a second time: a statement
 * over tables with row filters and masks has the rows of the statement over subqueries that filter and mask, and the rest is refused. So
 * expected rows come from a run without rules.
 */
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";
import { drawBehaviour } from "../draw/behaviours.ts";
import type { PlannedStatement, PlannedUser, Restricted } from "../plan.ts";
import { type AccessRules, parseAccessRules } from "../../src/security/rules.ts";
import type { UserGroupsDocument } from "../../src/security/user-groups.ts";
import { workloadSchema } from "./tables.ts";

const names = ["r1", "r2", "r3"] as const;
/** Everybody who is not restricted. */
const others = "(?!r\\d$).*";
/** A schema that the catalog lists. That of the workload is found only by its name, which a bound may keep from the connector. */
const listedSchema = "sf1";
const schemaText = `"${workloadSchema}"`;

interface RestrictedTable {
  readonly name: string;
  /** Whole numbers. */
  readonly numbers: readonly string[];
  readonly texts: readonly (readonly [name: string, length: number])[];
}

const tables: readonly RestrictedTable[] = [
  { name: "nation", numbers: ["nationkey", "regionkey"], texts: [["name", 25]] },
  {
    name: "supplier",
    numbers: ["suppkey", "nationkey"],
    texts: [
      ["name", 25],
      ["phone", 15],
    ],
  },
  {
    name: "customer",
    numbers: ["custkey", "nationkey"],
    texts: [
      ["name", 25],
      ["mktsegment", 10],
    ],
  },
  {
    name: "orders",
    numbers: ["orderkey", "custkey"],
    texts: [
      ["orderpriority", 15],
      ["clerk", 15],
    ],
  },
];

/** What one user may read of one table. */
interface Rights {
  readonly table: RestrictedTable;
  readonly mayRead: boolean;
  readonly hidden: readonly string[];
  /** By column. */
  readonly masks: Readonly<Record<string, string>>;
  readonly filter?: string;
  /** The filter reads another table with the rights of a user who may. */
  readonly readsOther: boolean;
  /** A divisor that is never 0 in a row that the filter lets through, and 0 in others. */
  readonly divisor?: string;
}

interface Restriction {
  readonly name: string;
  readonly rights: readonly Rights[];
  readonly mayExecute: boolean;
  readonly mayWrite: boolean;
  /** Whose queries the user may see and end, besides its own. */
  readonly views: readonly string[];
  readonly kills: readonly string[];
}

interface DrawnRights {
  readonly access?: AccessRules;
  readonly userGroups?: UserGroupsDocument;
  readonly users: readonly PlannedUser[];
}

/** In some seeds a few users have rules, of which some name a group. */
export function drawRestricted(tree: StreamTree): DrawnRights {
  const stream = tree.stream("restricted");
  if (!stream.chance(1, 6, "rules of access control")) {
    return { users: [] };
  }
  const restrictions = names.slice(0, stream.between(1, 3)).map((name) => drawRestriction(tree.stream(`restricted/${name}`), name));
  return {
    access: parseAccessRules(rulesOf(restrictions, stream)),
    userGroups: [
      ...restrictions.map(({ name }) => ({ group: `${name}s`, users: [name] })),
      { group: "all", users: [...names, "u1", "u2"] },
    ],
    users: restrictions.map((restriction) => drawUser(tree.stream(`user/${restriction.name}`), restriction)),
  };
}

function drawRestriction(stream: Stream, name: string): Restriction {
  const peers = [...names.filter((other) => other !== name), "u1"];
  return {
    name,
    rights: tables.map((table) => drawRights(stream, table)),
    mayExecute: !stream.chance(1, 8, "may execute"),
    mayWrite: stream.chance(1, 3, "may write"),
    views: peers.filter(() => stream.chance(1, 3, "views")),
    // Statements of others are not ended by anybody, so that their checkers know all causes of an end.
    kills: names.filter((other) => other !== name && stream.chance(1, 4, "kills")),
  };
}

function drawRights(stream: Stream, table: RestrictedTable): Rights {
  const columns = [...table.numbers, ...table.texts.map(([column]) => column)];
  const hidden = columns.slice(1).filter(() => stream.chance(1, 4, "hidden"));
  const masks = Object.fromEntries(
    columns
      .filter((column) => !hidden.includes(column) && stream.chance(1, 4, "masked"))
      .map((column) => [column, maskOf(stream, table, column)]),
  );
  return { table, mayRead: !stream.chance(1, 6, "may read"), hidden, masks, ...drawFilter(stream, table) };
}

function maskOf(stream: Stream, { texts }: RestrictedTable, column: string): string {
  const [, length] = texts.find(([text]) => text === column) ?? [];
  if (length === undefined) {
    return stream.pick([`${column} % 4`, "CAST(NULL AS bigint)", `-${column}`], "mask");
  }
  const type = `varchar(${length})`;
  return stream.pick([`CAST(substr(${column}, 1, 2) AS ${type})`, `CAST(NULL AS ${type})`, `CAST(current_user AS ${type})`], "mask");
}

function drawFilter(stream: Stream, { name, numbers, texts }: RestrictedTable): Pick<Rights, "filter" | "readsOther" | "divisor"> {
  const number = stream.pick(numbers, "column of the filter");
  const modulus = stream.between(2, 5);
  const left = stream.nextInt(modulus);
  switch (stream.nextInt(5, "filter")) {
    case 0:
      return { readsOther: false };
    case 1:
      return { filter: `${number} % ${modulus} <> ${left}`, readsOther: false, divisor: `(${number} % ${modulus} - ${left})` };
    case 2:
      return { filter: `CAST(${number} % 3 + 1 AS varchar) = substr(current_user, 2)`, readsOther: false };
    case 3:
      return name === "nation" || !numbers.includes("nationkey")
        ? { filter: `${texts[0]?.[0] ?? ""} LIKE '%${stream.between(1, 9)}%'`, readsOther: false }
        : {
            filter: `nationkey IN (SELECT nationkey FROM tpch.${schemaText}.nation WHERE regionkey < ${stream.between(1, 4)})`,
            readsOther: true,
          };
    default:
      return { filter: "false", readsOther: false };
  }
}

/** Of each section the first rule that matches decides: rules that come too late are mixed in. */
function rulesOf(restrictions: readonly Restriction[], stream: Stream): object {
  const restricted = restrictions.map(({ name }) => name).join("|");
  const everything = ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"];
  return {
    catalogs: [
      ...restrictions.flatMap(({ name, mayWrite }) => (mayWrite ? [] : [{ user: name, catalog: "memory", allow: "read-only" }])),
      { allow: "owner" },
    ],
    schemas: [
      ...restrictions.map(({ name, mayWrite }) => ({ user: name, catalog: "memory", schema: `own_${name}`, owner: mayWrite })),
      { user: restricted, owner: false },
      { owner: true },
    ],
    tables: [
      ...restrictions.flatMap(({ name, rights }) => rights.map((one) => tableRule(name, one, stream))),
      // These come too late: an earlier rule is for the same users and tables.
      ...tables.map(({ name, numbers: [number] }) => ({
        user: restricted,
        catalog: "tpch",
        table: name,
        privileges: ["SELECT"],
        columns: [{ name: number, mask: "CAST(NULL AS bigint)" }],
        filter: "false",
      })),
      { user: restricted, catalog: "tpch", privileges: everything },
      { user: restricted, catalog: "system", privileges: ["SELECT"] },
      { user: restricted, privileges: [] },
      { privileges: everything },
    ],
    functions: [{ user: others, privileges: ["EXECUTE", "GRANT_EXECUTE", "OWNERSHIP"] }],
    procedures: [{ user: others, privileges: ["EXECUTE", "GRANT_EXECUTE"] }],
    queries: [
      ...restrictions.flatMap(({ name, kills, mayExecute, views }) => [
        ...[...new Set([...views, ...kills])].map((queryOwner) => ({
          user: name,
          queryOwner,
          allow: [...(views.includes(queryOwner) ? ["view"] : []), ...(kills.includes(queryOwner) ? ["kill"] : [])],
        })),
        { user: name, queryOwner: ".*", allow: [] },
        { user: name, allow: mayExecute ? ["execute"] : [] },
      ]),
      { allow: ["execute", "view", "kill"] },
    ],
    impersonation: [{ original_user: others, new_user: others }],
    system_information: [{ user: restricted, allow: [] }, { allow: ["read"] }],
    system_session_properties: [
      { user: restricted, property: "join_distribution_type", allow: true },
      { user: restricted, allow: false },
      { allow: true },
    ],
  };
}

function tableRule(user: string, { filter, hidden, masks, mayRead, readsOther, table }: Rights, stream: Stream): object {
  return {
    ...stream.pick<Readonly<Record<string, string>>>(
      [{ user }, { user: `${user}|nobody` }, { user: `r[${user.slice(1)}]` }, { group: `${user}s` }, { user: "r.*", group: `${user}.` }],
      "whom it is for",
    ),
    catalog: "tpch",
    schema: stream.pick(["sf\\d.*", "sf.*", ".*"], "pattern of the schema"),
    table: table.name,
    privileges: mayRead ? ["SELECT"] : [],
    columns: [...hidden.map((name) => ({ name, allow: false })), ...Object.entries(masks).map(([name, mask]) => ({ name, mask }))],
    ...(filter === undefined ? {} : { filter }),
    ...(readsOther ? { filter_environment: { user: "root" } } : {}),
  };
}

function drawUser(stream: Stream, restriction: Restriction): PlannedUser {
  return {
    name: restriction.name,
    startNanos: stream.between(250, 1_500) * nanosPerMs,
    family: stream.pick(["engine", "presto", "trino"], "header family"),
    peeks: true,
    // Users with the same session and statement may be given the same plan.
    session: { join_distribution_type: stream.pick(["PARTITIONED", "PARTITIONED", "BROADCAST"], "join distribution") },
    statements: Array.from({ length: stream.between(3, 8) }, (): PlannedStatement => {
      const { restricted, sql } = drawStatement(stream, restriction);
      const thinkNanos = stream.between(0, 500) * nanosPerMs;
      return { sql, behaviour: drawBehaviour(stream), thinkNanos, restricted };
    }),
  };
}

interface Drawn {
  readonly sql: string;
  readonly restricted: Restricted;
}

function drawStatement(stream: Stream, restriction: Restriction): Drawn {
  const drawn = stream.chance(1, 5, "asks about the cluster") ? drawAbout(stream, restriction) : drawRead(stream, restriction);
  return restriction.mayExecute ? drawn : { ...drawn, restricted: { denied: "Cannot execute query" } };
}

/** A statement over what the user has rights on, besides rows. */
function drawAbout(stream: Stream, { mayWrite, name, rights, views }: Restriction): Drawn {
  const { hidden, mayRead, table } = stream.pick(rights, "table");
  const column = stream.pick([...table.numbers, ...table.texts.map(([text]) => text)], "column");
  const inSchema = `table_schema = '${listedSchema}' AND table_name = '${table.name}'`;
  const count = (is: boolean): Restricted => ({ equivalent: `SELECT CAST(${is ? 1 : 0} AS bigint)` });
  const strangers = ["u1", "u2", "u3", ...names].filter((other) => other !== name && !views.includes(other)).map((other) => `'${other}'`);
  switch (stream.nextInt(6, "question")) {
    case 0:
      return { sql: `SELECT count(*) FROM tpch.information_schema.tables WHERE ${inSchema}`, restricted: count(mayRead) };
    case 1:
      return {
        sql: `SELECT count(*) FROM tpch.information_schema.columns WHERE ${inSchema} AND column_name = '${column}'`,
        restricted: count(mayRead && !hidden.includes(column)),
      };
    case 2:
      return {
        sql: `SELECT count(*) FROM system.runtime.queries WHERE "user" IN (${strangers.join(", ")})`,
        restricted: { equivalent: "SELECT CAST(0 AS bigint)" },
      };
    case 3:
      return {
        sql: 'SELECT count(*) > 0 FROM system.runtime.queries WHERE "user" = current_user',
        restricted: { equivalent: "SELECT true" },
      };
    case 4:
      return {
        sql: "SET SESSION query_max_run_time = '1h'",
        restricted: { denied: "Cannot set system session property query_max_run_time" },
      };
    default:
      return mayWrite
        ? {
            sql: `CREATE TABLE memory.default.of_${name} AS SELECT 1 AS x`,
            restricted: { denied: `Cannot create table memory.default.of_${name}` },
          }
        : { sql: `CREATE SCHEMA memory.own_${name}`, restricted: { denied: `Cannot create schema memory.own_${name}` } };
  }
}

/** A query over one or two tables. It is refused if the user may not read one of them, or uses a hidden column. */
function drawRead(stream: Stream, { name, rights }: Restriction): Drawn {
  const first = stream.pick(rights, "table");
  const second = stream.pick(
    rights.filter(({ table }) => linkOf(first.table, table) !== undefined),
    "second table",
  );
  const link = linkOf(first.table, second.table) ?? "";
  const visible = [...first.table.numbers, ...first.table.texts.map(([text]) => text)].filter((column) => !first.hidden.includes(column));
  const column = stream.chance(1, 4, "uses a hidden column") ? (first.hidden[0] ?? visible[0] ?? "") : stream.pick(visible, "column");
  const isDenied = (used: readonly string[], others: readonly string[] | undefined): boolean =>
    isShut(first) ||
    used.some((one) => first.hidden.includes(one)) ||
    (others !== undefined && (isShut(second) || others.some((one) => second.hidden.includes(one))));
  const { of, others, text, used } = readOf(stream, { first, column, link });
  const sql = text(`${first.table.name} a`, `${second.table.name} b`);
  if (isDenied(used, others)) {
    return { sql, restricted: { denied: "Cannot select from " } };
  }
  const equivalent = (of ?? text)(`${shown(first, name)} a`, `${shown(second, name)} b`);
  return { sql, restricted: { equivalent: equivalent.replaceAll("current_user", `'${name}'`) } };
}

/** Nothing of the table can be read: what the row filter reads needs the rights of the user too. */
function isShut({ filter = "", hidden, mayRead, readsOther }: Rights): boolean {
  return !mayRead || (!readsOther && hidden.some((column) => new RegExp(`\\b${column}\\b`).test(filter)));
}

interface Read {
  /** The statement over what stands for the two tables. */
  readonly text: (first: string, second: string) => string;
  /** The equivalent statement, if it is not the same over subqueries. */
  readonly of?: (first: string, second: string) => string;
  /** Columns of the first table that it uses, and those of the second; undefined if it does not read that. */
  readonly used: readonly string[];
  readonly others?: readonly string[];
}

function readOf(stream: Stream, { first, column, link }: { readonly first: Rights; readonly column: string; readonly link: string }): Read {
  const key = first.table.numbers[0] ?? "";
  const small = stream.pick([3, 9], "small number");
  const reads: readonly Read[] = [
    { text: (a) => `SELECT a.${column}, a.${key} FROM ${a} WHERE a.${key} > ${small}`, used: [column, key] },
    { text: (a) => `SELECT count(*), min(a.${column}), max(${column}) FROM ${a}`, used: [column] },
    { text: (a) => `SELECT count(*) FROM ${a}`, used: [] },
    {
      text: (a) => `SELECT count(*) FROM ${a} WHERE a.${key} IN (SELECT a.${key} FROM ${a} WHERE a.${column} IS NOT NULL)`,
      used: [column, key],
    },
    { text: (a) => `SELECT ${column}, count(*) FROM ${a} GROUP BY ${column}`, used: [column] },
    { text: (a) => `SELECT a.${key} FROM ${a} WHERE a.${column} IS NOT NULL ORDER BY a.${column}, a.${key}`, used: [column, key] },
    { text: (a) => `SELECT count(*) FILTER (WHERE a.${column} IS NULL) FROM ${a}`, used: [column] },
    {
      text: (a) => `SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY a.${column}) AS n FROM ${a}) WHERE n <= ${small}`,
      used: [column],
    },
    { text: (a) => `WITH w AS (SELECT a.${column} AS c FROM ${a}) SELECT count(*) FROM w x JOIN w y ON x.c = y.c`, used: [column] },
    { text: (a) => `SELECT (SELECT max(a.${column}) FROM ${a}) FROM (VALUES 1, 2) t (x)`, used: [column] },
    {
      text: (a, b) => `SELECT count(*), min(a.${column}) FROM ${a} JOIN ${b} ON a.${link} = b.${link}`,
      used: [column, link],
      others: [link],
    },
    {
      text: (a, b) => `SELECT a.${column}, count(b.${link}) FROM ${a} LEFT JOIN ${b} ON a.${link} = b.${link} GROUP BY 1`,
      used: [column, link],
      others: [link],
    },
    {
      text: (a, b) => `SELECT a.${column} FROM ${a} WHERE a.${link} IN (SELECT b.${link} FROM ${b})`,
      used: [column, link],
      others: [link],
    },
    {
      text: (a, b) =>
        `SELECT count(*) FROM ${b} WHERE NOT EXISTS (SELECT 1 FROM ${a} WHERE a.${link} = b.${link} AND a.${column} IS NOT NULL)`,
      used: [column, link],
      others: [link],
    },
    {
      text: (a, b) => `SELECT a.${link} FROM ${a} EXCEPT SELECT b.${link} FROM ${b}`,
      used: [link],
      others: [link],
    },
  ];
  const { divisor, filter = "true", masks } = first;
  const base = /\w+/.exec(divisor ?? "")?.[0] ?? "";
  // Evaluated for a row that the filter hides, the condition would fail.
  const fenced: Read = {
    text: (a) => `SELECT count(*) FROM ${a} WHERE 100 / ${divisor ?? ""} > 30`,
    of: () => `SELECT count_if(CASE WHEN ${filter} THEN 100 / ${divisor ?? ""} > 30 ELSE false END) FROM ${first.table.name}`,
    used: [base],
  };
  return divisor !== undefined && masks[base] === undefined && stream.chance(1, 3, "fenced") ? fenced : stream.pick(reads, "read");
}

/** A column of both tables with the same meaning. */
function linkOf(first: RestrictedTable, second: RestrictedTable): string | undefined {
  return first.numbers.find((column) => second.numbers.includes(column));
}

/** The table as the user sees it. */
function shown({ filter = "true", hidden, masks, table }: Rights, user: string): string {
  const columns = [...table.numbers, ...table.texts.map(([text]) => text)].filter((column) => !hidden.includes(column));
  const list = columns.map((column) => (masks[column] === undefined ? column : `${masks[column]} AS ${column}`)).join(", ");
  return `(SELECT ${list} FROM ${table.name} WHERE ${filter})`.replaceAll("current_user", `'${user}'`);
}
