/**
 * Places that no situation reaches, with the reasons. situations.test.ts fails if a reason is no longer needed.
 */

export interface Excused {
  readonly why: string;
  /** Texts of places, or prefixes of them. */
  readonly places: readonly string[];
}

export const elsewhere: readonly Excused[] = [
  {
    why: "Only arguments that take a second raise it: the tests beside the functions reach the bounds.",
    places: [
      'src/functions/learning/effort.ts: invalidArgument("Training takes too long.',
      "src/functions/learning/effort.ts: invalidArgument(`Training set must not have more than ",
      "src/functions/scalar/geometry/effort.ts: tooComplex();",
      'src/functions/scalar/geometry/effort.ts: return invalidArgument("Geometry is too complex for this operation");',
      'src/functions/scalar/json/path/evaluate.ts: throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON path reads more than ',
    ],
  },
  {
    why: "Only a statement of hundreds of queries raises it: test/unit/planner/errors.test.ts writes one.",
    places: ['src/planner/plan/ids.ts: throw new QueryError("NOT_SUPPORTED", `Statement has more than '],
  },
  {
    why: "Only a query that is canceled while it changes a table in a bucket raises it: scenario canceled-before-its-change.",
    places: ['src/planner/statements/definition/data-definition.ts: throw new QueryError("USER_CANCELED", "Query was canceled");'],
  },
  {
    why: "Only catalogs of MySQL raise it, which drop schemas, but not their contents: test/databases/mysql.test.ts asks for it.",
    places: ['src/planner/statements/definition/data-definition.ts: throw unsupported(statement, "dropping schemas with CASCADE option");'],
  },
  {
    why: "Only rules of access raise it: test/access asks for each in both worlds.",
    places: [
      "src/planner/access/statement-rights.ts: throw notSupported(statement, changeRefused[statement.kind]",
      'src/planner/analyzer/relation/secured.ts: throw semanticError("TYPE_MISMATCH", secured.at, what);',
      "src/planner/analyzer/relation/secured.ts: throw semanticError(errorName, at, `${title} is recursive`);",
      "src/planner/analyzer/relation/secured.ts: throw error instanceof QueryError ? semanticError(errorName, at, `Invalid ${what} for",
      'src/planner/statements/show/show-stats.ts: throw notSupported(statement, "SHOW STATS is not supported for a table with a row filter',
    ],
  },
  {
    why: "Only catalogs with roles and grants raise it: test/access/grants.ts asks for each in both worlds.",
    places: [
      "src/planner/statements/definition/grants.ts: throw unsupported(statement, `privilege ",
      'src/planner/statements/definition/grants.ts: throw unsupported(statement, "a role as the owner of a view");',
      'src/planner/statements/definition/roles.ts: throw semanticError("ROLE_ALREADY_EXISTS"',
      'src/planner/statements/definition/roles.ts: throw semanticError("INVALID_ARGUMENTS", statement, `Role',
      'src/planner/statements/definition/roles.ts: throw unsupported(statement, "WITH ADMIN of CREATE ROLE");',
      'src/planner/statements/definition/roles.ts: throw unsupported(statement, "GRANTED BY");',
    ],
  },
  {
    why: "Another statement was faster: test/unit/connectors/memory/catalog-recovery.test.ts asks for each.",
    places: ["src/connectors/memory/security/security.ts: "],
  },
  {
    why: "Only catalogs of files that may be written have properties of tables: test/testing/file-writes.test.ts asks for each.",
    places: [
      'src/planner/statements/definition/table-properties.ts: throw semanticError("DUPLICATE_PROPERTY", property, `Duplicate property',
      "src/planner/statements/definition/table-properties.ts: throw invalid(request, ",
      "src/planner/statements/definition/table-properties.ts: return semanticError(errorNames[of], property, `Invalid value for",
    ],
  },
  {
    why: "Only databases change rows themselves: test/databases asks for each.",
    places: ['src/planner/statements/write/rewrite.ts: throw unsupported(statement, "modifying table rows");'],
  },
  {
    why: "A signal between two ways to plan a subquery; no client sees it.",
    places: [
      'src/planner/analyzer/subquery/pull.ts: return new NotCarried("a correlation that no join condition carrie',
      "src/planner/analyzer/subquery/pull.ts: throw notCarried();",
      "src/planner/analyzer/subquery/decorrelate.ts: throw notCarried();",
    ],
  },
  {
    why: "Correlated subqueries that no way of planning takes: one message, which limits.ts asks for; the fuzzer draws shapes.",
    places: [
      "src/planner/analyzer/subquery/outer-domain.ts: throw unsupportedCorrelation(this.#at);",
      'src/planner/analyzer/relation/join-on.ts: throw notSupported(condition, "Subqueries over both sides in the condition',
      "src/planner/analyzer/subquery/marked.ts: throw unsupportedCorrelation(at);",
      "src/planner/analyzer/subquery/marked.ts: throw unsupportedCorrelation(this.#options.at);",
    ],
  },
  {
    why: "A guard behind other checks: no statement is known that gets there, and if one does it is a bug of the engine.",
    places: [
      'src/functions/scalar/array/summaries.ts: invalidArgument("map key cannot be null or contain nulls");',
      'src/functions/scalar/array/summaries.ts: return failed("n must be greater than or equal to 0");',
      "src/functions/cast/casts.ts: return { host: () => fail(`Cannot cast ${displayType(from)} to ${displayType(to)}",
      "src/functions/scalar/binary/xx-hash-kernels.ts: return isNot(type);",
      'src/functions/runtime/errors.ts: return new QueryError("GENERIC_INTERNAL_ERROR", `kernel failed with unknown erro',
      'src/functions/scalar/general.ts: throw new QueryError("GENERIC_INTERNAL_ERROR", "version() is a constant once it',
      "src/functions/scalar/datetime/joda-format.ts: return bad();",
      'src/functions/scalar/json/path/evaluate.ts: throw new PathError("");',
      'src/functions/scalar/json/path/json-text.ts: throw new QueryError("NOT_SUPPORTED", `Unsupported type of JSON val',
      'src/functions/scalar/json/path/results.ts: ? orError(behaviors, defaults, () => valueError("JSON path found no i',
      'src/functions/runtime/nested-values.ts: return type?.kind === "array" ? type.element : badArgument(type);',
      'src/functions/runtime/nested-values.ts: return type?.kind === "map" ? type : badArgument(type);',
      'src/functions/scalar/math/random-functions.ts: throw new QueryError("GENERIC_INTERNAL_ERROR", "a non-determinist',
      'src/functions/scalar/regexp/syntax.ts: return text === "" ? invalidRegexp(message) : text;',
      'src/functions/scalar/regexp/syntax.ts: parts.push(items.length === 0 ? (parts.length === 0 ? invalidRegexp("empt',
      'src/functions/cast/text-casts.ts: return fail(`Cannot cast varchar to ${displayType(to)}`, "NOT_SUPPORTED");',
      'src/functions/scalar/string/rarer-functions.ts: return invalid("Normalization form must be one of [NFD, NFC, NFKD, NFKC]',
      'src/functions/cast/zoned-casts.ts: throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Out of range for timest',
      'src/functions/scalar/datetime/zoned.ts: throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Time zone offset not in valid ',
      'src/planner/analyzer/expression/expression-analyzer.ts: throw notSupported(expression, "Literal is not supported");',
      'src/planner/analyzer/expression/functions.ts: return semanticError("AMBIGUOUS_FUNCTION_CALL", at, failure.message ?? `C',
      "src/planner/analyzer/expression/literals.ts: throw invalidInterval(literal);",
      "src/planner/analyzer/pattern/pattern-expressions.ts: throw notSupported(node, `Arguments of ${name} that differ fro",
      "src/planner/analyzer/subquery/quantified.ts: throw notOrderable(item.type, at);",
      'src/planner/analyzer/query/row-limits.ts: throw new QueryError("SYNTAX_ERROR", "FETCH FIRST PERCENT has a percen',
      'src/planner/analyzer/query/specification.ts: throw semanticError("COLUMN_NOT_FOUND", item, "SELECT * not allowed fr',
      'src/planner/analyzer/window/plan.ts: throw semanticError("NESTED_WINDOW", input.syntax, nestedInArguments);',
      'src/execution/expressions/prepare.ts: throw new QueryError("TYPE_MISMATCH", `Cannot cast ${displayType(cast.arg.type)} ',
    ],
  },
  {
    why: "Faults of nodes, networks and disks: test/unit/execution and test/sim bring them about.",
    places: [
      'src/execution/operators/table-function/operators.ts: throw new QueryError("FUNCTION_IMPLEMENTATION_MISSING", `Table func',
      'src/execution/operators/table-function/passed-columns.ts: throw new QueryError("FUNCTION_IMPLEMENTATION_ERROR", `Invalid',
    ],
  },
  {
    why: "Statements that race, or faults of a node: test/unit/connectors and test/sim bring them about.",
    places: [
      "src/connectors/memory/catalog.ts: throw tableNotFound(this.#parts.context.catalog, write);",
      'src/connectors/memory/catalog.ts: throw this.#conflict(write, "was altered while rows were written");',
      'src/connectors/memory/catalog.ts: throw this.#conflict(write, "has changed since its rows were read");',
      'src/connectors/memory/catalog.ts: return new QueryError("TRANSACTION_CONFLICT", `Table \'${this.#parts.co',
      "src/connectors/memory/catalog.ts: throw new QueryError(",
      "src/connectors/memory/catalog.ts: throw new QueryError(\"SCHEMA_NOT_FOUND\", `Schema '${schema}' does not e",
      "src/connectors/memory/catalog.ts: throw tableNotFound(this.#parts.context.catalog, { schema, table: name",
      'src/connectors/memory/table.ts: return new QueryError("TABLE_NOT_FOUND", `Table',
      'src/connectors/memory/catalog.ts: throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table \'${this',
      'src/connectors/memory/catalog-journal.ts: throw new QueryError("CONNECTOR_ERROR", `Catalog',
      'src/connectors/memory/kept-catalog.ts: throw new QueryError("CONNECTOR_ERROR", `Catalog',
      'src/connectors/memory/copies.ts: ? new QueryError("EXCEEDED_LOCAL_MEMORY_LIMIT", ',
      'src/connectors/memory/copies.ts: throw new QueryError("REMOTE_HOST_GONE", `Node ${context.nodeId} copies n',
      'src/connectors/memory/copies.ts: let last: unknown = new QueryError("TABLE_DATA_LOST", "A part without pla',
      'src/connectors/memory/copies.ts: throw new QueryError("REMOTE_HOST_GONE", "The catalog was removed");',
      'src/connectors/memory/functions.ts: throw new QueryError("ALREADY_EXISTS", "Function already exists");',
      'src/connectors/memory/memory.ts: throw new QueryError("GENERIC_INTERNAL_ERROR", `Node ${nodeId} does not ',
      "src/connectors/memory/memory.ts: throw new QueryError(",
      'src/connectors/memory/replication.ts: throw new QueryError("REMOTE_HOST_GONE", `Node ${target} has restar',
      'src/connectors/memory/views.ts: throw new QueryError("TABLE_NOT_FOUND", `View \'${name.schema}.${name.tabl',
    ],
  },
  {
    why: "A stored view or function that is damaged: no statement stores one.",
    places: [
      'src/planner/analyzer/metadata.ts: throw semanticError("TABLE_NOT_FOUND", at, `Table \'${catalog}.${schema}.${',
      'src/planner/analyzer/load-tables.ts: return statement.kind === "Query" ? statement : new QueryError("INVALID_VI',
      "src/planner/analyzer/routine/call.ts: throw brokenFunction(printName(node.name), broken, node);",
      'src/planner/analyzer/relation/views.ts: throw semanticError("INVALID_VIEW", at, `Failed parsing stored view',
    ],
  },
  {
    why: "Several places of one message in one file, of which situations reach others.",
    places: [
      "src/sql/parser/expression-parser.ts: throw tokens.mismatch();",
      "src/sql/parser/functions.ts: throw tokens.mismatch();",
      "src/sql/parser/primary.ts: throw tokens.mismatch();",
      "src/sql/parser/queries.ts: throw tokens.mismatch();",
      'src/functions/operator/arithmetic.ts: throw new QueryError("DIVISION_BY_ZERO", "Division by zero");',
      "src/functions/scalar/geometry/encoding/wkb.ts: return broken();",
      "src/functions/scalar/geometry/encoding/wkt.ts: return this.#fail();",
      "src/functions/sketch/hyperloglog.ts: return broken();",
      "src/functions/sketch/hyperloglog.ts: registers[bucket] = (registers[bucket] ?? broken()) + view.getUint8(5 + del",
      "src/functions/scalar/json/path/arithmetic.ts: return overflow();",
      'src/functions/scalar/json/path/parse.ts: throw error instanceof PathSyntaxError ? new QueryError("SYNTAX_ERROR",',
      "src/functions/sketch/qdigest.ts: const level = digest.counts[Number(view.getBigUint64(at + 16, true))] ?? invali",
      "src/functions/sketch/set-digest.ts: return broken();",
    ],
  },
  {
    why: "A limit or a fault that only very long or very odd values reach.",
    places: [
      'src/functions/scalar/string/colors.ts: invalid("lowColor not a valid RGB color");',
      'src/functions/scalar/string/colors.ts: invalid("highColor not a valid RGB color");',
      'src/functions/scalar/geometry/topology.ts: return invalidArgument((error as Error).message.replaceAll(", NaN", "',
      "src/functions/scalar/geometry/topology.ts: ? invalidArgument(`${name} does not support ${kindName(geometry.kind)",
      'src/functions/scalar/json/path/evaluate.ts: throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON path gi',
      'src/functions/scalar/json/path/table.ts: throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON_TABLE make',
      "src/functions/learning/learning-functions.ts: return invalidArgument(`${name} must not have more than ${t",
      'src/planner/analyzer/routine/call.ts: throw new QueryError("COMPILER_ERROR", statementTooLarge);',
      'src/planner/analyzer/routine/program.ts: throw new QueryError("COMPILER_ERROR", statementTooLarge);',
      'src/planner/plan/ids.ts: throw new QueryError("NOT_SUPPORTED", `Plan has more than ${planNodesM',
    ],
  },
  {
    why: "No connector lacks, or has, what the statement asks for.",
    places: [
      "src/planner/statements/definition/alter.ts: throw notSupported(column, `Catalog '${catalog}' does not support NOT NULL ",
      'src/planner/statements/definition/alter.ts: throw unsupported(statement, "setting table properties");',
      'src/planner/statements/definition/comment.ts: throw unsupported(statement, "setting view comments");',
      'src/planner/statements/definition/comment.ts: throw unsupported(statement, "setting view column comments");',
      'src/planner/statements/definition/data-definition.ts: throw new QueryError("CATALOG_NOT_FOUND", `Catalog',
      "src/planner/statements/show/explain.ts: throw notAnalyzable(inner.kind);",
    ],
  },
  {
    why: "A transaction takes several requests: test/unit/coordinator asks for them.",
    places: [
      'src/planner/statements/definition/roles.ts: throw new QueryError("GENERIC_USER_ERROR", `Can\'t ${isSet ? "set" : "reset"',
      'src/planner/statements/session/transactions.ts: throw new QueryError("NOT_SUPPORTED", "Nested transactions not support',
    ],
  },
];
