/**
 * Groups of users, as a node's configuration has them. Rules of access and selectors of resource groups name them. Plain data, so that a
 * recording of the node holds them. Source of the form: Trino's file group provider.
 */

export type UserGroupsDocument = readonly {
  readonly group: string;
  readonly users: readonly string[];
}[];

/** Groups of a user, each once, in the order of the document. */
export type GroupsOf = (user: string) => readonly string[];

export const noGroups: GroupsOf = () => [];

export function groupsByUser(document: UserGroupsDocument): GroupsOf {
  const groups = new Map<string, Set<string>>();
  for (const { group, users } of document) {
    for (const user of users) {
      const own = groups.get(user) ?? new Set<string>();
      groups.set(user, own.add(group));
    }
  }
  return (user) => [...(groups.get(user) ?? [])];
}

/**
 * Lines of `group:user,user`; empty ones count for nothing. Throws an error that names the line.
 */
export function parseUserGroups(text: string): UserGroupsDocument {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") {
      return [];
    }
    const colon = line.indexOf(":");
    const group = line.slice(0, Math.max(colon, 0)).trim();
    if (group === "") {
      throw new Error(`Error in group file line ${String(index + 1)}: Expected two parts for group and users`);
    }
    const users = line.slice(colon + 1).split(",");
    return [{ group, users: users.map((user) => user.trim()).filter((user) => user !== "") }];
  });
}
