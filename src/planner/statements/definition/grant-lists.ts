/** GRANT and REVOKE on a list of grants, of which at most one is the same: for one grantee, of one privilege or role. */

interface AnyGrant {
  readonly isGrantable: boolean;
}

/** A grant that is there keeps its grantor; it may gain the option to pass it on. */
export function granted<G extends AnyGrant>(
  grants: readonly G[],
  added: readonly G[],
  isSame: (one: G, other: G) => boolean,
): readonly G[] {
  return added.reduce<readonly G[]>((all, grant) => {
    const former = all.find((one) => isSame(one, grant));
    const isGrantable = grant.isGrantable || former?.isGrantable === true;
    return [...all.filter((one) => one !== former), { ...(former ?? grant), isGrantable }];
  }, grants);
}

/** `onlyOption`: GRANT OPTION FOR and ADMIN OPTION FOR, with which the grants stay, and cannot be passed on. */
export function revoked<G extends AnyGrant>(
  grants: readonly G[],
  named: readonly G[],
  { isSame, onlyOption }: { readonly isSame: (one: G, other: G) => boolean; readonly onlyOption: boolean },
): readonly G[] {
  return grants.flatMap((grant) => {
    const isNamed = named.some((one) => isSame(one, grant));
    return !isNamed ? [grant] : onlyOption ? [{ ...grant, isGrantable: false }] : [];
  });
}
