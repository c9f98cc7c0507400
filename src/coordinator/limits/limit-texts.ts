/** Limits of a query by name, as they were written: messages and SHOW SESSION keep their unit, as Presto does. */
import type { SessionLimits } from "../../planner/session-properties.ts";

export type LimitName = keyof SessionLimits;

export type LimitTexts = Readonly<Partial<Record<LimitName, string>>>;
