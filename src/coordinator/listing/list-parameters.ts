/**
 * The parameters of the query list: which queries, in which order, how many, and how much of their statements. Unknown parameters are
 * ignored; a value that cannot be understood is refused with a sentence.
 */
import { HttpError } from "../../protocol/http/http.ts";
import { errorCatalogue, type ErrorType } from "../../protocol/errors.ts";
import { queryStates } from "../../protocol/documents/statement.ts";
import type { QueryState } from "../query/states.ts";
import { type SortColumn, sortColumns } from "./query-order.ts";

/** Largest page. Larger lists are read page by page with `after`. */
const limitMax = 10_000;
const searchLengthMax = 1000;

export interface ListParameters {
  /** Absent: the queries in memory, all of them. */
  readonly limit: number | undefined;
  /** Absent: in the order of creation. */
  readonly sort: { readonly column: SortColumn; readonly descending: boolean } | undefined;
  readonly states: ReadonlySet<QueryState> | undefined;
  readonly user: string | undefined;
  readonly source: string | undefined;
  readonly errorTypes: ReadonlySet<ErrorType> | undefined;
  readonly search: string | undefined;
  /** Id of the last query of the page before. */
  readonly after: string | undefined;
  /** Characters of each statement. Absent: the whole statement. */
  readonly preview: number | undefined;
}

const errorTypes: readonly ErrorType[] = [...new Set(Object.values(errorCatalogue).map(({ type }) => type))].toSorted();

/** Throws HttpError 400. An empty value is none. */
export function listParameters(query: Readonly<Record<string, string>>): ListParameters {
  const text = (name: string): string | undefined => (query[name] === "" ? undefined : query[name]);
  const search = text("search");
  if (search !== undefined && search.length > searchLengthMax) {
    throw new HttpError(400, `Parameter search has ${search.length} characters, more than ${searchLengthMax}`);
  }
  return {
    limit: integer("limit", text("limit"), limitMax),
    sort: order(text("sort")),
    states: choices("state", text("state"), queryStates),
    user: text("user"),
    source: text("source"),
    errorTypes: choices("errorType", text("errorType"), errorTypes),
    search,
    after: text("after"),
    preview: integer("preview", text("preview"), Number.MAX_SAFE_INTEGER),
  };
}

function integer(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) {
    throw new HttpError(400, `Parameter ${name} must be an integer from 0 to ${max}: ${text}`);
  }
  return value;
}

function order(text: string | undefined): ListParameters["sort"] {
  if (text === undefined) {
    return undefined;
  }
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const column = sortColumns.find((known) => known === name);
  if (column === undefined) {
    throw new HttpError(400, `Parameter sort must be one of ${sortColumns.join(", ")}, with a leading - for descending: ${text}`);
  }
  return { column, descending };
}

/** A list separated by commas, in any case. */
function choices<T extends string>(name: string, text: string | undefined, known: readonly T[]): ReadonlySet<T> | undefined {
  if (text === undefined) {
    return undefined;
  }
  const found = text.split(",").map((part) => {
    const choice = known.find((one) => one === part.trim().toUpperCase());
    if (choice === undefined) {
      throw new HttpError(400, `Parameter ${name} must be a list of ${known.join(", ")}: ${part}`);
    }
    return choice;
  });
  return new Set(found);
}
