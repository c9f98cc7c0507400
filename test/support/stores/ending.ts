/** The rule of the connector kit on queries and sources that end while a server is silent, for a catalog whose servers a test has. */
import { expect } from "vitest";
import type { ConnectorFactory } from "../../../src/connectors/spi.ts";
import type { ConnectorCheckOptions } from "../../../src/testing/connector/index.ts";
import { endingRules } from "../../../src/testing/connector/rules/ending.ts";
import { Subject } from "../../../src/testing/connector/subject.ts";

export async function checkEnding(factory: ConnectorFactory, options: ConnectorCheckOptions): Promise<void> {
  const subject = new Subject(factory, options);
  try {
    for (const { check } of endingRules) {
      // Undefined: it concerns the connector, and holds.
      expect(await check(subject)).toBeUndefined();
    }
  } finally {
    await subject.close();
  }
}
