/** The names that fit a place of a statement, by the metadata. */
import { isReserved } from "../../../sql/parser/reserved-words.ts";
import { printPlainName } from "../../../sql/printer/names.ts";
import { keywords, statementWords, typeNames } from "../sql/keywords.ts";
import type { CompletionContext } from "./context.ts";
import type { Metadata, NamedFunction } from "./metadata.ts";
import { type OutputColumn, type Relation, relationName, type TableRelation } from "./relations.ts";

export type CandidateKind = "catalog" | "schema" | "table" | "view" | "column" | "function" | "keyword" | "type" | "property" | "relation";

export interface Candidate {
  readonly kind: CandidateKind;
  /** As shown. */
  readonly label: string;
  /** As inserted: quoted where needed. */
  readonly text: string;
  /** Type, signature or relation. */
  readonly detail?: string;
  readonly info?: string;
  /** Higher ones come first among equal matches. */
  readonly rank: number;
}

/** Catalog and schema of the session. */
export interface Surroundings {
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

/** Keywords: no metadata are needed. */
export function keywordCandidates({ place, prefix, qualifier, isQuoted }: CompletionContext): readonly Candidate[] {
  if (qualifier.length > 0 || isQuoted) {
    return [];
  }
  const isUpper = prefix === "" || prefix !== prefix.toLowerCase();
  const spelled = (words: Iterable<string>, rank: number): readonly Candidate[] =>
    [...words].map((word) => {
      const label = isUpper ? word.toUpperCase() : word.toLowerCase();
      return { kind: "keyword", label, text: label, rank };
    });
  switch (place) {
    case "statement":
      return spelled(statementWords, 3);
    case "expression":
    case "keyword":
      return spelled(keywords, 0);
    case "type":
      return [...typeNames].map((name) => ({ kind: "type", label: name, text: name, rank: 2 }));
    case "relation":
      return spelled(["LATERAL", "UNNEST", "TABLE", "SELECT", "VALUES", "IF", "EXISTS"], 0);
    case "schema":
    case "catalog":
    case "session":
    case "none":
      return [];
  }
}

/** Names from the metadata. A list that cannot be fetched is left out. */
export async function nameCandidates(context: CompletionContext, metadata: Metadata, around: Surroundings): Promise<readonly Candidate[]> {
  switch (context.place) {
    case "relation":
      return relationCandidates(context, metadata, around);
    case "schema":
      return context.qualifier.length > 0 ? [] : [...(await schemasOf(metadata, around.catalog)), ...(await catalogsOf(metadata))];
    case "catalog":
      return context.qualifier.length > 0 ? [] : catalogsOf(metadata);
    case "session":
      return sessionCandidates(metadata);
    case "expression":
      return expressionCandidates(context, metadata, around);
    case "type":
    case "statement":
    case "keyword":
    case "none":
      return [];
  }
}

async function orNone<Name>(names: Promise<readonly Name[]>): Promise<readonly Name[]> {
  try {
    return await names;
  } catch {
    return [];
  }
}

function named(kind: CandidateKind, name: string, rank: number, detail?: string): Candidate {
  return { kind, label: name, text: printPlainName(name), rank, ...(detail === undefined ? {} : { detail }) };
}

async function catalogsOf(metadata: Metadata): Promise<readonly Candidate[]> {
  return (await orNone(metadata.catalogs())).map((name) => named("catalog", name, 1, "catalog"));
}

async function schemasOf(metadata: Metadata, catalog: string | undefined): Promise<readonly Candidate[]> {
  const names = catalog === undefined ? [] : await orNone(metadata.schemas(catalog));
  return names.map((name) => named("schema", name, 1, "schema"));
}

async function tablesOf(metadata: Metadata, catalog: string | undefined, schema: string | undefined): Promise<readonly Candidate[]> {
  const tables = catalog === undefined || schema === undefined ? [] : await orNone(metadata.tables(catalog, schema));
  return tables.map(({ name, kind }) => named(kind === "VIEW" ? "view" : "table", name, 2, kind === "VIEW" ? "view" : "table"));
}

async function relationCandidates(
  { qualifier, named: queries }: CompletionContext,
  metadata: Metadata,
  { catalog, schema }: Surroundings,
): Promise<readonly Candidate[]> {
  const [first, second] = qualifier;
  if (first !== undefined && second !== undefined) {
    return tablesOf(metadata, first, second);
  }
  if (first !== undefined) {
    const isCatalog = (await orNone(metadata.catalogs())).includes(first);
    const isSchema = catalog !== undefined && (await orNone(metadata.schemas(catalog))).includes(first);
    return [...(isCatalog ? await schemasOf(metadata, first) : []), ...(isSchema ? await tablesOf(metadata, catalog, first) : [])];
  }
  const lists = await Promise.all([tablesOf(metadata, catalog, schema), schemasOf(metadata, catalog), catalogsOf(metadata)]);
  return [...[...queries.keys()].map((name) => named("relation", name, 3, "WITH")), ...lists.flat()];
}

async function sessionCandidates(metadata: Metadata): Promise<readonly Candidate[]> {
  return (await orNone(metadata.sessionProperties())).map(({ name, value, type, description }) => ({
    kind: "property",
    label: name,
    // A property of a catalog has a dot, which is no part of a name in need of quotes.
    text: name,
    rank: 2,
    detail: `${type} = ${value}`,
    info: description,
  }));
}

async function expressionCandidates(context: CompletionContext, metadata: Metadata, around: Surroundings): Promise<readonly Candidate[]> {
  const { relations, qualifier } = context;
  if (qualifier.length > 0) {
    const relation = relations.find((one) => isQualifiedBy(one, qualifier));
    return relation === undefined ? [] : columnsOf(relation, metadata, around);
  }
  const lists = await Promise.all(relations.map((relation) => columnsOf(relation, metadata, around)));
  const aliases = relations.flatMap((relation) => {
    const name = relationName(relation);
    return name === undefined ? [] : [named("relation", name, 2, relation.kind === "table" ? relation.name.join(".") : "subquery")];
  });
  return [...distinct(lists.flat()), ...distinct(aliases), ...(await orNone(metadata.functions())).map(functionCandidate)];
}

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.map((candidate) => [`${candidate.label} ${candidate.detail ?? ""}`, candidate])).values()];
}

