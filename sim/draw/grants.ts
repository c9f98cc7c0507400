/**
 * Draws users of a catalog that keeps rights: an administrator, two owners of tables, and a reader. They act at the same time, and repeat
 * few statements on two tables, so that each meets changes of the rights that it needs. Most runs repeat one story (grant-stories.ts).
 */
import type { PlannedUser, RunPlan } from "../plan.ts";
import { type GrantStep, grantedPrivileges, grantStatement, vault, vaultAdmin } from "../workload/grants.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";
import { drawGrantStory } from "./grant-stories.ts";
import { drawBehaviour } from "./behaviours.ts";

/** The first two own a table each, which the last one mostly reads. */
const users = ["v1", "v2", "v3"] as const;
const tables = ["default.t", "default.s"] as const;
const roles = ["clerk", "chief"] as const;
const reader = "v3";
const parties = ["u:v3", "u:v3", "u:v3", "u:v1", "u:v2", "r:clerk", "r:clerk", "r:chief", "r:public"] as const;
/** Rights that are used show what was granted. */
const deeds: readonly GrantStep["action"][] = [
  ...(["grant", "grant", "grant", "grant", "revoke", "revoke", "revoke", "revoke"] as const),
  ...(["use", "use", "use", "drop", "create", "give", "grant-role", "revoke-role"] as const),
];
const deedsOfReader: readonly GrantStep["action"][] = [
  ...Array.from({ length: 10 }, () => "use" as const),
  ...(["grant", "grant-role"] as const),
];
const deedsOfAdmin: readonly GrantStep["action"][] = [
  ...(["grant-role", "grant-role", "grant-role", "grant-role", "revoke-role", "revoke-role"] as const),
  ...(["create-role", "drop-role", "grant", "use"] as const),
];

/** What a run needs besides the catalog. */
export interface DrawnGrants extends Required<Pick<RunPlan, "faults" | "points" | "properties">> {
  readonly vault?: true;
  readonly users: readonly PlannedUser[];
}

const alone = { faults: [], points: {}, properties: {} };

/** In some seeds a catalog keeps rights, and a few users give them to each other. */
export function drawGrants(tree: StreamTree): DrawnGrants {
  const stream = tree.stream("grants");
  if (!stream.chance(1, 8, "grants")) {
    return { ...alone, users: [] };
  }
  if (tree.stream("grant stories").chance(3, 4, "one story")) {
    return { ...alone, vault: true, ...drawGrantStory(tree) };
  }
  return {
    ...alone,
    vault: true,
    users: [
      drawUser(tree.stream(`user/${vaultAdmin}`), vaultAdmin, drawRoles(stream)),
      ...users.map((name, place) => {
        const table = tables[place];
        return drawUser(tree.stream(`user/${name}`), name, table === undefined ? [] : [{ ...nothing, action: "create", table }]);
      }),
    ],
  };
}

const nothing: GrantStep = {
  action: "use",
  table: tables[0],
  privilege: "SELECT",
  party: parties[0],
  role: roles[0],
  option: false,
  set: "",
};

/** In half of the runs the reader has one role as a member of the other. */
function drawRoles(stream: Stream): readonly GrantStep[] {
  const step = (action: GrantStep["action"], role: string, party = ""): GrantStep => ({ ...nothing, action, role, party, set: "admin" });
  const created = [step("create-role", "clerk"), step("create-role", "chief")];
  return stream.chance(1, 2, "a role of a role")
    ? [...created, step("grant-role", "clerk", "r:chief"), step("grant-role", "chief", `u:${reader}`)]
    : created;
}

function drawUser(stream: Stream, name: string, first: readonly GrantStep[]): PlannedUser {
  const steps = [...first, ...Array.from({ length: stream.between(5, 9, "statements") }, () => drawStep(stream, name))];
  return {
    name,
    startNanos: stream.between(250, 700) * nanosPerMs,
    family: stream.pick(["engine", "presto", "trino"], "header family"),
    statements: steps.map((granting, place) => ({
      sql: grantStatement(granting, vault.name),
      // What the others do needs the tables and roles.
      behaviour: place < first.length ? { kind: "reads-all" } : drawBehaviour(stream),
      thinkNanos: stream.between(0, stream.pick([5, 300])) * nanosPerMs,
      granting,
    })),
  };
}

function drawStep(stream: Stream, name: string): GrantStep {
  const choices = name === vaultAdmin ? deedsOfAdmin : name === reader ? deedsOfReader : deeds;
  const own = tables[users.findIndex((user) => user === name)] ?? tables[0];
  return {
    action: stream.pick(choices, "deed"),
    table: stream.chance(3, 4, "usual table") ? own : stream.pick(tables, "table"),
    privilege: stream.chance(4, 5, "reads") ? "SELECT" : stream.pick(grantedPrivileges, "privilege"),
    party: stream.pick(parties, "party"),
    role: stream.chance(3, 4, "usual role") ? roles[0] : roles[1],
    option: stream.chance(1, 4, "option"),
    set: name === vaultAdmin ? "admin" : stream.pick(["", "", "", "", "", "", "NONE", "clerk"], "role of the session"),
  };
}
