/**
 * Metadata filter: the names that a query on a metadata table can match. The query's constraints on text columns pass from the split
 * listing into the one split. Catalogs, schemas and tables that cannot match are then not read.
 */
import { matchLike } from "../../functions/scalar/string/like-match.ts";
import { compileLike } from "../../functions/scalar/string/like.ts";
import { Domain } from "../../types/domain/domain.ts";
import { domainValueText } from "../../types/domain/texts.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { clientTypeText, type TypeTextOptions } from "../../types/type-text.ts";
import { displayType, type Type, VARCHAR } from "../../types/type.ts";
import { alwaysTrue, type ConnectorSession, type Constraint, type Json, type LikePattern, type Split } from "../spi.ts";
import type { Reader } from "../../security/sql-standard/catalog-security.ts";
import type { NameFilters } from "./walk.ts";

/** By column. The filter is a hint: rows with other names may be returned, because the engine filters them as well. */
type MetadataFilterDocument = Readonly<Record<string, { readonly values?: readonly string[]; readonly like?: LikePattern }>>;

interface MetadataFilterPayload {
  readonly wanted?: MetadataFilterDocument;
  readonly typeTexts?: TypeTextOptions;
  readonly user?: string;
  readonly roles?: Readonly<Record<string, string>>;
}

/** One split. It carries the metadata filter, the reader, and the display of types if it differs from the engine's own. */
export function splitOfMetadataFilter({ summary, patterns }: Constraint = alwaysTrue, session?: ConnectorSession): Split {
  const wanted = [...summary.domains].flatMap(([column, domain]) => {
    const values = domain.values.discreteValues?.map(domainValueText);
    const like = patterns?.get(column);
    return like === undefined && values === undefined
      ? []
      : [[column, { ...(values && { values }), ...(like && { like: { ...like } }) }] as const];
  });
  const { roles, typeTexts, user } = session ?? {};
  const members = {
    ...(wanted.length > 0 && { wanted: Object.fromEntries(wanted) }),
    ...(typeTexts && { typeTexts: { ...typeTexts } }),
    ...(user !== undefined && { user }),
    ...(roles !== undefined && { roles: { ...roles } }),
  };
  return { payload: Object.keys(members).length === 0 ? null : members };
}

/** All values are texts, also for number columns, because only names are compared. */
export function metadataFilterOf(payload: Json): Constraint {
  const wanted = Object.entries((payload as MetadataFilterPayload | null)?.wanted ?? {});
  return {
    summary: TupleDomain.of(
      wanted.map(([column, { values }]) => [column, values === undefined ? Domain.notNull(VARCHAR) : Domain.of(VARCHAR, values)]),
    ),
    patterns: new Map(wanted.flatMap(([column, { like }]) => (like === undefined ? [] : [[column, like] as const]))),
  };
}

/** Who reads; undefined if all see everything. */
export function readerOf(payload: Json): Reader | undefined {
  const { roles = {}, user } = (payload as MetadataFilterPayload | null) ?? {};
  return user === undefined ? undefined : { user, roles };
}

export function typeTextOf(payload: Json): (type: Type) => string {
  const options = (payload as MetadataFilterPayload | null)?.typeTexts;
  return options === undefined ? displayType : (type) => clientTypeText(type, options);
}

/** Throws INVALID_FUNCTION_ARGUMENT for an invalid pattern. */
export function matcherOf({ summary, patterns }: Constraint, column: string): (name: string) => boolean {
  const domain = summary.domainOf(column);
  const like = patterns?.get(column);
  const program = like === undefined ? undefined : compileLike(like.pattern, like.escape);
  return (name) => (domain === undefined || domain.includes(name)) && (program === undefined || matchLike(name, program));
}

/** Whether names match a pattern in which `*` stands for any characters. */
export function wildcardMatcher(pattern: string): (name: string) => boolean {
  const program = compileLike(pattern.replaceAll(/[%_\\]/g, "\\$&").replaceAll("*", "%"), "\\");
  return (name) => matchLike(name, program);
}

export function nameFilters(wanted: Constraint, schemaColumn: string, tableColumn: string): NameFilters {
  const values = wanted.summary.domainOf(schemaColumn)?.values.discreteValues?.map(String);
  const like = wanted.patterns?.get(schemaColumn);
  // A pattern without wildcards is a name; JDBC drivers send names in this form.
  const named = values ?? (like === undefined ? [] : [like.escape ? like.pattern.replaceAll(like.escape, "") : like.pattern]);
  return { schema: matcherOf(wanted, schemaColumn), named, table: matcherOf(wanted, tableColumn) };
}
