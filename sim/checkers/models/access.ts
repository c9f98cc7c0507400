/**
 * Model of access control on queries. Written from docs/security.md (Rights): of the rules in `queries` the first that matches decides, and
 * nothing is allowed if none does; a query's document, list entry and end, or that of one of its stages, are its user's, and those of users
 * whom the rules allow; a refusal is 403 and changes nothing. Patterns match whole names. A rule with `queryOwner` is about queries of
 * others alone. A history on disk has owners too: a restarted coordinator refuses as the former one did.
 */
import type { AccessConfiguration } from "../../../src/security/access-configuration.ts";
import type { Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { statementAnswer } from "./statement/answer.ts";

const refusedStatus = 403;
/** Of clients that name no user. */
const anonymous = "anonymous";
const document = /^\/v1\/query\/(\d{8}_\d{6}_\d{5}_\w{5})(\/killed|\/preempted)?$/;
/** The end of a stage is an end of a part of its query. */
const stage = /^\/v1\/(?:query\/)?stage\/(\d{8}_\d{6}_\d{5}_\w{5})\.\d+$/;
const groups = /^\/v1\/resourceGroupState(?:\/|$)/;
const lists: ReadonlySet<string> = new Set(["/v1/query", "/ui/api/query"]);

interface QueryRule {
  readonly user?: string | undefined;
  readonly queryOwner?: string | undefined;
  readonly allow: readonly string[];
}

interface Listed {
  readonly queryId: string;
  readonly session?: { readonly user?: string };
  readonly sessionUser?: string;
  readonly user?: string;
}

interface Group {
  readonly runningQueries: readonly Listed[];
}

class Access implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #rules: readonly QueryRule[] | undefined;
  /** Whether rules are checked at all, and queries without rules are their users'. */
  readonly #isOn: boolean;
  readonly #owners = new Map<string, string>();
  /** Queries that have ended, or belong to a former incarnation: a cancel of them changes nothing. */
  readonly #ended = new Set<string>();

  constructor(context: Judged) {
    const { access } = context.plan;
    this.#context = context;
    this.#isOn = access !== undefined && access !== "default";
    this.#rules = queryRulesOf(access);
  }

  note({ place }: Note): void {
    if (place === this.#context.plan.coordinator.name) {
      for (const id of this.#owners.keys()) {
        this.#ended.add(id);
      }
    }
  }

  observeTransition({ kind, id, to }: Transition): void {
    if (kind === "query" && (to === "FINISHED" || to === "FAILED")) {
      this.#ended.add(id);
    }
  }

  observe(answer: Observed): void {
    if (!this.#isOn || answer.to !== this.#context.plan.coordinator.name) {
      return;
    }
    const { path, request, response } = answer;
    const user = userOf(request.headers);
    const said = statementAnswer(answer);
    if (said?.isSubmission === true && response.status === 200) {
      this.#owners.set(said.id, user);
    }
    const id = (document.exec(path) ?? stage.exec(path))?.[1] ?? "";
    const owner = this.#owners.get(id);
    if (owner !== undefined) {
      const right = request.method === "GET" ? "view" : "kill";
      this.#decides({ user, owner, right, id, status: response.status });
    } else if (request.method === "GET" && response.status === 200 && (lists.has(path) || groups.test(path))) {
      for (const { queryId, session, sessionUser, user: groupUser } of queriesOf(answer.json() as Group | readonly (Group | Listed)[])) {
        const listed = this.#owners.get(queryId) ?? session?.user ?? sessionUser ?? groupUser ?? "";
        this.#context.check(
          this.#may(user, listed, "view"),
          () => `${path} listed ${queryId} of ${listed} for ${user}, who may not see it`,
        );
      }
    }
  }

  #decides({
    user,
    owner,
    right,
    id,
    status,
  }: Readonly<Record<"user" | "owner" | "right" | "id", string>> & { readonly status: number }): void {
    const may = this.#may(user, owner, right);
    const isRefused = status >= 400 || (right === "kill" && this.#ended.has(id));
    this.#context.check(
      may ? status !== refusedStatus : isRefused,
      () => `${user}, who may ${may ? "" : "not "}${right} ${id} of ${owner}, was answered ${status}`,
    );
  }

  #may(user: string, owner: string, right: string): boolean {
    if (user === owner || this.#rules === undefined) {
      return true;
    }
    const rule = this.#rules.find(
      ({ user: who, queryOwner }) => (who === undefined || isWhole(who, user)) && (queryOwner === undefined || isWhole(queryOwner, owner)),
    );
    return rule?.allow.includes(right) === true;
  }
}

function queryRulesOf(access: AccessConfiguration | undefined): readonly QueryRule[] | undefined {
  return access === undefined || access === "default" ? undefined : access.queries;
}

/** Queries of a list, or of resource groups. */
function queriesOf(said: Group | readonly (Group | Listed)[]): readonly Listed[] {
  const all = "runningQueries" in said ? [said] : said;
  return all.flatMap((one) => ("runningQueries" in one ? one.runningQueries : [one]));
}

function isWhole(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function userOf(headers: Readonly<Record<string, unknown>>): string {
  for (const family of ["engine", "presto", "trino"]) {
    const user = headers[`x-${family}-user`];
    if (typeof user === "string") {
      return user;
    }
  }
  return anonymous;
}

export const access: ModelKind = {
  invariant: {
    name: "access",
    sentence: "A user sees and ends queries of others only as the rules of access control say, and is never refused what they allow.",
    kind: "safety",
    checkedIn: "checkers/models/access.ts",
  },
  create: (context) => new Access(context),
};
