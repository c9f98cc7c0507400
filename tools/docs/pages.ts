/** All generated pages of docs, by path below docs/. The same sources give the same pages. */
import { DocsCluster } from "./cluster.ts";
import { configurationPage } from "./configuration.ts";
import { decisionsPage } from "./decisions.ts";
import { functionPages } from "./functions.ts";
import { operatorsPage } from "./operators.ts";
import { statementsPage } from "./statements.ts";
import { typesPage } from "./types.ts";

/** `docs` is the folder of the pages. */
export async function generatedPages(docs: string): Promise<ReadonlyMap<string, string>> {
  const cluster = await DocsCluster.start();
  try {
    const functions = await functionPages(cluster);
    return new Map([
      ["configuration.md", configurationPage()],
      ["decisions/README.md", decisionsPage(docs)],
      ["types.md", await typesPage(cluster)],
      ["sql/statements.md", statementsPage()],
      ["sql/operators.md", await operatorsPage(cluster)],
      ...[...functions].map(([path, text]) => [`sql/${path}`, text] as const),
    ]);
  } finally {
    await cluster.close();
  }
}
