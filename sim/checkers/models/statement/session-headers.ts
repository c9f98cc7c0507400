/**
 * Model of the headers by which a statement changes its client's session. Written from section 1.3 of the published protocol and from
 * docs/interface.md ("What differs between the header families", "Session"): only the family of the request is used; each header belongs to
 * one kind of statement and says what that statement says; it comes with every answer once it is known, for X-Presto and X-Trino only with
 * answers to GET; and a statement that fails changes nothing, except that a COMMIT or ROLLBACK ends its transaction. So nothing of another
 * user's session reaches a client.
 */
import type { Judged, Model, ModelKind, Note } from "../model.ts";
import { type Family, familyOf, type StatementAnswer, statementAnswer } from "./answer.ts";

const changes = [
  "set-catalog",
  "set-schema",
  "set-path",
  "set-session",
  "clear-session",
  "set-role",
  "added-prepare",
  "deallocated-prepare",
  "started-transaction-id",
  "clear-transaction-id",
  "set-authorization-user",
  "reset-authorization-user",
] as const;
type Change = (typeof changes)[number];
/** Headers that have raw text. */
const raw: ReadonlySet<Change> = new Set(["set-catalog", "set-schema", "set-path"]);

/** Values by header; undefined stands for any value. */
type Expected = Readonly<Partial<Record<Change, string | undefined>>>;

const name = String.raw`("(?:[^"]|"")*"|[\w$]+)`;
const forms: readonly (readonly [RegExp, (found: readonly string[]) => Expected])[] = [
  [/^SET SESSION AUTHORIZATION/i, () => ({ "set-authorization-user": undefined })],
  [/^RESET SESSION AUTHORIZATION/i, () => ({ "reset-authorization-user": undefined })],
  [/^SET SESSION (\S+)\s*=\s*'(.*)'$/i, ([property = "", value = ""]) => ({ "set-session": `${property}=${value.replaceAll("''", "'")}` })],
  [/^SET SESSION /i, () => ({ "set-session": undefined })],
  [/^RESET SESSION (\S+)$/i, ([property = ""]) => ({ "clear-session": property })],
  [new RegExp(`^USE ${name}\\.${name}$`, "i"), ([catalog = "", schema = ""]) => ({ "set-catalog": catalog, "set-schema": schema })],
  [new RegExp(`^USE ${name}$`, "i"), ([schema = ""]) => ({ "set-schema": schema })],
  [new RegExp(`^PREPARE ${name} FROM`, "i"), ([statement = ""]) => ({ "added-prepare": `${statement}=` })],
  [new RegExp(`^DEALLOCATE PREPARE ${name}$`, "i"), ([statement = ""]) => ({ "deallocated-prepare": statement })],
  [/^START TRANSACTION/i, () => ({ "started-transaction-id": undefined })],
  [/^(?:COMMIT|ROLLBACK)/i, () => ({ "clear-transaction-id": "true" })],
  [/^SET PATH/i, () => ({ "set-path": undefined })],
  [/^SET ROLE/i, () => ({ "set-role": undefined })],
];

/** Form decoding, which every client does. A comma or a space would end the value where headers are folded, so none may be bare. */
function decoded(value: string): string | undefined {
  return /[,\s]/.test(value) ? undefined : decodeURIComponent(value.replaceAll("+", " "));
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

function expectedOf(sql: string): Expected {
  for (const [form, make] of forms) {
    const found = form.exec(sql.trim());
    if (found !== null) {
      return make(found.slice(1).map((part) => unquoted(part)));
    }
  }
  return {};
}

interface Chain {
  readonly family: Family;
  readonly expected: Expected;
  /** Headers that were on an answer. */
  readonly known: Set<Change>;
}

class SessionHeaders implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #chains = new Map<string, Chain>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place }: Note): void {
    if (place === this.#coordinator) {
      this.#chains.clear();
    }
  }

  observe(answer: Parameters<typeof statementAnswer>[0]): void {
    const said = answer.to === this.#coordinator ? statementAnswer(answer) : undefined;
    if (said?.document === undefined) {
      return;
    }
    const known = this.#chains.get(said.id);
    const chain = known ?? {
      family: familyOf(answer.request) ?? "engine",
      expected: expectedOf(new TextDecoder().decode(answer.request.body)),
      known: new Set<Change>(),
    };
    if (said.isSubmission) {
      this.#chains.set(said.id, chain);
    } else if (known === undefined) {
      return;
    }
    this.#judge(said, chain);
  }

  #judge(said: StatementAnswer, { family, expected, known }: Chain): void {
    const { headers } = said.answer.response;
    const state = said.document?.stats?.state;
    const asked = familyOf(said.answer.request) ?? family;
    for (const header of Object.keys(headers)) {
      const [, of, suffix = ""] = /^x-(engine|presto|trino)-(.*)$/.exec(header) ?? [];
      const change = changes.find((one) => one === suffix);
      if (change !== undefined) {
        const value = [headers[header] ?? ""].flat().join(",");
        const wanted = expected[change];
        const plain = raw.has(change) ? value : (decoded(value) ?? "");
        const isSame = change === "added-prepare" ? plain.startsWith(wanted ?? "") : plain === wanted;
        const isWanted = change in expected && (wanted === undefined || isSame);
        this.#check(said, of === asked && isWanted, `has ${header}: ${value}, which its statement does not say`);
        this.#check(said, !said.isSubmission || family === "engine", `has ${header} with a submission`);
        this.#check(said, state !== "FAILED" || change === "clear-transaction-id", `has ${header} and is FAILED`);
        known.add(change);
      }
    }
    for (const change of Object.keys(expected) as Change[]) {
      const isThere = headers[`x-${asked}-${change}`] !== undefined;
      // The submission is repeated as it was answered first.
      const mayLack = said.isSubmission || (state !== "FINISHED" && !known.has(change));
      this.#check(said, isThere || mayLack || state === "FAILED", `lacks ${change} of its statement`);
    }
  }

  #check({ answer, id, token }: StatementAnswer, holds: boolean, what: string): void {
    this.#context.check(holds, () => `${id}/${token ?? answer.request.method} of ${answer.from} ${what}`);
  }
}

export const sessionHeaders: ModelKind = {
  invariant: {
    name: "session-headers",
    sentence:
      "A response changes its client's session only as its own statement says, in its own header family, from when the change is known until the end of the chain, and never if the statement failed.",
    kind: "safety",
    checkedIn: "checkers/models/statement/session-headers.ts",
  },
  create: (context) => new SessionHeaders(context),
};
