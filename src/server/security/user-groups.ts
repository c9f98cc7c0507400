/**
 * The groups of users that the configuration describes: Trino's file group provider, read again when the file has changed.
 */
import type { Log } from "../../ports/ports.ts";
import { shownValue } from "../../protocol/shown-value.ts";
import { parseUserGroups, type UserGroupsDocument } from "../../security/user-groups.ts";
import { ConfigurationError } from "../properties.ts";
import { type ConfiguredFile, configuredFile, type WatchedDocument, watchedDocument } from "../watched-document.ts";

export const userGroupProperties = [
  { name: "group-provider.name", default: "", description: "Where groups of users are: file, or by default nobody has any" },
  { name: "file.group-file", default: "", description: "File of groups: lines of group:user,user" },
] as const;

type UserGroupPropertyName = (typeof userGroupProperties)[number]["name"];

/** Undefined if no file is configured. Throws ConfigurationError. */
export function userGroupsFile(text: (name: UserGroupPropertyName | "file.refresh-period") => string): ConfiguredFile | undefined {
  const provider = text("group-provider.name");
  const path = text("file.group-file");
  if (provider !== "" && provider !== "file") {
    throw new ConfigurationError(`invalid value '${shownValue(provider)}' for property 'group-provider.name': expected file`);
  }
  if ((provider === "") !== (path === "")) {
    throw new ConfigurationError("group-provider.name=file and file.group-file need each other");
  }
  return configuredFile(path, "file.refresh-period", text("file.refresh-period"));
}

/** Throws ConfigurationError. */
export function createUserGroups(file: ConfiguredFile | undefined, log: Log): WatchedDocument<UserGroupsDocument> | undefined {
  return watchedDocument(file, {
    what: "groups of users",
    parse: parseUserGroups,
    onComplaint: (reason) => log.error("user-groups-not-read", { reason }),
  });
}
