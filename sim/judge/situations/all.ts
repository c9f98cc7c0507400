/** All situations, in the order in which a client meets them. */
import type { Situation } from "../situation.ts";
import { connectionSituations } from "./connections.ts";
import { documentSituations } from "./documents.ts";
import { endingSituations } from "./endings.ts";
import { failureSituations } from "./failures.ts";
import { rowSituations } from "./rows.ts";
import { sessionSituations } from "./session.ts";
import { statusSituations } from "./statuses.ts";
import { valueSituations } from "./values.ts";

export const situations: readonly Situation[] = [
  ...rowSituations,
  ...valueSituations,
  ...failureSituations,
  ...statusSituations,
  ...connectionSituations,
  ...sessionSituations,
  ...documentSituations,
  ...endingSituations,
];
