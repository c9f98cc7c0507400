/**
 * The vocabulary of faults that a client can ask for, at the door of a simulated cluster (`sim serve`) and of a server that was started
 * with `--chaos`. A rule is a fault, the requests that it hits, and how often.
 */
import * as z from "zod";
import { type RequestKind, requestKinds } from "./request.ts";

/** Requests that a rule may name: one kind, all requests of statements, or every request. */
const targets = [...requestKinds, "statement", "any"] as const;

export type RequestTarget = (typeof targets)[number];

const delayMsMax = 24 * 60 * 60 * 1000;

const matcher = {
  on: z.enum(targets).optional(),
  method: z.enum(["GET", "POST", "PUT", "DELETE", "HEAD"]).optional(),
  user: z.string().optional(),
  source: z.string().optional(),
  queryId: z.string().optional(),
  nth: z.int().min(1).optional(),
  times: z.int().min(1).optional(),
  percent: z.number().min(0).max(100).optional(),
  expiresSeconds: z.number().positive().optional(),
};

const retryAfterSeconds = z.int().min(0).max(86_400).optional();

const ruleSchema = z.discriminatedUnion("fault", [
  z.strictObject({
    fault: z.literal("status"),
    status: z.int().min(200).max(599),
    body: z.string().max(100_000).optional(),
    location: z.string().max(10_000).optional(),
    retryAfterSeconds,
    ...matcher,
  }),
  z.strictObject({ fault: z.literal("overloaded"), retryAfterSeconds, ...matcher }),
  z.strictObject({ fault: z.literal("gone"), ...matcher }),
  z.strictObject({
    fault: z.literal("delay"),
    delayMs: z.number().min(0).max(delayMsMax),
    part: z.enum(["request", "answer"]).optional(),
    ...matcher,
  }),
  z.strictObject({ fault: z.literal("reset"), part: z.enum(["request", "answer", "body"]).optional(), ...matcher }),
  z.strictObject({ fault: z.literal("truncated"), ...matcher }),
  z.strictObject({ fault: z.literal("never-answered"), part: z.enum(["request", "answer"]).optional(), ...matcher }),
  z.strictObject({ fault: z.literal("duplicated"), part: z.enum(["request", "answer"]).optional(), ...matcher }),
  z.strictObject({
    fault: z.literal("worker-killed"),
    worker: z.string().optional(),
    page: z.int().min(1).optional(),
    now: z.literal(true).optional(),
    ...matcher,
  }),
  z.strictObject({
    fault: z.literal("coordinator-restarted"),
    page: z.int().min(1).optional(),
    now: z.literal(true).optional(),
    ...matcher,
  }),
]);

/** A rule as it was given. */
export type Rule = z.infer<typeof ruleSchema>;
export type FaultName = Rule["fault"];

interface FaultText {
  readonly effect: string;
  /** Requests that the fault hits if the rule names none. */
  readonly on: RequestTarget;
}

/** Every fault with its effect; part of the documents and of `--help`. */
export const faultTexts: Readonly<Record<FaultName, FaultText>> = {
  status: {
    effect: "Answers with `status`, and with `body`, `location` and `retryAfterSeconds` if given. The cluster never sees the request.",
    on: "statement",
  },
  overloaded: { effect: "Answers 503 with Retry-After (`retryAfterSeconds`, 1). The cluster never sees the request.", on: "statement" },
  gone: { effect: "Answers 410: the token is already gone. The cluster never sees the request.", on: "poll" },
  delay: { effect: "The request, or with `part: answer` its answer, waits `delayMs`.", on: "statement" },
  reset: {
    effect:
      "Resets the connection in the middle of the body; with `part: answer` before the first byte of the answer, with `part: request` before the cluster sees the request.",
    on: "statement",
  },
  truncated: { effect: "The answer is a complete HTTP message whose JSON ends in the middle.", on: "statement" },
  "never-answered": {
    effect: "The connection stays silent. With `part: answer` the cluster executes the request.",
    on: "statement",
  },
  duplicated: {
    effect:
      "The cluster executes the request twice, and the second answer is sent. With `part: answer` the bytes of the answer are sent twice, and the connection ends.",
    on: "statement",
  },
  "worker-killed": {
    effect: "Kills a worker (`worker`, or one that the seed draws) when the `page`-th page of a query has been sent, or `now`.",
    on: "statement",
  },
  "coordinator-restarted": {
    effect:
      "Restarts the coordinator, which forgets its queries, when the `page`-th page of a query has been sent, or `now`. Without either, it restarts while it handles the request.",
    on: "statement",
  },
};

export function targetOf({ fault, on }: Rule): RequestTarget {
  return on ?? faultTexts[fault].on;
}

export function hits(target: RequestTarget, kind: RequestKind): boolean {
  return target === "any" || target === kind || (target === "statement" && (kind === "submit" || kind === "poll" || kind === "cancel"));
}

/** A rule that a caller wrote wrongly. The message says where and how. */
export class RuleError extends Error {
  override readonly name = "RuleError";
}

/** Throws RuleError. */
export function parseRule(value: unknown): Rule {
  const parsed = ruleSchema.safeParse(value);
  if (!parsed.success) {
    throw new RuleError(explain(value, parsed.error));
  }
  const rule = parsed.data;
  if ((rule.fault === "worker-killed" || rule.fault === "coordinator-restarted") && rule.page !== undefined && rule.now === true) {
    throw new RuleError(`${rule.fault}: give either 'page' or 'now'`);
  }
  return rule;
}

function explain(value: unknown, error: z.ZodError): string {
  const fault = typeof value === "object" && value !== null && "fault" in value ? value.fault : undefined;
  if (typeof fault !== "string" || !Object.hasOwn(faultTexts, fault)) {
    const named =
      fault === undefined
        ? "A rule needs a 'fault'"
        : `Fault ${typeof fault === "string" ? `'${fault}'` : JSON.stringify(fault)} is not known`;
    return `${named}; one of: ${Object.keys(faultTexts).join(", ")}`;
  }
  const [issue] = error.issues;
  const path = issue?.path.join(".") ?? "";
  return `${fault}${path === "" ? "" : `: '${path}'`}: ${issue?.message ?? "not a rule"}`;
}

/** JSON Schema of a rule, for the OpenAPI document. */
export const chaosRuleSchema: z.ZodType = ruleSchema;
