/**
 * Identifiers of queries, stages and tasks. Query ids have Presto's form `yyyyMMdd_HHmmss_NNNNN_xxxxx`: UTC, a counter that restarts each
 * day, and five characters drawn once per incarnation of a coordinator. A stage is `queryId.n`, a task `queryId.n.m`.
 */
import type { Clock } from "../ports/clock.ts";
import { type Random, hexDigits } from "../ports/random.ts";
import { civilFromMillis, digits } from "./timestamp.ts";

/** Omits l, o, 0 and 1, which look alike. */
const suffixAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const counterEnd = 100_000;
const idPattern = /^[_a-z0-9]{1,100}$/;
const taskIdPattern = /^([_a-z0-9]{1,100})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

export interface QueryIds {
  nextQueryId(): string;
  /** Nonce that all requests after the first must present. */
  nextSlug(): string;
}

export function createQueryIds(clock: Clock, random: Random): QueryIds {
  const suffix = random.stream("query-id").nextText(5, suffixAlphabet);
  const slugs = random.stream("query-slug");
  let today = "";
  let counter = 0;
  return {
    nextQueryId(): string {
      const now = civilFromMillis(clock.wallMillis());
      const day = `${digits(now.year, 4)}${digits(now.month, 2)}${digits(now.day, 2)}`;
      // A clock that is set back across midnight reaches the same second twice; the counter must differ then.
      if (day > today || counter === counterEnd) {
        today = day;
        counter = 0;
      }
      const id = `${day}_${digits(now.hour, 2)}${digits(now.minute, 2)}${digits(now.second, 2)}_${digits(counter, 5)}_${suffix}`;
      counter += 1;
      return id;
    },
    nextSlug: () => `x${slugs.nextText(32, hexDigits)}`,
  };
}

/** Whether the text is a valid query id for PUT. */
export function isQueryId(text: string): boolean {
  return idPattern.test(text);
}

export interface TaskIdParts {
  readonly queryId: string;
  readonly stageId: number;
  readonly taskNumber: number;
}

/** Undefined if the text is not a task id. */
export function parseTaskId(text: string): TaskIdParts | undefined {
  const match = taskIdPattern.exec(text);
  return match === null ? undefined : { queryId: match[1] as string, stageId: Number(match[2]), taskNumber: Number(match[3]) };
}

/** `queryId.n`; undefined if the text is not a stage id. */
export function parseStageId(text: string): { readonly queryId: string; readonly stageId: number } | undefined {
  const parts = parseTaskId(`${text}.0`);
  return parts === undefined ? undefined : { queryId: parts.queryId, stageId: parts.stageId };
}
