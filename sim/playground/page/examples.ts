/** Statements to begin with. */

export const examples: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: "A join with an aggregation",
    sql: "SELECT n.name, count(*) AS orders, sum(o.totalprice) AS total\nFROM orders o\nJOIN customer c ON o.custkey = c.custkey\nJOIN nation n ON c.nationkey = n.nationkey\nGROUP BY n.name\nORDER BY total DESC\nLIMIT 10",
  },
  { name: "A small count", sql: "SELECT regionkey, count(*) FROM nation GROUP BY regionkey ORDER BY regionkey" },
  {
    name: "A table of your own",
    sql: "CREATE TABLE memory.default.visits (page varchar, at timestamp);\nINSERT INTO memory.default.visits VALUES ('home', TIMESTAMP '2026-01-01 10:00:00'), ('docs', TIMESTAMP '2026-01-01 10:05:00');\nSELECT * FROM memory.default.visits ORDER BY at",
  },
  {
    name: "A long one, to kill a worker under it",
    sql: "SELECT l.suppkey, count(*), sum(l.extendedprice * (1 - l.discount)) AS revenue\nFROM lineitem l JOIN orders o ON l.orderkey = o.orderkey\nGROUP BY l.suppkey\nORDER BY revenue DESC\nLIMIT 20",
  },
  { name: "A distributed plan", sql: "EXPLAIN (TYPE DISTRIBUTED)\nSELECT orderstatus, count(*) FROM orders GROUP BY orderstatus" },
  { name: "The nodes of the cluster", sql: "SELECT * FROM system.runtime.nodes ORDER BY node_id" },
  { name: "A mistake", sql: "SELECT regionkey, nme FROM nation" },
];
