/**
 * Members of records by names from outside (statements, headers, documents, files): `constructor` and `__proto__` are names like others.
 */

/** The record's own member; never one of `Object.prototype`. */
export function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
