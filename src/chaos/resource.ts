/** `/v1/chaos`: lists, adds and clears rules, and moves the time of a simulated cluster. */
import * as z from "zod";
import type { HttpRequest, HttpResponse } from "../ports/network.ts";
import {
  createRouter,
  emptyResponse,
  HttpError,
  jsonResponse,
  requestJson,
  route,
  type RoutedRequest,
  type Router,
} from "../protocol/http/http.ts";
import type { NodeEnds } from "./node-ends.ts";
import { isNow, type RuleInForce } from "./rule-in-force.ts";
import type { Rules } from "./rules.ts";
import type { ChaosTarget } from "./target.ts";
import { parseRule, RuleError } from "./vocabulary.ts";

export const chaosPath = "/v1/chaos";

const bodyBytesMax = 1024 * 1024;

export const advanceSchema: z.ZodType<{ readonly seconds: number; readonly untilAnswered?: boolean | undefined }> = z.strictObject({
  seconds: z.number().positive().max(86_400),
  untilAnswered: z.boolean().optional(),
});

export function isChaosPath(url: string): boolean {
  return /^\/v1\/chaos(?:[/?]|$)/.test(url);
}

export interface ChaosResourceOptions {
  readonly target: ChaosTarget;
  readonly rules: Rules;
  readonly nodeEnds: NodeEnds;
}

export class ChaosResource {
  readonly #options: ChaosResourceOptions;
  readonly #router: Router;

  constructor(options: ChaosResourceOptions) {
    this.#options = options;
    this.#router = createRouter(
      [
        route("GET", chaosPath, () => jsonResponse(200, this.#document())),
        route("POST", chaosPath, ({ http }) => this.#add(http)),
        route("DELETE", chaosPath, () => {
          options.rules.clear();
          return emptyResponse(204);
        }),
        route("DELETE", `${chaosPath}/{id}`, (request) => this.#remove(request)),
        route("POST", `${chaosPath}/advance`, ({ http }) => this.#advance(http)),
      ],
      {
        onUnexpected: (error) => {
          throw error;
        },
      },
    );
  }

  answer(request: HttpRequest): Promise<HttpResponse> {
    return this.#router.handle(request, { remoteAddress: "", baseUri: "", isAborted: () => false, onAbort: () => undefined });
  }

  #document(): unknown {
    const { rules, target } = this.#options;
    const nowMs = target.nowMs();
    return {
      seed: target.seed,
      seconds: nowMs / 1000,
      workers: target.workers,
      rules: rules.all.map((inForce) => ({ ...ruleDocument(inForce), over: inForce.isOver(nowMs) })),
      landedCount: rules.landedCount,
      landed: rules.recent,
    };
  }

  #add(request: HttpRequest): HttpResponse {
    const { nodeEnds, rules } = this.#options;
    if (request.body.length > bodyBytesMax) {
      throw new HttpError(413, `The rules are larger than ${bodyBytesMax} bytes`);
    }
    const given = requestJson(request);
    let added: readonly RuleInForce[];
    try {
      added = rules.add([given].flat().map(parseRule));
    } catch (error) {
      throw error instanceof RuleError ? new HttpError(400, error.message) : error;
    }
    added.filter(({ rule }) => isNow(rule)).forEach((inForce) => nodeEnds.strikeNow(inForce));
    return jsonResponse(200, added.map(ruleDocument));
  }

  #remove({ parameters }: RoutedRequest): HttpResponse {
    const { id = "" } = parameters;
    if (!this.#options.rules.remove(id)) {
      throw new HttpError(404, `There is no rule ${id}`);
    }
    return emptyResponse(204);
  }

  async #advance(request: HttpRequest): Promise<HttpResponse> {
    const { advance } = this.#options.target;
    if (advance === undefined) {
      throw new HttpError(400, "Only the time of a simulated cluster can be advanced (orrery sim serve)");
    }
    const parsed = advanceSchema.safeParse(requestJson(request));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new HttpError(400, `Expected {"seconds": 5}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
    }
    return jsonResponse(200, await advance(parsed.data.seconds, parsed.data.untilAnswered ?? false));
  }
}

function ruleDocument({ hits, id, matches, rule }: RuleInForce): Readonly<Record<string, unknown>> {
  return { id, ...rule, matches, hits };
}
