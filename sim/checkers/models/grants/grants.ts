/**
 * Model of a catalog that keeps rights itself. Written from docs/security.md ("Roles and grants") and docs/connectors.md: the rights of
 * each statement are those of one moment of its planning; a change happens once, at one moment between its planning and its end, or not at
 * all if the statement failed; and what is allowed is not refused. With `table-recovery.enabled` rights survive the coordinator, without
 * it they are gone with the tables. The end of the run looks for an order of these moments that explains all statements.
 */
import { recoversTables } from "../../../properties.ts";
import { setRoleText, vault, vaultAdmin } from "../../../workload/grants.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, StatementEnd, Transition } from "../model.ts";
import { familyOf, statementAnswer } from "../statement/answer.ts";
import { Granted, type GrantingStep } from "./granted.ts";

/** Orders that are followed at a time; with more, the run is not judged. */
const ordersMax = 400;
/** Errors of a change that was not possible at its moment. */
const impossible: ReadonlySet<string> = new Set([
  "TABLE_NOT_FOUND",
  "TABLE_ALREADY_EXISTS",
  "ROLE_NOT_FOUND",
  "ROLE_ALREADY_EXISTS",
  "INVALID_ARGUMENTS",
]);

type Happening =
  | { readonly kind: "planning" | "planned" | "over"; readonly id: string; readonly to: string }
  | Submission
  /** The coordinator began again. `lost`: steps of clients that it had not answered. */
  | { readonly kind: "start"; readonly lost: readonly GrantingStep[] };

/** A client submits one of these steps. `isLost`: it ends without an answer, so that nothing tells whether the step is carried out. */
interface Submission {
  readonly kind: "submission";
  readonly steps: readonly GrantingStep[];
  isLost: boolean;
}

/** A possible past: the rights now, statements whose rights are explained, and those whose changes have happened. */
interface Past {
  readonly rights: Granted;
  readonly explained: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

class Grants implements Model {
  readonly notes = ["start", "submit"];
  readonly #context: Judged;
  readonly #happenings: Happening[] = [];
  readonly #steps = new Map<string, GrantingStep>();
  readonly #errors = new Map<string, string>();
  /** What each user has submitted that is not over, and whether a coordinator has answered. */
  readonly #open = new Map<string, { readonly submission: Submission; isKnown: boolean }>();

  constructor(context: Judged) {
    this.#context = context;
  }

