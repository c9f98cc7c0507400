/**
 * Which names the reader of a table about tables wants: what its filters say of columns of text goes from the list of splits into the one split, so that
 * catalogs, schemas and tables that nobody asked for are not asked either. Called by information_schema and the system connector.
 */
import { matchLike } from "../../functions/scalar/string/like-match.ts";
import { compileLike } from "../../functions/scalar/string/like.ts";
import { clientTypeText, type TypeTextOptions } from "../../types/type-text.ts";
import { displayType, type Type } from "../../types/type.ts";
import type { ConnectorSession, Constraint, Json, LikePattern, Split } from "../spi.ts";
import type { WantedNames } from "./walk.ts";

/** By column. Rows of other names may come all the same: whoever asked filters them too. */
export type Wanted = Readonly<Record<string, { readonly values?: readonly string[]; readonly like?: LikePattern }>>;

/** One split, that says what is wanted if not everything is, and how types are told to the reader if not as the engine shows them. */
export function splitOfWanted(constraint: Constraint | undefined, session: ConnectorSession | undefined): Split {
  const wanted = Object.entries(constraint ?? {}).flatMap(([column, { like, values }]) =>
    like === undefined && values === undefined
      ? []
      : [[column, { ...(values && { values }), ...(like && { like: { ...like } }) }] as const],
  );
  const typeTexts = session?.typeTexts;
  const members = { ...(wanted.length > 0 && { wanted: Object.fromEntries(wanted) }), ...(typeTexts && { typeTexts: { ...typeTexts } }) };
  return { payload: Object.keys(members).length === 0 ? null : members };
}

interface WantedPayload {
  readonly wanted?: Wanted;
  readonly typeTexts?: TypeTextOptions;
}

export function wantedOf(payload: Json): Wanted {
  return (payload as WantedPayload | null)?.wanted ?? {};
}

export function typeTextOf(payload: Json): (type: Type) => string {
  const options = (payload as WantedPayload | null)?.typeTexts;
  return options === undefined ? displayType : (type) => clientTypeText(type, options);
}

/** Throws INVALID_FUNCTION_ARGUMENT for a pattern that is none. */
export function wants(wanted: Wanted, column: string): (name: string) => boolean {
  const { like, values } = wanted[column] ?? {};
  const program = like === undefined ? undefined : compileLike(like.pattern, like.escape);
  return (name) => (values === undefined || values.includes(name)) && (program === undefined || matchLike(name, program));
}

export function wantedNames(wanted: Wanted, schemaColumn: string, tableColumn: string): WantedNames {
  const { like, values } = wanted[schemaColumn] ?? {};
  // A pattern without wildcards is a name, as JDBC's drivers ask for one.
  const named = values ?? (like === undefined ? [] : [like.escape ? like.pattern.replaceAll(like.escape, "") : like.pattern]);
  return { schema: wants(wanted, schemaColumn), named, table: wants(wanted, tableColumn) };
}
