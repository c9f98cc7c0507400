/**
 * Random statements, in the shapes that the parser produces.
 */
import fc from "fast-check";
import type { CallArgument, Expression, Grantor, MergeCase, Principal, Statement } from "../../../src/sql/ast/ast.ts";
import { routineStatements } from "./routine-trees.ts";
import { anyExpression, anyQuery, flag, identifier, list, literal, location, maybe, qualifiedName, text, type } from "./trees.ts";

const pattern = fc
  .tuple(text, maybe("escape", text))
  .map(([like, escape]) => ({ kind: "ShowPattern" as const, like, ...escape, location }));
const properties = list(
  fc.tuple(identifier, literal).map(([name, value]) => ({ kind: "Property" as const, name, value, location })),
  0,
);
const plainLiteral = literal.filter(({ kind }) => kind.endsWith("Literal"));
const signed = plainLiteral.map((value): Expression => ({ kind: "ArithmeticUnary", sign: "-", value, location }));
const defaultLiteral: fc.Arbitrary<Expression> = fc.oneof(
  plainLiteral,
  signed.filter((one) => one.kind === "ArithmeticUnary" && /^(Long|Decimal|Double)Literal$/.test(one.value.kind)),
);
const column = fc
  .tuple(identifier, type, maybe("defaultValue", defaultLiteral), flag, maybe("comment", text), properties)
  .map(([name, of, defaultValue, nullable, comment, made]) => ({
    kind: "ColumnDefinition" as const,
    name,
    type: of,
    nullable,
    ...defaultValue,
    ...comment,
    properties: made,
    location,
  }));
/** OR REPLACE, IF NOT EXISTS or neither. */
const creation = fc.constantFrom(
  { replace: true, ifNotExists: false },
  { replace: false, ifNotExists: true },
  { replace: false, ifNotExists: false },
);
const like = fc
  .tuple(qualifiedName, maybe("properties", fc.constantFrom("INCLUDING", "EXCLUDING")))
  .map(([table, made]) => ({ kind: "LikeClause" as const, table, ...made, location }));

const interval = literal.filter(({ kind }) => kind === "IntervalLiteral");
const stale = maybe("whenStale", fc.constantFrom("FAIL", "INLINE"));

const principal = fc
  .tuple(maybe("type", fc.constantFrom("USER", "ROLE")), identifier)
  .map(([type, name]): Principal => ({ kind: "Principal", ...type, name, location }));

const unknownPrivilege = identifier.filter(({ value }) => !/^(create|delete|insert|select|update|all)$/i.test(value));
const grantor = fc.oneof(principal, fc.constantFrom<Grantor>("CURRENT_USER", "CURRENT_ROLE"));
const inCatalog = maybe("catalog", identifier);

const callArguments = list(
  fc
    .tuple(maybe("name", identifier), anyExpression)
    .map(([name, value]): CallArgument => ({ kind: "CallArgument", ...name, value, location })),
  0,
);

const assignments = list(
  fc.tuple(identifier, anyExpression).map(([of, value]) => ({ kind: "UpdateAssignment" as const, column: of, value, location })),
);
const matchCondition = maybe("condition", anyExpression);
const mergeCase: fc.Arbitrary<MergeCase> = fc.oneof(
  matchCondition.map((condition): MergeCase => ({ kind: "MergeDelete", ...condition, location })),
  fc
    .tuple(matchCondition, assignments)
    .map(([condition, made]): MergeCase => ({ kind: "MergeUpdate", ...condition, assignments: made, location })),
  fc
    .tuple(matchCondition, maybe("columns", list(identifier)), list(anyExpression))
    .map(([condition, columns, values]): MergeCase => ({ kind: "MergeInsert", ...condition, ...columns, values, location })),
);