  note({ place, kind, detail }: Note): void {
    if (this.#context.plan.vault !== true) {
      return;
    }
    if (kind === "submit") {
      const steps = this.#stepsOf(place, detail);
      if (steps.length > 0) {
        const submission: Submission = { kind: "submission", steps, isLost: false };
        this.#happenings.push(submission);
        this.#open.set(place, { submission, isKnown: false });
      }
    } else if (place === this.#context.plan.coordinator.name) {
      const lost = [...this.#open.values()].filter(({ isKnown }) => !isKnown).flatMap(({ submission }) => submission.steps.slice(0, 1));
      this.#happenings.push({ kind: "start", lost });
    }
  }

  observe(answer: Observed): void {
    const { plan } = this.#context;
    const said = plan.vault === true && answer.to === plan.coordinator.name ? statementAnswer(answer) : undefined;
    if (said?.document === undefined) {
      return;
    }
    const { id, document, isSubmission } = said;
    if (isSubmission && !this.#steps.has(id)) {
      const family = familyOf(answer.request) ?? "engine";
      const user = headerOf(answer.request.headers, `x-${family}-user`) ?? "";
      const role = decodeURIComponent(headerOf(answer.request.headers, `x-${family}-role`) ?? "");
      const steps = this.#stepsOf(user, new TextDecoder().decode(answer.request.body));
      const step = steps.find((one) => role === (setRoleText(one) === undefined ? "" : `${vault.name}=${setRoleText(one) ?? ""}`));
      if (step !== undefined) {
        this.#steps.set(id, step);
      }
      const open = this.#open.get(user);
      if (open !== undefined && step !== undefined) {
        open.isKnown = true;
      }
    }
    const errorName = document.error?.["errorName"];
    if (typeof errorName === "string") {
      this.#errors.set(id, errorName);
    }
  }

  observeTransition({ kind, id, from, to }: Transition): void {
    if (kind !== "query" || this.#context.plan.vault !== true) {
      return;
    }
    if (to === "PLANNING") {
      this.#happenings.push({ kind: "planning", id, to });
    } else if (from === "PLANNING") {
      this.#happenings.push({ kind: "planned", id, to });
    }
    if (to === "FINISHED" || to === "FAILED") {
      this.#happenings.push({ kind: "over", id, to });
    }
  }

  endStatement({ ending, user }: StatementEnd): void {
    const open = this.#open.get(user);
    if (open !== undefined && !open.isKnown && ending.kind !== "outcome") {
      open.submission.isLost = true;
    }
    this.#open.delete(user);
  }

  end(): void {
    const { facts, plan } = this.#context;
    // A disk that fails may have what it refused, and may lack what it took.
    if (plan.vault === true && !facts.diskFailed(plan.coordinator.name) && !facts.struck("full-disk")) {
      new Search(this.#context, this.#steps, this.#errors).follow(this.#happenings);
    }
  }

  #stepsOf(user: string, sql: string): readonly GrantingStep[] {
    const planned = this.#context.plan.users.find(({ name }) => name === user)?.statements ?? [];
    return planned.flatMap(({ granting, sql: text }) => (granting !== undefined && text === sql ? [{ ...granting, user }] : []));
  }
}

/** Follows all orders of the moments of statements that agree with what was observed so far. */
class Search {
  readonly #context: Judged;
  readonly #steps: ReadonlyMap<string, GrantingStep>;
  readonly #errors: ReadonlyMap<string, string>;
  readonly #isKept: boolean;
  /** Statements whose rights are looked for, and those whose change may happen. */
  readonly #asking = new Map<string, (rights: Granted) => boolean>();
  readonly #changing = new Map<string, GrantingStep>();
  #pasts: readonly Past[];
  readonly #begun = new Set<string>();
  /** Number of steps whose fate is not known. */
  #lost = 0;
  /** The state of each statement after its planning. */
  readonly #plannedTo = new Map<string, string>();

  constructor(context: Judged, steps: ReadonlyMap<string, GrantingStep>, errors: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#steps = steps;
    this.#errors = errors;
    this.#isKept = recoversTables(context.plan.properties);
    this.#pasts = [beginning()];
  }

  follow(happenings: readonly Happening[]): void {
    for (const happening of happenings) {
      if (happening.kind === "planned" && !this.#plannedTo.has(happening.id)) {
        this.#plannedTo.set(happening.id, happening.to);
      }
    }
    for (const happening of happenings) {
      this.#spread();
      if (this.#pasts.length > ordersMax) {
        return;
      }
      if (happening.kind === "start") {
        this.#started(happening.lost);
        continue;
      }
      if (happening.kind === "submission") {
        this.#submitted(happening);
        continue;
      }
      const step = this.#steps.get(happening.id);
      if (step !== undefined && !this.#take(happening, step)) {
        return;
      }
    }
  }

  #submitted({ isLost, steps: [step] }: Submission): void {
    if (isLost && step !== undefined) {
      this.#changing.set(`lost ${this.#lost++}`, step);
    }
  }

  #take({ id, kind, to }: Exclude<Happening, { kind: "start" | "submission" }>, step: GrantingStep): boolean {
    switch (kind) {
      case "planning":
        this.#plans(id, step);
        return true;
      case "planned": {
        const isExplained = !this.#asking.has(id) || this.#only(id, ({ explained }) => explained.has(id));
        this.#asking.delete(id);
        if (to !== "FAILED") {
          this.#changing.set(id, step);
        }
        return isExplained;
      }
      case "over":
        return this.#over(id, to, step);
    }
  }

