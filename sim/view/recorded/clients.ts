/** The clients of a recorded coordinator as lanes: who sent which request, and when a statement began and ended. */
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { isSubmission } from "../../replay/survey.ts";
import { asWord, type Noted, type NotedNode } from "./noted.ts";

export interface ClientStatement {
  readonly node: number;
  /** Position among the submissions to its node, which a query's id contains. */
  readonly ordinal: number;
  readonly sql: string;
  readonly user: string;
  readonly fromNanos: number;
  /** Time of the last answer to the client. */
  untilNanos: number;
  /** Of the lane; two statements of one user at the same time have two. */
  lane: string;
  /** How it ended, as far as the recording tells. */
  ending: string;
}

export interface Clients {
  readonly statements: readonly ClientStatement[];
  /** Lane of a client's request, by `node/arrival`. */
  readonly lanes: ReadonlyMap<string, string>;
}

const otherClients = "clients";

/** The ordinal in a query's id. */
function ordinalIn(text: string): number | undefined {
  const found = /\b\d{8}_\d{6}_(\d{5,})_\w+/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function userOf(headers: Readonly<Record<string, string | readonly string[]>>): string {
  const name = Object.keys(headers).find((key) => /^x-\w+-user$/.test(key));
  const value = name === undefined ? undefined : headers[name];
  return asWord((typeof value === "string" ? value : value?.[0]) ?? "anonymous");
}

export function clientsOf(nodes: readonly NotedNode[]): Clients {
  const statements: ClientStatement[] = [];
  const lanes = new Map<string, string>();
  const owners: { readonly key: string; readonly statement: ClientStatement }[] = [];
  for (const [node, { notes }] of nodes.entries()) {
    const mine: ClientStatement[] = [];
    const open = new Map<number, ClientStatement>();
    for (const noted of notes) {
      const statement = look(noted, { node, mine, open });
      if (statement !== undefined && noted.entry.kind === "arrived") {
        owners.push({ key: `${node}/${noted.entry.id}`, statement });
      } else if (noted.entry.kind === "arrived" && noted.entry.cause === undefined) {
        lanes.set(`${node}/${noted.entry.id}`, otherClients);
      }
    }
    statements.push(...mine);
  }
  giveLanes(statements, new Set(nodes.map(({ name }) => name)));
  for (const { key, statement } of owners) {
    lanes.set(key, statement.lane);
  }
  return { statements, lanes };
}

interface Looking {
  readonly node: number;
  readonly mine: ClientStatement[];
  readonly open: Map<number, ClientStatement>;
}

/** The statement that a client's request belongs to; undefined for other entries. */
function look({ entry, wallNanos }: Noted, { node, mine, open }: Looking): ClientStatement | undefined {
  switch (entry.kind) {
    case "arrived": {
      if (entry.cause !== undefined) {
        return undefined;
      }
      const submits = (entry.method === "POST" || entry.method === "PUT") && isSubmission(entry.url);
      if (submits) {
        mine.push({
          node,
          ordinal: mine.length,
          sql: entry.body.bytes === undefined ? "(statement not recorded)" : decodeUtf8(entry.body.bytes),
          user: userOf(entry.headers),
          fromNanos: wallNanos,
          untilNanos: wallNanos,
          lane: "",
          ending: "ended",
        });
      }
      const ordinal = submits ? mine.length - 1 : ordinalIn(entry.url);
      const statement = ordinal === undefined ? undefined : mine[ordinal];
      if (statement !== undefined) {
        open.set(entry.id, statement);
      }
      return statement;
    }
    case "answer": {
      const statement = open.get(entry.id);
      if (statement !== undefined) {
        statement.untilNanos = wallNanos;
      }
      return undefined;
    }
    case "query-failed": {
      const statement = mine[ordinalIn(entry.queryId) ?? -1];
      if (statement !== undefined && entry.errorName !== "") {
        statement.ending = entry.errorName;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/** A lane shows one statement at a time. */
function giveLanes(statements: readonly ClientStatement[], taken: ReadonlySet<string>): void {
  const until = new Map<string, number>();
  for (const statement of statements.toSorted((a, b) => a.fromNanos - b.fromNanos || a.ordinal - b.ordinal)) {
    const { user, fromNanos, untilNanos } = statement;
    for (let number = 1; statement.lane === ""; number++) {
      const lane = `${taken.has(user) ? `user-${user}` : user}${number === 1 ? "" : `-${number}`}`;
      if ((until.get(lane) ?? -1) < fromNanos) {
        statement.lane = lane;
        until.set(lane, untilNanos);
      }
    }
  }
}
