/**
 * What a node with the role of a coordinator is made of besides what every node has. Programs without that role are built without it
 * (tools/programs/build.mjs), so node.ts uses these only in such a node.
 */
export { ClusterCatalogs } from "./catalogs/catalog-store.ts";
export { createCoordinator } from "./coordinator.ts";
export { type KeptOnDisk, keptOnDisk } from "./kept-on-disk.ts";
export type { Lease } from "./lease/lease.ts";
export { answerAsOwner } from "./lease/owned-answers.ts";
export { createSqlPlanner } from "./query/sql-planner.ts";
export { Transactions } from "./query/transactions.ts";
export { catalogRoutes } from "./resources/catalog-resource.ts";
export { SegmentStore } from "./results/spooling/segment-store.ts";
