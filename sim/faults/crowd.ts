/**
 * Many clients arrive at once, each with one statement.
 */
import { type FaultDefinition, nothingToHeal } from "./fault.ts";

interface Crowd {
  readonly users: number;
  readonly sql: string;
}

const statements = [
  "SELECT count(*) FROM nation",
  "SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
  "SELECT orderstatus, count(*) FROM orders GROUP BY orderstatus",
] as const;

export const crowd: FaultDefinition<Crowd> = {
  oneIn: 8,
  countMax: 1,
  draw: (stream) => ({ users: stream.between(3, 8), sql: stream.pick(statements) }),
  describe: ({ users, sql }) => `${users} x ${sql}`,
  places: () => ["c"],
  strike: ({ users, sql }, { target }) => {
    target.addCrowd(users, sql);
    return nothingToHeal;
  },
};