const plainStatement: fc.Arbitrary<Statement> = fc.oneof(
  anyQuery,
  routineStatements,
  maybe("pattern", pattern).chain((made) =>
    fc.constantFrom<Statement>(
      { kind: "ShowCatalogs", ...made, location },
      { kind: "ShowFunctions", ...made, location },
      { kind: "ShowSession", ...made, location },
    ),
  ),
  fc
    .tuple(maybe("catalog", identifier), maybe("pattern", pattern))
    .map(([catalog, made]): Statement => ({ kind: "ShowSchemas", ...catalog, ...made, location })),
  fc
    .tuple(maybe("schema", qualifiedName), maybe("pattern", pattern))
    .map(([schema, made]): Statement => ({ kind: "ShowTables", ...schema, ...made, location })),
  fc.tuple(qualifiedName, maybe("pattern", pattern)).map(([table, made]): Statement => ({ kind: "ShowColumns", table, ...made, location })),
  fc
    .tuple(fc.constantFrom("TABLE", "VIEW", "SCHEMA", "MATERIALIZED VIEW"), qualifiedName)
    .map(([object, name]): Statement => ({ kind: "ShowCreate", object, name, location })),
  qualifiedName.map((table): Statement => ({ kind: "ShowStats", table, location })),
  anyQuery.map((query): Statement => ({ kind: "ShowStats", query, location })),
  fc.tuple(maybe("catalog", identifier), identifier).map(([catalog, schema]): Statement => ({ kind: "Use", ...catalog, schema, location })),
  fc.tuple(qualifiedName, literal).map(([name, value]): Statement => ({ kind: "SetSession", name, value, location })),
  qualifiedName.map((name): Statement => ({ kind: "ResetSession", name, location })),
  fc.oneof(identifier, fc.string()).map((user): Statement => ({ kind: "SetSessionAuthorization", user, location })),
  fc.constant<Statement>({ kind: "ResetSessionAuthorization", location }),
  fc.tuple(anyQuery, list(fc.tuple(qualifiedName, literal))).map(
    ([query, made]): Statement => ({
      ...query,
      session: made.map(([name, value]) => ({ kind: "SessionAssignment", name, value, location })),
    }),
  ),
  fc.tuple(qualifiedName, list(fc.oneof(column, like)), creation, maybe("comment", text), properties).map(
    ([name, elements, how, comment, made]): Statement => ({
      kind: "CreateTable",
      name,
      elements,
      ...how,
      ...comment,
      properties: made,
      location,
    }),
  ),
  fc.tuple(qualifiedName, maybe("columnNames", list(identifier)), creation, maybe("comment", text), properties, anyQuery, flag).map(
    ([name, columns, how, comment, made, query, withData]): Statement => ({
      kind: "CreateTableAsSelect",
      name,
      ...columns,
      ...how,
      ...comment,
      properties: made,
      query,
      withData,
      location,
    }),
  ),
  fc
    .tuple(qualifiedName, maybe("columns", list(identifier)), anyQuery)
    .map(([table, columns, query]): Statement => ({ kind: "Insert", table, ...columns, query, location })),
  fc
    .tuple(qualifiedName, maybe("where", anyExpression))
    .map(([table, where]): Statement => ({ kind: "Delete", table, ...where, location })),
  fc.tuple(qualifiedName, list(fc.tuple(identifier, anyExpression)), maybe("where", anyExpression)).map(
    ([table, made, where]): Statement => ({
      kind: "Update",
      table,
      assignments: made.map(([of, value]) => ({ kind: "UpdateAssignment", column: of, value, location })),
      ...where,
      location,
    }),
  ),
  fc.tuple(qualifiedName, flag).map(([name, ifExists]): Statement => ({ kind: "DropTable", name, ifExists, location })),
  fc.tuple(identifier, flag, identifier, maybe("comment", text), maybe("owner", principal), properties).map(
    ([name, ifNotExists, connector, comment, owner, made]): Statement => ({
      kind: "CreateCatalog",
      name,
      ifNotExists,
      connector,
      ...comment,
      ...owner,
      properties: made,
      location,
    }),
  ),
  fc
    .tuple(identifier, flag, flag)
    .map(([name, ifExists, cascade]): Statement => ({ kind: "DropCatalog", name, ifExists, cascade, location })),
  fc
    .tuple(qualifiedName, flag, maybe("owner", principal), properties)
    .map(
      ([name, ifNotExists, owner, made]): Statement => ({ kind: "CreateSchema", name, ifNotExists, ...owner, properties: made, location }),
    ),
  fc
    .tuple(qualifiedName, flag, flag)
    .map(([name, ifExists, cascade]): Statement => ({ kind: "DropSchema", name, ifExists, cascade, location })),
  fc
    .tuple(
      qualifiedName,
      flag,
      maybe("columnNames", list(identifier)),
      maybe("comment", text),
      maybe("security", fc.constantFrom("DEFINER", "INVOKER")),
      anyQuery,
    )
    .map(
      ([name, replace, columns, comment, security, query]): Statement => ({
        kind: "CreateView",
        name,
        replace,
        ...columns,
        ...comment,
        ...security,
        query,
        location,
      }),
    ),
  fc.tuple(qualifiedName, flag).map(([name, ifExists]): Statement => ({ kind: "DropView", name, ifExists, location })),
  fc
    .tuple(qualifiedName, qualifiedName, flag)
    .map(([name, target, ifExists]): Statement => ({ kind: "RenameTable", name, target, ifExists, location })),
  fc.tuple(qualifiedName, identifier, identifier, flag, flag).map(
    ([table, of, target, tableExists, columnExists]): Statement => ({
      kind: "RenameColumn",
      table,
      column: of,
      target,
      tableExists,
      columnExists,
      location,
    }),
  ),
  fc.tuple(qualifiedName, column, flag, flag).map(
    ([table, of, tableExists, columnNotExists]): Statement => ({
      kind: "AddColumn",
      table,
      column: of,
      tableExists,
      columnNotExists,
      location,
    }),
  ),
  fc.tuple(qualifiedName, identifier, flag, flag).map(
    ([table, of, tableExists, columnExists]): Statement => ({
      kind: "DropColumn",
      table,
      column: of,
      tableExists,
      columnExists,
      location,
    }),
  ),
  fc
    .tuple(fc.constantFrom("TABLE", "VIEW", "COLUMN"), qualifiedName, maybe("comment", text))
    .map(([object, name, comment]): Statement => ({ kind: "Comment", object, name, ...comment, location })),
  qualifiedName.map((name): Statement => ({ kind: "TruncateTable", name, location })),
  maybe("zone", anyExpression).map((zone): Statement => ({ kind: "SetTimeZone", ...zone, location })),
  fc
    .tuple(
      fc.constantFrom("GRANT", "REVOKE"),
      maybe("privileges", list(fc.oneof(fc.constantFrom("CREATE", "DELETE", "INSERT", "SELECT", "UPDATE"), unknownPrivilege))),
      fc.constantFrom("TABLE", "SCHEMA"),
      qualifiedName,
      principal,
      flag,
    )
    .map(
      ([action, privileges, object, name, to, grantOption]): Statement => ({
        kind: "Grant",
        action,
        ...privileges,
        object,
        name,
        principal: to,
        grantOption,
        location,
      }),
    ),
  fc.tuple(fc.constantFrom("GRANT", "REVOKE"), list(identifier), list(principal), flag, maybe("grantor", grantor), inCatalog).map(
    ([action, roles, principals, adminOption, by, catalog]): Statement => ({
      kind: "GrantRoles",
      action,
      roles,
      principals,
      adminOption,
      ...by,
      ...catalog,
      location,
    }),
  ),
  fc
    .tuple(identifier, maybe("grantor", grantor), inCatalog)
    .map(([name, by, catalog]): Statement => ({ kind: "CreateRole", name, ...by, ...catalog, location })),
  fc
    .tuple(identifier, flag, inCatalog)
    .map(([name, ifExists, catalog]): Statement => ({ kind: "DropRole", name, ifExists, ...catalog, location })),
  fc
    .tuple(fc.constantFrom("MATERIALIZED VIEW", "SCHEMA", "TABLE", "VIEW"), qualifiedName, principal)
    .map(([object, name, to]): Statement => ({ kind: "SetAuthorization", object, name, principal: to, location })),
  fc.tuple(qualifiedName, creation, fc.tuple(maybe("gracePeriod", interval), stale, maybe("comment", text)), properties, anyQuery).map(
    ([name, how, [grace, whenStale, comment], made, query]): Statement => ({
      kind: "CreateMaterializedView",
      name,
      ...how,
      ...grace,
      ...whenStale,
      ...comment,
      properties: made,
      query,
      location,
    }),
  ),
  qualifiedName.map((name): Statement => ({ kind: "RefreshMaterializedView", name, location })),
  fc.tuple(qualifiedName, flag).map(([name, ifExists]): Statement => ({ kind: "DropMaterializedView", name, ifExists, location })),
  fc
    .tuple(qualifiedName, qualifiedName, flag)
    .map(([name, target, ifExists]): Statement => ({ kind: "RenameMaterializedView", name, target, ifExists, location })),
  fc
    .tuple(qualifiedName, identifier, type, flag)
    .map(([table, of, to, tableExists]): Statement => ({ kind: "SetColumnType", table, column: of, type: to, tableExists, location })),
  fc
    .tuple(qualifiedName, identifier, maybe("value", defaultLiteral), flag)
    .map(
      ([table, of, value, tableExists]): Statement => ({ kind: "SetColumnDefault", table, column: of, ...value, tableExists, location }),
    ),
  fc.tuple(qualifiedName, identifier, flag, flag).map(
    ([table, of, nullable, tableExists]): Statement => ({
      kind: "SetColumnNullable",
      table,
      column: of,
      nullable,
      tableExists,
      location,
    }),
  ),
  fc.tuple(fc.constantFrom("MATERIALIZED VIEW", "TABLE"), qualifiedName, list(fc.tuple(identifier, maybe("value", literal)))).map(
    ([object, table, made]): Statement => ({
      kind: "SetTableProperties",
      object,
      table,
      properties: made.map(([name, value]) => ({ kind: "AlteredProperty", name, ...value, location })),
      location,
    }),
  ),
  fc
    .tuple(qualifiedName, identifier, callArguments, maybe("where", anyExpression))
    .map(([table, procedure, args, where]): Statement => ({ kind: "TableExecute", table, procedure, arguments: args, ...where, location })),
  fc.tuple(qualifiedName, maybe("alias", identifier), qualifiedName, anyExpression, list(mergeCase)).map(
    ([table, alias, name, condition, cases]): Statement => ({
      kind: "Merge",
      table,
      ...alias,
      source: { kind: "Table", name, location },
      condition,
      cases,
      location,
    }),
  ),
  list(fc.tuple(identifier, maybe("schema", identifier))).map(
    (made): Statement => ({
      kind: "SetPath",
      elements: made.map(([first, { schema }]) => ({
        kind: "QualifiedName",
        parts: schema === undefined ? [first] : [first, schema],
        location,
      })),
      location,
    }),
  ),
  fc.tuple(qualifiedName, properties).map(([table, made]): Statement => ({ kind: "Analyze", table, properties: made, location })),
  fc.tuple(identifier, list(literal, 0)).map(([name, parameters]): Statement => ({ kind: "Execute", name, parameters, location })),
  identifier.chain((name) =>
    fc.constantFrom<Statement>(
      { kind: "Deallocate", name, location },
      { kind: "DescribeInput", name, location },
      { kind: "DescribeOutput", name, location },
    ),
  ),
  fc
    .tuple(
      maybe("isolation", fc.constantFrom("SERIALIZABLE", "REPEATABLE READ", "READ COMMITTED", "READ UNCOMMITTED")),
      maybe("accessMode", fc.constantFrom("READ ONLY", "READ WRITE")),
    )
    .map(([isolation, accessMode]): Statement => ({ kind: "StartTransaction", ...isolation, ...accessMode, location })),
  fc.constantFrom<Statement>({ kind: "Commit", location }, { kind: "Rollback", location }),
  fc.tuple(qualifiedName, list(fc.tuple(maybe("name", identifier), literal), 0)).map(
    ([name, made]): Statement => ({
      kind: "Call",
      name,
      arguments: made.map(([named, value]) => ({ kind: "CallArgument", ...named, value, location })),
      location,
    }),
  ),
);

export const anyStatement: fc.Arbitrary<Statement> = fc.oneof(
  { weight: 8, arbitrary: plainStatement },
  {
    weight: 1,
    arbitrary: fc.tuple(identifier, plainStatement).map(([name, statement]): Statement => ({ kind: "Prepare", name, statement, location })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        plainStatement,
        maybe("type", fc.constantFrom("LOGICAL", "DISTRIBUTED", "VALIDATE", "IO")),
        maybe("format", fc.constantFrom("TEXT", "GRAPHVIZ", "JSON")),
      )
      .map(
        ([statement, of, format]): Statement => ({
          kind: "Explain",
          analyze: false,
          verbose: false,
          ...of,
          ...format,
          statement,
          location,
        }),
      ),
  },
);
