/**
 * `orrery/connector/testing`: the rules of the connector SPI as checks, for vitest, jest, node:test and any other runner.
 *
 *   const kit = connectorKit(greetings, { properties: { "greetings.count": "10" } });
 *   for (const { name, check } of kit.rules) {
 *     test(name, check);
 *   }
 *   after(kit.close);
 */
import "../dispose.ts";
import type { ConnectorFactory } from "../../connectors/spi.ts";
import { BrokenRule, type ConnectorCheckOptions } from "./options.ts";
import { commitRules } from "./rules/commits.ts";
import { endingRules } from "./rules/ending.ts";
import { failingRules } from "./rules/failing.ts";
import { metadataRules } from "./rules/metadata.ts";
import { pushingRules } from "./rules/pushing.ts";
import { queryRules } from "./rules/queries.ts";
import { readingRules } from "./rules/reading.ts";
import type { Rule } from "./rules/rule.ts";
import { writingRules } from "./rules/writing.ts";
import { Subject } from "./subject.ts";

export { BrokenRule, type ConnectorCheckOptions } from "./options.ts";

export interface ConnectorRule {
  /** `a constraint hides no row that meets it` */
  readonly name: string;
  /** Rejects with BrokenRule, whose message says what was found; with the connector's own error if it throws one. */
  readonly check: () => Promise<void>;
}

export interface ConnectorKit {
  /** Without those of `except`. They may run in any order, one at a time. */
  readonly rules: readonly ConnectorRule[];
  /** Ends the clusters that the rules have started. Without it the process does not end. */
  readonly close: () => Promise<void>;
}

export interface ConnectorReport {
  readonly held: readonly string[];
  /** Rules that do not concern the connector, with the reason: it cannot write, or has no secrets. */
  readonly unconcerned: readonly { readonly rule: string; readonly reason: string }[];
  readonly broken: readonly { readonly rule: string; readonly problem: string }[];
}

const allRules: readonly Rule[] = [
  ...metadataRules,
  ...readingRules,
  ...failingRules,
  ...endingRules,
  ...queryRules,
  ...pushingRules,
  ...writingRules,
  ...commitRules,
];

/** Throws a TypeError if `except` names no rule. */
export function connectorKit(factory: ConnectorFactory, options: ConnectorCheckOptions = {}): ConnectorKit {
  const subject = new Subject(factory, options);
  return {
    rules: rulesOf(options).map(({ check, name }) => ({ name, check: async () => void (await check(subject)) })),
    close: () => subject.close(),
  };
}

/**
 * Checks all rules, and tells which hold. Rejects with the cause if no cluster with the connector can be started; with a TypeError if
 * `except` names no rule.
 */
export async function checkConnector(factory: ConnectorFactory, options: ConnectorCheckOptions = {}): Promise<ConnectorReport> {
  const rules = rulesOf(options);
  const subject = new Subject(factory, options);
  const held: string[] = [];
  const unconcerned: { rule: string; reason: string }[] = [];
  const broken: { rule: string; problem: string }[] = [];
  try {
    await subject.coordinator();
    for (const { check, name } of rules) {
      try {
        const reason = await check(subject);
        if (reason === undefined) {
          held.push(name);
        } else {
          unconcerned.push({ rule: name, reason });
        }
      } catch (error) {
        broken.push({ rule: name, problem: error instanceof BrokenRule ? error.message : String(error) });
      }
    }
  } finally {
    await subject.close();
  }
  return { held, unconcerned, broken };
}

function rulesOf({ except = {} }: ConnectorCheckOptions): readonly Rule[] {
  const unknown = Object.keys(except).find((name) => !allRules.some((rule) => rule.name === name));
  if (unknown !== undefined) {
    throw new TypeError(`there is no rule '${unknown}'; the rules are: ${allRules.map(({ name }) => name).join("; ")}`);
  }
  return allRules.filter(({ name }) => !Object.hasOwn(except, name));
}
