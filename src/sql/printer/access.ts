/** Printing of statements about roles, grants and owners. */
import type { AccessStatement, Grantor, GrantRoles, Principal } from "../ast/access-statements.ts";
import type { Identifier } from "../ast/expression-nodes.ts";
import { printIdentifier, printName, printString } from "./names.ts";

type Printers = { readonly [K in AccessStatement["kind"]]: (node: Extract<AccessStatement, { readonly kind: K }>) => string };

export const accessPrinters: Printers = {
  ShowRoles: (node) => `SHOW ${node.current ? "CURRENT " : ""}ROLES${printCatalog(node.catalog)}`,
  ShowRoleGrants: (node) => `SHOW ROLE GRANTS${printCatalog(node.catalog)}`,
  ShowGrants: (node) => `SHOW GRANTS${node.table === undefined ? "" : ` ON TABLE ${printName(node.table)}`}`,
  SetSessionAuthorization: ({ user }) =>
    `SET SESSION AUTHORIZATION ${typeof user === "string" ? printString(user) : printIdentifier(user)}`,
  ResetSessionAuthorization: () => "RESET SESSION AUTHORIZATION",
  SetRole: (node) => `SET ROLE ${typeof node.role === "string" ? node.role : printIdentifier(node.role)}${printCatalog(node.catalog)}`,
  Grant: (node) => {
    const granted = node.privileges?.map((one) => (typeof one === "string" ? one : printIdentifier(one))).join(", ") ?? "ALL PRIVILEGES";
    const [option, word] = node.action === "REVOKE" ? [node.grantOption ? "GRANT OPTION FOR " : "", "FROM"] : ["", "TO"];
    const withOption = node.action === "GRANT" && node.grantOption ? " WITH GRANT OPTION" : "";
    return `${node.action} ${option}${granted} ON ${node.object} ${printName(node.name)} ${word} ${printPrincipal(node.principal)}${withOption}`;
  },
  GrantRoles: printGrantRoles,
  CreateRole: (node) => {
    const admin = node.grantor === undefined ? "" : ` WITH ADMIN ${printGrantor(node.grantor)}`;
    return `CREATE ROLE ${printIdentifier(node.name)}${admin}${printCatalog(node.catalog)}`;
  },
  DropRole: (node) => `DROP ROLE ${node.ifExists ? "IF EXISTS " : ""}${printIdentifier(node.name)}${printCatalog(node.catalog)}`,
  SetAuthorization: (node) => `ALTER ${node.object} ${printName(node.name)} SET AUTHORIZATION ${printPrincipal(node.principal)}`,
};

function printGrantRoles(node: GrantRoles): string {
  const [option, word] = node.action === "GRANT" ? ["", "TO"] : [node.adminOption ? "ADMIN OPTION FOR " : "", "FROM"];
  const withOption = node.action === "GRANT" && node.adminOption ? " WITH ADMIN OPTION" : "";
  const by = node.grantor === undefined ? "" : ` GRANTED BY ${printGrantor(node.grantor)}`;
  const roles = node.roles.map(printIdentifier).join(", ");
  const principals = node.principals.map(printPrincipal).join(", ");
  return `${node.action} ${option}${roles} ${word} ${principals}${withOption}${by}${printCatalog(node.catalog)}`;
}

export function printPrincipal({ type, name }: Principal): string {
  return `${type === undefined ? "" : `${type} `}${printIdentifier(name)}`;
}

function printGrantor(grantor: Grantor): string {
  return typeof grantor === "string" ? grantor : printPrincipal(grantor);
}

function printCatalog(catalog: Identifier | undefined): string {
  return catalog === undefined ? "" : ` IN ${printIdentifier(catalog)}`;
}