function isQualifiedBy(relation: Relation, qualifier: readonly string[]): boolean {
  if (qualifier.length === 1) {
    return relationName(relation) === qualifier[0];
  }
  return (
    relation.kind === "table" && relation.alias === undefined && relation.name.slice(-qualifier.length).join(".") === qualifier.join(".")
  );
}

/** Subqueries of subqueries of this depth are enough. */
const depthMax = 10;

async function columnsOf(relation: Relation, metadata: Metadata, around: Surroundings, depth = 0): Promise<readonly Candidate[]> {
  if (relation.kind === "table") {
    const name = wholeName(relation, around);
    const columns = name === undefined ? [] : await orNone(metadata.columns(...name));
    return columns.map(({ name: column, type }) => named("column", column, 4, type));
  }
  const columns = await Promise.all(relation.columns.map((column) => outputCandidates(column, metadata, around, depth)));
  return columns.flat();
}

async function outputCandidates(
  column: OutputColumn,
  metadata: Metadata,
  around: Surroundings,
  depth: number,
): Promise<readonly Candidate[]> {
  if (column.kind === "name") {
    return [named("column", column.name, 4)];
  }
  return depth < depthMax ? columnsOf(column.relation, metadata, around, depth + 1) : [];
}

function wholeName({ name }: TableRelation, { catalog, schema }: Surroundings): readonly [string, string, string] | undefined {
  const [first, second, third] = name;
  if (first !== undefined && second !== undefined && third !== undefined) {
    return [first, second, third];
  }
  if (first !== undefined && second !== undefined) {
    return catalog === undefined ? undefined : [catalog, first, second];
  }
  return first === undefined || catalog === undefined || schema === undefined ? undefined : [catalog, schema, first];
}

const signaturesShownMax = 8;

function functionCandidate({ name, kind, signatures }: NamedFunction): Candidate {
  const lines = signatures.slice(0, signaturesShownMax).map((one) => `${name}(${one.arguments}) → ${one.returns}`);
  const more = signatures.length > signaturesShownMax ? [`and ${signatures.length - signaturesShownMax} more`] : [];
  const [first] = signatures;
  return {
    kind: "function",
    label: name,
    text: isReserved(name.toUpperCase()) ? name : printPlainName(name),
    rank: 1,
    detail: first === undefined ? kind : `(${first.arguments}) → ${first.returns}`,
    info: [...lines, ...more, first?.description ?? ""].join("\n"),
  };
}
