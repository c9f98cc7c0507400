/**
 * Parses ALTER SCHEMA, TABLE, VIEW and MATERIALIZED VIEW. The statement's first word has been read.
 */
import type { SetAuthorization } from "../../ast/access-statements.ts";
import type { Location, QualifiedName } from "../../ast/expression-nodes.ts";
import { parseCallArguments } from "./call.ts";
import { parseAlterColumn, parseColumnDefinition } from "./columns.ts";
import { acceptIfExists, acceptIfNotExists } from "./definitions.ts";
import { parseExpression } from "../expression-parser.ts";
import { parsePrincipal } from "./grants.ts";
import type { AlteredProperty, SetTableProperties } from "../../ast/definition-statements.ts";
import type { Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

export function parseAlter(tokens: TokenStream, location: Location): Statement {
  const object = tokens.expectOneOf(["MATERIALIZED", "SCHEMA", "TABLE", "VIEW"]);
  switch (object) {
    case "TABLE":
      return parseAlterTable(tokens, location);
    case "MATERIALIZED": {
      tokens.expect("VIEW");
      const ifExists = acceptIfExists(tokens);
      const name = tokens.expectQualifiedName();
      if (tokens.expectOneOf(ifExists ? ["RENAME"] : ["RENAME", "SET"]) === "SET") {
        return parseSet(tokens, location, "MATERIALIZED VIEW", name);
      }
      tokens.expect("TO");
      return { kind: "RenameMaterializedView", name, target: tokens.expectQualifiedName(), ifExists, location };
    }
    default: {
      const name = tokens.expectQualifiedName();
      if (tokens.expectOneOf(["RENAME", "SET"]) === "SET") {
        return parseAuthorization(tokens, location, object, name);
      }
      tokens.expect("TO");
      return object === "SCHEMA"
        ? { kind: "RenameSchema", name, target: tokens.expectIdentifier(), location }
        : { kind: "RenameView", name, target: tokens.expectQualifiedName(), location };
    }
  }
}

function parseAuthorization(tokens: TokenStream, location: Location, object: SetAuthorization["object"], name: QualifiedName): Statement {
  tokens.expect("AUTHORIZATION");
  return { kind: "SetAuthorization", object, name, principal: parsePrincipal(tokens), location };
}

/** Changes that may follow ALTER TABLE IF EXISTS: renaming the table and changing its columns. */
const columnChanges = ["ADD", "ALTER", "DROP", "RENAME"] as const;

function parseAlterTable(tokens: TokenStream, location: Location): Statement {
  const tableExists = acceptIfExists(tokens);
  const table = tokens.expectQualifiedName();
  const change = tokens.expectOneOf(tableExists ? columnChanges : [...columnChanges, "EXECUTE", "SET"]);
  switch (change) {
    case "ADD": {
      tokens.expect("COLUMN");
      const columnNotExists = acceptIfNotExists(tokens);
      return { kind: "AddColumn", table, column: parseColumnDefinition(tokens), tableExists, columnNotExists, location };
    }
    case "ALTER":
      tokens.expect("COLUMN");
      return parseAlterColumn(tokens, location, { table, tableExists });
    case "DROP": {
      tokens.expect("COLUMN");
      const columnExists = acceptIfExists(tokens);
      return { kind: "DropColumn", table, column: tokens.expectIdentifier(), tableExists, columnExists, location };
    }
    case "RENAME":
      return parseRename(tokens, location, table, tableExists);
    case "EXECUTE": {
      const procedure = tokens.expectIdentifier();
      const args = tokens.at("(") ? parseCallArguments(tokens) : [];
      const where = tokens.accept("WHERE") ? { where: parseExpression(tokens) } : {};
      return { kind: "TableExecute", table, procedure, arguments: args, ...where, location };
    }
    case "SET":
      return parseSet(tokens, location, "TABLE", table);
  }
}

function parseSet(tokens: TokenStream, location: Location, object: SetTableProperties["object"], name: QualifiedName): Statement {
  return tokens.accept("PROPERTIES")
    ? { kind: "SetTableProperties", object, table: name, properties: tokens.list(() => parseAlteredProperty(tokens)), location }
    : parseAuthorization(tokens, location, object, name);
}

function parseAlteredProperty(tokens: TokenStream): AlteredProperty {
  const name = tokens.expectIdentifier();
  tokens.expect("=");
  const { location } = name;
  // DEFAULT may also be a name that begins an expression, such as `default + 1`.
  const isDefault = tokens.looksAt("DEFAULT") && (tokens.looksAt(",", 1) || tokens.peek(1).kind === "eof");
  if (isDefault && tokens.accept("DEFAULT")) {
    return { kind: "AlteredProperty", name, location };
  }
  return { kind: "AlteredProperty", name, value: parseExpression(tokens), location };
}

function parseRename(tokens: TokenStream, location: Location, table: QualifiedName, tableExists: boolean): Statement {
  if (tokens.expectOneOf(["COLUMN", "TO"]) === "TO") {
    return { kind: "RenameTable", name: table, target: tokens.expectQualifiedName(), ifExists: tableExists, location };
  }
  const columnExists = acceptIfExists(tokens);
  const column = tokens.expectIdentifier();
  tokens.expect("TO");
  return { kind: "RenameColumn", table, column, target: tokens.expectIdentifier(), tableExists, columnExists, location };
}
