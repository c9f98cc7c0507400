/**
 * Rows about roles and grants, as the tables of information_schema and SHOW have them.
 */
import type { CatalogRights } from "./catalog-rights.ts";
import { grantedPrivileges, type NameInCatalog, type Principal, publicRole, type TableGrant } from "./catalog-security.ts";

/** By column of information_schema. */
type TextRow = Readonly<Record<string, string | null>>;

/** Of a table or view: all grants for its owner, those that concern the reader for others. The owner has every privilege. */
export function tablePrivilegeRows(rights: CatalogRights, catalog: string, name: NameInCatalog): readonly TextRow[] {
  const { security } = rights;
  const owner = security.owner(name);
  const owned =
    owner === undefined ? [] : grantedPrivileges.map((privilege) => ({ grantor: owner, grantee: owner, privilege, isGrantable: true }));
  const all: readonly TableGrant[] = [...owned, ...security.tableGrants(name)];
  return (rights.isOwner(name) ? all : all.filter(({ grantee }) => rights.concerns(grantee))).map((grant) => ({
    ...partyCells("grantor", grant.grantor),
    ...partyCells("grantee", grant.grantee),
    table_catalog: catalog,
    table_schema: name.schema,
    table_name: name.table,
    privilege_type: grant.privilege,
    is_grantable: yesOrNo(grant.isGrantable),
    with_hierarchy: null,
  }));
}

export function applicableRoleRows(rights: CatalogRights, user: string): readonly TextRow[] {
  const everybody = { ...partyCells("grantee", { type: "USER", name: user }), role_name: publicRole, is_grantable: "NO" };
  return [
    everybody,
    ...rights.applicableRoles().map(({ grantee, isGrantable, role }) => ({
      ...partyCells("grantee", grantee),
      role_name: role,
      is_grantable: yesOrNo(isGrantable),
    })),
  ];
}

/** Role authorization descriptors: all grants of roles, for administrators. */
export function roleGrantRows({ isAdmin, security }: CatalogRights): readonly TextRow[] {
  return (isAdmin ? security.roleGrants() : []).map(({ grantee, grantor, isGrantable, role }) => ({
    role_name: role,
    ...partyCells("grantor", grantor),
    ...partyCells("grantee", grantee),
    is_grantable: yesOrNo(isGrantable),
  }));
}

function partyCells(what: "grantor" | "grantee", { name, type }: Principal): TextRow {
  return { [what]: name, [`${what}_type`]: type };
}

function yesOrNo(value: boolean): string {
  return value ? "YES" : "NO";
}