  /** One that began under a former coordinator may have been carried out, and is not planned again then. */
  #plans(id: string, step: GrantingStep): void {
    const errorName = this.#errors.get(id) ?? "";
    if (this.#begun.has(id)) {
      return;
    }
    this.#begun.add(id);
    if (this.#plannedTo.get(id) !== "FAILED") {
      this.#asking.set(id, (rights) => rights.allows(step));
    } else if (errorName === "PERMISSION_DENIED") {
      this.#asking.set(id, (rights) => !rights.allows(step));
    }
    if (impossible.has(errorName)) {
      this.#asking.set(failing(id), (rights) => !rights.isPossible(step));
    }
  }

  #over(id: string, to: string, step: GrantingStep): boolean {
    if (to === "FINISHED") {
      const holds = this.#only(id, ({ changed }) => changed.has(id));
      this.#changing.delete(id);
      return holds;
    }
    const isRefused = this.#asking.has(failing(id));
    const holds = !isRefused || this.#only(id, ({ changed, explained }) => !changed.has(id) && explained.has(failing(id)));
    this.#asking.delete(failing(id));
    // Any other change that was under way may still happen.
    if (isRefused || step.action === "use") {
      this.#changing.delete(id);
    }
    return holds;
  }

  /** Keeps the pasts that agree with the statement. */
  #only(id: string, holds: (past: Past) => boolean): boolean {
    const right = this.#pasts.filter(holds);
    const step = this.#steps.get(id);
    const set = step === undefined || step.set === "" ? "" : `, with the role ${step.set},`;
    const what = `${step?.user ?? ""}${set} was answered ${this.#errors.get(id) ?? "as allowed"} for ${step?.action ?? ""} (${id}): ${JSON.stringify(step)}`;
    this.#context.check(right.length > 0, () => `${what}, and no order of the changes of rights explains it`);
    this.#pasts = right;
    return right.length > 0;
  }

  #started(lost: readonly GrantingStep[]): void {
    this.#asking.clear();
    if (!this.#isKept) {
      this.#changing.clear();
      this.#begun.clear();
      this.#pasts = [beginning()];
      return;
    }
    // Whether the former coordinator has carried them out is not known, nor whether this one goes on with them.
    for (const step of lost) {
      this.#changing.set(`lost ${this.#lost++}`, step);
    }
  }

  /** All pasts that can follow without another observation. */
  #spread(): void {
    const found = new Map<string, Past>();
    const waiting = [...this.#pasts];
    for (let next = waiting.pop(); next !== undefined && found.size <= ordersMax; next = waiting.pop()) {
      const { changed, rights } = next;
      const explained = new Set([...next.explained, ...[...this.#asking].flatMap(([id, holds]) => (holds(rights) ? [id] : []))]);
      const key = `${rights.key} ${[...explained]
        .filter((id) => this.#asking.has(id))
        .sort()
        .join(" ")} ${[...changed].sort().join(" ")}`;
      if (found.has(key)) {
        continue;
      }
      found.set(key, { rights, explained, changed });
      for (const [id, step] of this.#changing) {
        if (!changed.has(id) && rights.isPossible(step)) {
          waiting.push({ rights: rights.after(step), explained, changed: new Set([...changed, id]) });
        }
      }
    }
    this.#pasts = [...found.values()];
  }
}

/** Asks for a moment at which the statement was not possible. */
function failing(id: string): string {
  return `not ${id}`;
}

function beginning(): Past {
  return { rights: Granted.begin({ admin: vaultAdmin }), explained: new Set(), changed: new Set() };
}

export const grants: ModelKind = {
  invariant: {
    name: "grants",
    sentence:
      "In a catalog that keeps rights, the rights of each statement are those of one moment of its planning, each change of rights happens once or not at all, and what is allowed is not refused.",
    kind: "safety",
    checkedIn: "checkers/models/grants/grants.ts",
  },
  create: (context) => new Grants(context),
};
