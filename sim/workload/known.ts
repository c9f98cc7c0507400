/**
 * Statements whose results come from another engine (known-answers.ts). If a plan or kernel is wrong on a single worker too, the reference
 * run is as wrong as the run itself, and only these statements detect it. Each contains conditions that reveal such bugs: null keys,
 * several matches and none, empty sides, groups by dictionaries, ties, sums around zero, LIMIT 0. They need no reference run, so they cost
 * less than other statements.
 */
import type { Outcome } from "../checkers/results/results.ts";
import type { Stream } from "../world/streams.ts";
import { parseJson } from "../../src/protocol/json.ts";
import { knownAnswers } from "./known-answers.ts";
import { knownSmallAnswers } from "./known-small-answers.ts";
import { smallSchema, workloadSchema } from "./tables.ts";

/** Customers with their orders, including customers without any. */
const custOrders = "customer c LEFT JOIN orders o ON c.custkey = o.custkey";
const nullKeys = "(SELECT nullif(custkey % 7, 3) AS k, totalprice FROM orders)";

const joins: readonly string[] = [
  "SELECT count(*), count(o.orderkey), sum(l.quantity) FROM lineitem l FULL JOIN orders o ON l.orderkey = o.orderkey + 1",
  "SELECT o.orderpriority, count(*), count(l.orderkey) FROM orders o LEFT JOIN lineitem l ON o.orderkey = l.orderkey AND l.quantity > 45 GROUP BY o.orderpriority",
  "SELECT count(*), count(c.custkey), min(o.orderkey) FROM orders o FULL JOIN customer c ON o.custkey = c.custkey AND c.nationkey < 9",
  `SELECT count(*), count(o.orderkey), sum(o.totalprice) FROM ${custOrders} AND o.orderstatus = 'P'`,
  `SELECT c.mktsegment, count(*), count(o.orderkey), max(o.orderdate) FROM ${custOrders} AND o.totalprice > 200000 GROUP BY c.mktsegment`,
  `SELECT c.mktsegment, count(*), count(o.orderkey) FROM ${custOrders} AND c.acctbal > 3000 GROUP BY c.mktsegment`,
  "SELECT c.mktsegment, count(*), count(o.orderkey), min(c.custkey) FROM orders o RIGHT JOIN customer c ON o.custkey = c.custkey AND o.orderstatus = 'F' GROUP BY c.mktsegment",
  "SELECT count(*), count(c.custkey), count(o.orderkey), sum(o.totalprice) FROM customer c FULL JOIN orders o ON c.custkey = o.custkey + 100",
  "SELECT count(*), count(c.custkey), count(o.orderkey), sum(c.acctbal) FROM orders o FULL JOIN customer c ON c.custkey + 37 = o.custkey",
  "SELECT count(*), count(a.orderkey), count(b.orderkey), sum(a.custkey) FROM (SELECT * FROM orders WHERE custkey < 200) a FULL JOIN (SELECT * FROM orders WHERE custkey > 100) b ON a.orderkey = b.orderkey",
  "SELECT s.nationkey, count(*), count(c.custkey), count(s.suppkey) FROM supplier s FULL JOIN customer c ON s.nationkey = c.nationkey AND c.acctbal > 0 GROUP BY s.nationkey",
  "SELECT count(*), count(l.orderkey), count(p.partkey), sum(l.quantity) FROM part p FULL JOIN (SELECT * FROM lineitem WHERE quantity < 3) l ON p.partkey = l.partkey",
  `SELECT r.name, count(*), count(a.k) FROM ${nullKeys} a FULL JOIN (SELECT nullif(regionkey, 2) AS k, name FROM region) r ON a.k = r.k GROUP BY r.name`,
  "SELECT count(*), count(n.nationkey) FROM orders o LEFT JOIN nation n ON nullif(o.custkey % 30, 7) = n.nationkey AND o.clerk = n.name",
  "SELECT count(*), count(n.name) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey LEFT JOIN nation n ON o.orderkey = n.nationkey",
  "SELECT l.linenumber, count(*), sum(ps.supplycost) FROM partsupp ps JOIN lineitem l ON l.suppkey = ps.suppkey AND l.partkey = ps.partkey GROUP BY l.linenumber",
  "SELECT count(*), sum(a.n), sum(b.n) FROM (SELECT custkey, orderstatus, count(*) AS n FROM orders GROUP BY custkey, orderstatus) a JOIN (SELECT custkey, orderpriority, count(*) AS n FROM orders GROUP BY custkey, orderpriority) b ON a.custkey = b.custkey",
  "SELECT custkey, count(*) FROM (SELECT o.custkey, o.orderstatus, count(*) AS n FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE c.nationkey = 3 GROUP BY o.custkey, o.orderstatus) x GROUP BY custkey",
];

/** Outer joins with conditions on the null-supplying side, which may hold for an unmatched row. */
const kept: readonly string[] = [
  "SELECT count(*), sum(c.custkey) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey WHERE o.totalprice > 250000 OR c.acctbal < 0",
  "SELECT c.mktsegment, count(*) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus = 'P' WHERE o.orderpriority = '1-URGENT' OR c.nationkey > 12 GROUP BY c.mktsegment",
  "SELECT count(*), count(o.orderkey) FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey WHERE o.orderkey IS NULL OR o.orderstatus = 'P'",
];

/** Joins by several keys. */
const pairs: readonly string[] = [
  "SELECT l.suppkey, count(*), sum(ps.availqty) FROM lineitem l JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey GROUP BY l.suppkey",
  "SELECT count(*), count(ps.partkey), sum(l.quantity) FROM lineitem l LEFT JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey AND l.linenumber = 1",
  "SELECT o.orderstatus, l.linenumber, count(*) FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey AND year(o.orderdate) = year(l.shipdate) GROUP BY o.orderstatus, l.linenumber",
  "SELECT a.orderstatus, count(*), sum(a.totalprice) FROM orders a JOIN orders b ON a.orderkey = b.orderkey AND a.custkey = b.custkey AND a.clerk = b.clerk GROUP BY a.orderstatus",
  "SELECT count(*), sum(l.quantity), sum(ps.availqty) FROM lineitem l JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey",
  "SELECT o.orderstatus, count(*), count(c.custkey), sum(c.acctbal) FROM orders o LEFT JOIN customer c ON o.custkey = c.custkey AND o.custkey % 7 = c.custkey % 7 GROUP BY o.orderstatus",
  "SELECT count(*), sum(o.totalprice) FROM customer c JOIN orders o ON c.custkey % 11 = o.custkey % 11 AND c.custkey = o.custkey AND c.nationkey < 20",
  "SELECT l.linenumber, count(*), sum(l.quantity) FROM lineitem l JOIN (SELECT * FROM partsupp WHERE partkey < 9) ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey GROUP BY l.linenumber",
  "SELECT count(*), sum(l.extendedprice), min(o.custkey) FROM lineitem l JOIN (SELECT * FROM orders WHERE orderkey BETWEEN 3000 AND 3100) o ON l.orderkey = o.orderkey",
  "SELECT o.orderstatus, count(*), sum(o.totalprice) FROM orders o JOIN (SELECT * FROM customer WHERE custkey < 40) c ON o.custkey = c.custkey GROUP BY o.orderstatus",
  "SELECT count(*), sum(x.n), max(p.size) FROM (SELECT partkey, count(*) AS n FROM lineitem GROUP BY partkey) x JOIN (SELECT * FROM part WHERE partkey < 25) p ON x.partkey = p.partkey",
];

/** Sides without rows, or with so few that some tasks have none. */
const empties: readonly string[] = [
  `SELECT count(*), sum(a.totalprice) FROM ${nullKeys} a JOIN region r ON a.k = r.regionkey`,
  `SELECT count(*), count(r.name), sum(a.totalprice) FROM ${nullKeys} a LEFT JOIN region r ON a.k = r.regionkey`,
  "SELECT count(*), count(o.orderkey) FROM customer c LEFT JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON c.custkey = o.custkey",
  "SELECT count(*), count(o.orderkey), count(c.custkey) FROM customer c FULL JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON c.custkey = o.custkey",
  "SELECT count(*), count(c.custkey) FROM (SELECT * FROM customer WHERE acctbal > 99999) c RIGHT JOIN orders o ON c.custkey = o.custkey",
  "SELECT o.orderstatus, count(*), count(n.name) FROM orders o LEFT JOIN (SELECT * FROM nation WHERE regionkey > 8) n ON o.custkey = n.nationkey GROUP BY o.orderstatus",
  "SELECT count(*), count(r.name), sum(c.acctbal) FROM customer c LEFT JOIN (SELECT * FROM region WHERE regionkey = 2) r ON c.nationkey = r.regionkey",
  "SELECT count(*), count(s.name), count(l.orderkey) FROM lineitem l FULL JOIN (SELECT * FROM supplier WHERE suppkey < 3) s ON l.suppkey = s.suppkey",
  "SELECT c.mktsegment, count(*), count(o.orderkey) FROM (SELECT * FROM orders WHERE orderkey < 3) o RIGHT JOIN customer c ON c.custkey = o.custkey GROUP BY c.mktsegment",
  "SELECT count(*), sum(l.quantity) FROM lineitem l JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON l.orderkey = o.orderkey",
  "SELECT count(*), min(l.shipdate) FROM lineitem l JOIN (SELECT nullif(partkey, 7) AS k FROM part WHERE partkey < 9) p ON l.partkey = p.k",
  "SELECT count(*), sum(o.totalprice), min(c.name) FROM orders o JOIN (SELECT * FROM customer WHERE custkey = 7) c ON o.custkey = c.custkey",
];

/** Rows that are partitioned by some keys and required by others; unmatched rows of a side that several tasks read. */
const spreads: readonly string[] = [
  "SELECT orderstatus, count(*), sum(n) FROM (SELECT orderstatus, custkey, count(*) AS n FROM orders GROUP BY orderstatus, custkey) x GROUP BY orderstatus",
  "SELECT ps.suppkey, count(*), count(l.orderkey) FROM lineitem l RIGHT JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey GROUP BY ps.suppkey",
  "SELECT count(*), sum(n) FROM (SELECT o.custkey, count(a.clerk) AS n FROM orders a RIGHT JOIN orders o ON a.orderkey = o.orderkey AND a.custkey = o.custkey GROUP BY o.custkey) x",
  "SELECT orderstatus, count(*) FROM (SELECT DISTINCT orderstatus, custkey FROM orders) x GROUP BY orderstatus",
  "SELECT count(*), count(n.name), count(o.orderkey) FROM orders o FULL JOIN nation n ON o.custkey = n.nationkey + 10",
  "SELECT count(*), count(s.name), sum(l.quantity) FROM lineitem l FULL JOIN supplier s ON l.suppkey = s.suppkey + 9",
  "SELECT count(*), count(r.name), count(o.clerk) FROM orders o FULL JOIN region r ON o.orderkey = r.regionkey",
  "SELECT count(*), count(n.name) FROM orders o RIGHT JOIN nation n ON o.custkey = n.nationkey * 30",
  "SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT DISTINCT clerk AS k FROM orders WHERE orderkey < 60) x ON o.clerk = x.k",
  "SELECT c.mktsegment, count(*), sum(l.quantity) FROM lineitem l JOIN (SELECT * FROM orders WHERE orderkey < 200) o ON l.orderkey = o.orderkey JOIN customer c ON o.custkey = c.custkey GROUP BY c.mktsegment",
  "SELECT count(*) FROM (SELECT l.orderkey FROM lineitem l JOIN (SELECT * FROM orders WHERE orderkey < 400) o ON l.orderkey = o.orderkey LIMIT 30) x",
];

/**
 * Skewed keys, whose rows all go to one consumer. An exchange that read its producers in turn would wait for one of them while the others
 * are full.
 */
const skewed: readonly string[] = [
  "SELECT n.nationkey, count(*), sum(l.extendedprice) FROM lineitem l FULL JOIN nation n ON l.orderkey - l.orderkey % 1500 = n.nationkey * 1500 GROUP BY n.nationkey",
  "SELECT count(*), count(n.name), sum(o.totalprice) FROM orders o FULL JOIN nation n ON o.orderkey - o.orderkey % 2000 = n.nationkey * 2000",
  "SELECT n.name, count(*), max(l.shipdate), sum(l.quantity) FROM nation n RIGHT JOIN lineitem l ON l.orderkey - l.orderkey % 3000 = n.nationkey * 3000 GROUP BY n.name",
];

/** IN with unknown results: NULLs among the values, among the rows, or on both sides. */
const unknowns: readonly string[] = [
  "SELECT count(*) FROM orders WHERE custkey NOT IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)",
  "SELECT count(*) FROM orders WHERE orderkey NOT IN (SELECT nullif(orderkey, 7) FROM lineitem WHERE quantity > 10)",
  "SELECT count(*) FROM orders WHERE (custkey IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)) IS NULL",
  "SELECT count(*), sum(totalprice) FROM orders WHERE custkey IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)",
  "SELECT count(*) FROM orders WHERE nullif(custkey % 5, 2) NOT IN (SELECT regionkey FROM region WHERE regionkey > 2)",
  "SELECT orderstatus, count(*) FROM orders WHERE nullif(custkey, 77) NOT IN (SELECT nullif(suppkey * 9, 63) FROM lineitem WHERE quantity > 40) GROUP BY orderstatus",
  "SELECT count(*), sum(acctbal) FROM customer WHERE NOT coalesce(nullif(custkey, 8) IN (SELECT nullif(custkey, 9) FROM orders WHERE totalprice > 150000), custkey % 2 = 0)",
  "SELECT linenumber, count(*) FROM lineitem WHERE partkey NOT IN (SELECT nullif(partkey, 4) FROM part WHERE size > 10) OR quantity < 3 GROUP BY linenumber",
  "SELECT count(*) FROM orders WHERE nullif(custkey % 5, 2) NOT IN (SELECT regionkey FROM region WHERE regionkey > 9)",
];

const sets: readonly string[] = [
  "SELECT count(*) FROM orders WHERE custkey NOT IN (SELECT custkey FROM customer WHERE custkey < 0)",
  "SELECT count(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.custkey = c.custkey AND o.totalprice > 300000)",
  "SELECT count(*) FROM orders WHERE orderstatus = 'P' OR custkey IN (SELECT custkey FROM customer WHERE nationkey = 4)",
  "SELECT count(*), sum(k) FROM (SELECT custkey AS k FROM orders EXCEPT SELECT custkey FROM customer WHERE acctbal > 0) x",
  "SELECT count(*), sum(k) FROM (SELECT suppkey AS k, linenumber AS n FROM lineitem INTERSECT SELECT nationkey, CAST(nationkey % 7 AS integer) FROM customer) x",
];

/** Several grouping keys with few distinct values, which pages encode as dictionaries. */
const dictionaries: readonly string[] = [
  "SELECT returnflag, linestatus, shipmode, count(*) FROM lineitem GROUP BY returnflag, linestatus, shipmode",
  "SELECT orderpriority, orderstatus, count(*), sum(totalprice) FROM orders GROUP BY orderpriority, orderstatus",
  "SELECT brand, container, count(*) FROM part WHERE size < 9 GROUP BY brand, container",
  "SELECT nullif(orderstatus, 'F'), orderpriority, count(*), min(custkey) FROM orders GROUP BY 1, 2",
  `SELECT o.orderstatus, c.mktsegment, count(*), count(o.orderkey) FROM ${custOrders} AND o.totalprice < 40000 GROUP BY 1, 2`,
  "SELECT shipmode, orderpriority, count(*), min(l.orderkey) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey WHERE l.linenumber < 3 GROUP BY 1, 2",
  "SELECT linestatus, returnflag, sum(quantity), count(DISTINCT shipmode) FROM lineitem WHERE suppkey < 15 GROUP BY linestatus, returnflag",
  "SELECT count(*), max(n) FROM (SELECT orderstatus, orderpriority, shipmode, count(*) AS n FROM orders o JOIN lineitem l ON l.orderkey = o.orderkey GROUP BY 1, 2, 3) x",
  "SELECT DISTINCT shipmode, returnflag FROM lineitem",
  "SELECT count(*), count(DISTINCT a) FROM (SELECT DISTINCT orderstatus AS a, orderpriority AS b, nullif(orderstatus, 'O') AS c FROM orders) x",
];

const distincts: readonly string[] = [
  `SELECT count(DISTINCT c.phone), count(o.orderstatus), count(o.orderpriority) FROM ${custOrders} AND o.totalprice < 90000`,
  `SELECT count(DISTINCT o.clerk), count(o.orderstatus), count(*) FROM ${custOrders} AND o.orderstatus <> 'O'`,
  "SELECT count(DISTINCT custkey), count(DISTINCT clerk), count(DISTINCT orderstatus) FROM orders",
  "SELECT count(DISTINCT custkey), sum(totalprice) FROM orders",
  "SELECT count(DISTINCT suppkey), count(DISTINCT partkey) FROM lineitem",
  "SELECT orderpriority, count(DISTINCT custkey) FROM orders GROUP BY orderpriority",
  "SELECT linenumber, count(DISTINCT shipmode), count(DISTINCT suppkey) FROM lineitem GROUP BY linenumber",
  "SELECT count(DISTINCT o.orderstatus), count(DISTINCT c.nationkey) FROM orders o LEFT JOIN customer c ON o.custkey = c.custkey AND c.acctbal > 0",
  "SELECT count(DISTINCT l.shipmode), count(DISTINCT o.custkey), count(o.clerk) FROM lineitem l LEFT JOIN orders o ON l.orderkey = o.orderkey AND o.orderstatus = 'P'",
  "SELECT shipmode, count(DISTINCT suppkey), count(DISTINCT partkey) FROM lineitem GROUP BY shipmode",
];

const groups: readonly string[] = [
  "SELECT linenumber, sum(extendedprice * (discount - 0.05)), sum(tax - 0.04) FROM lineitem GROUP BY linenumber",
  "SELECT nationkey, sum(acctbal), sum(acctbal * (acctbal - 4000)), min(acctbal) FROM customer GROUP BY nationkey",
  "SELECT count(*), sum(n), max(n) FROM (SELECT orderkey, linenumber, count(*) AS n FROM lineitem GROUP BY orderkey, linenumber) x",
  "SELECT count(*), sum(n), max(q) FROM (SELECT orderkey, count(*) AS n, sum(quantity) AS q FROM lineitem GROUP BY orderkey) x",
  "SELECT count(*), sum(n) FROM (SELECT clerk, custkey % 50 AS k, count(*) AS n FROM orders GROUP BY clerk, custkey % 50) x",
  "SELECT n, count(*) FROM (SELECT custkey, count(*) AS n FROM orders GROUP BY custkey) x GROUP BY n",
  "SELECT count(*) FROM (SELECT DISTINCT custkey, orderstatus FROM orders) x",
  "SELECT count(*), sum(x), count(y) FROM (SELECT nationkey AS x, nullif(nationkey, 4) AS y FROM customer UNION ALL SELECT suppkey, nationkey FROM supplier) z",
];

/** Averages of groups that differ in size, of both signs, of few rows and of none; the quotients have remainders. */
const averages: readonly string[] = [
  "SELECT orderstatus, avg(totalprice), avg(-totalprice), avg(totalprice * 3) FROM orders GROUP BY orderstatus",
  "SELECT suppkey, avg(extendedprice), avg(quantity), avg(discount) FROM lineitem GROUP BY suppkey",
  "SELECT nationkey, avg(acctbal), count(*) FROM customer GROUP BY nationkey",
  "SELECT avg(acctbal), sum(acctbal), sum(-acctbal), sum(CAST(acctbal AS decimal(38, 2))) FROM customer",
  "SELECT avg(totalprice), count(*) FROM orders WHERE orderkey < 2500 OR orderkey > 16500",
  "SELECT custkey % 11, avg(totalprice), avg(totalprice) FILTER (WHERE orderstatus = 'P') FROM orders WHERE custkey % 3 = 1 GROUP BY 1",
  "SELECT linenumber, avg(extendedprice * (discount - 0.05)), avg(DISTINCT quantity) FROM lineitem GROUP BY linenumber",
  "SELECT c.mktsegment, avg(o.totalprice), avg(c.acctbal) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus = 'F' GROUP BY c.mktsegment",
  "SELECT returnflag, linestatus, avg(tax - 0.04), avg(quantity) FROM lineitem WHERE partkey < 40 GROUP BY CUBE (returnflag, linestatus)",
  "SELECT avg(totalprice), sum(totalprice), count(totalprice) FROM orders WHERE orderkey < 0",
];

/** Different conditions over the same columns, and the same conditions with different constants. */
const filters: readonly string[] = [
  ...["100", "200", "300", "400"].map((key) => `SELECT count(*), sum(totalprice) FROM orders WHERE custkey > ${key}`),
  ...["F", "O", "P"].map((status) => `SELECT count(*), sum(custkey) FROM orders WHERE orderstatus = '${status}'`),
  ...["07", "14", "23"].map((quantity) => `SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity < ${quantity}`),
  ...["custkey < 100", "custkey <> 100", "custkey % 100 = 1", "custkey BETWEEN 100 AND 140"].map(
    (condition) => `SELECT count(*), sum(totalprice) FROM orders WHERE ${condition}`,
  ),
  ...["quantity > 23", "quantity = 14", "quantity IN (7, 14, 23)"].map(
    (condition) => `SELECT count(*), sum(extendedprice) FROM lineitem WHERE ${condition}`,
  ),
  "SELECT count(*), count_if(custkey > 60), count_if(custkey < 60), sum(CASE WHEN custkey > 10 THEN 1 ELSE 0 END) FROM orders WHERE custkey > 20",
  "SELECT count(*) FROM lineitem WHERE NOT (quantity < 10 OR shipmode = 'AIR') AND discount BETWEEN 0.02 AND 0.04",
  "SELECT count(*) FROM orders WHERE nullif(custkey % 3, 1) = 2 OR nullif(orderstatus, 'F') IS NULL",
  "SELECT count(*), sum(CASE WHEN totalprice > 100000 THEN 1 END) FROM orders WHERE clerk LIKE '%7' AND orderpriority <> '5-LOW'",
];

const limits: readonly string[] = [
  "SELECT count(*) FROM (SELECT orderkey FROM lineitem LIMIT 100) x",
  "SELECT count(*) FROM (SELECT orderkey FROM orders LIMIT 37) x",
  "SELECT count(*) FROM (SELECT l.orderkey FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey LIMIT 250) x",
  "SELECT count(*) FROM (SELECT orderkey FROM orders WHERE orderstatus = 'F' LIMIT 1000) x",
  "SELECT count(*) FROM (SELECT orderkey FROM orders UNION ALL SELECT orderkey FROM lineitem LIMIT 60) x",
  "SELECT count(*) FROM (SELECT DISTINCT custkey FROM orders LIMIT 50) x",
  "SELECT 1 AS one FROM lineitem LIMIT 70",
  "SELECT count(*) FROM (SELECT partkey FROM partsupp WHERE availqty > 100 LIMIT 500) x",
  "SELECT count(*) FROM (SELECT custkey, count(*) AS n FROM orders GROUP BY custkey LIMIT 40) x",
  "SELECT orderkey, clerk FROM orders ORDER BY orderkey OFFSET 5000",
  "SELECT orderkey, linenumber FROM lineitem ORDER BY orderkey, linenumber OFFSET 17000 LIMIT 10",
];

/** LIMIT 0. */
const nothing: readonly string[] = [
  "SELECT orderkey FROM orders ORDER BY orderkey LIMIT 0",
  "SELECT count(*) FROM (SELECT orderkey, totalprice FROM orders ORDER BY totalprice DESC, orderkey LIMIT 0) x",
  "SELECT count(*) FROM (SELECT custkey, sum(totalprice) AS s FROM orders GROUP BY custkey ORDER BY s DESC, custkey LIMIT 0) x",
  "SELECT n.name FROM nation n JOIN region r ON n.regionkey = r.regionkey ORDER BY n.name DESC LIMIT 0",
];

/** Top-N queries whose best rows come late and tie in the first column with earlier rows. */
const ties: readonly string[] = [
  "SELECT orderstatus, orderkey FROM orders ORDER BY orderstatus, orderkey DESC LIMIT 12",
  "SELECT returnflag, orderkey, linenumber FROM lineitem ORDER BY returnflag, orderkey DESC, linenumber LIMIT 20",
  "SELECT linenumber, shipmode, orderkey FROM lineitem ORDER BY linenumber DESC, shipmode DESC, orderkey DESC LIMIT 15",
  "SELECT orderpriority, orderdate, orderkey FROM orders ORDER BY orderpriority DESC, orderdate DESC, orderkey LIMIT 9",
  "SELECT nullif(orderstatus, 'P'), orderkey FROM orders ORDER BY 1 DESC NULLS FIRST, 2 DESC LIMIT 30",
];

const sorts: readonly string[] = [
  "SELECT orderpriority, orderkey FROM orders ORDER BY orderpriority, orderkey LIMIT 25",
  "SELECT orderpriority, orderkey FROM orders ORDER BY orderpriority DESC, orderkey DESC LIMIT 25",
  "SELECT shipmode, linenumber, orderkey FROM lineitem ORDER BY shipmode, linenumber DESC, orderkey LIMIT 30",
  "SELECT quantity, orderkey, linenumber FROM lineitem ORDER BY quantity DESC, orderkey, linenumber LIMIT 40",
  "SELECT orderkey, totalprice FROM orders WHERE totalprice > 330000 ORDER BY totalprice DESC, orderkey",
  "SELECT orderkey FROM orders WHERE custkey < 60 ORDER BY orderkey DESC",
  "SELECT linenumber, orderkey FROM lineitem WHERE partkey < 30 ORDER BY linenumber DESC, orderkey",
  "SELECT orderdate, orderkey FROM orders WHERE custkey % 41 = 1 ORDER BY orderdate DESC, orderkey",
  "SELECT orderkey, linenumber FROM lineitem WHERE suppkey = 7 AND quantity > 40 ORDER BY orderkey DESC, linenumber DESC",
  "SELECT custkey, orderkey FROM orders WHERE clerk LIKE '%1' AND orderstatus = 'P' ORDER BY custkey, orderkey",
  "SELECT nullif(custkey % 4, 2), orderkey FROM orders WHERE totalprice > 300000 ORDER BY 1 DESC NULLS LAST, 2",
  "SELECT acctbal, custkey FROM customer WHERE nationkey < 6 ORDER BY acctbal, custkey",
];

/** Windows over tables with several splits. An aggregation keeps each result small. */
const windows: readonly string[] = [
  "SELECT r, count(*), sum(custkey) FROM (SELECT custkey, rank() OVER (PARTITION BY nationkey ORDER BY acctbal DESC) AS r FROM customer) x WHERE r < 6 GROUP BY r",
  "SELECT count(*), sum(s), max(s) FROM (SELECT sum(totalprice) OVER (PARTITION BY custkey ORDER BY orderdate) AS s FROM orders) x",
  "SELECT orderstatus, count(*), sum(p), count(p) FROM (SELECT orderstatus, lag(orderkey) OVER (PARTITION BY custkey ORDER BY orderkey) AS p FROM orders) x GROUP BY orderstatus",
  "SELECT d, count(*) FROM (SELECT dense_rank() OVER (PARTITION BY orderkey ORDER BY quantity) AS d FROM lineitem) x GROUP BY d",
  "SELECT n, count(*), min(orderkey) FROM (SELECT orderkey, row_number() OVER (PARTITION BY custkey ORDER BY totalprice DESC, orderkey) AS n FROM orders) x WHERE n < 5 GROUP BY n",
  "SELECT count(*), sum(c), max(c) FROM (SELECT count(*) OVER (PARTITION BY suppkey ORDER BY partkey RANGE BETWEEN 20 PRECEDING AND 5 FOLLOWING) AS c FROM lineitem) x",
  "SELECT shipmode, max(t) FROM (SELECT shipmode, sum(quantity) OVER (PARTITION BY shipmode) AS t FROM lineitem) x GROUP BY shipmode",
  "SELECT count(*), sum(a), sum(b) FROM (SELECT first_value(totalprice) OVER (PARTITION BY clerk ORDER BY orderkey ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a, last_value(custkey) OVER (PARTITION BY clerk ORDER BY orderkey ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS b FROM orders) x",
  "SELECT count(*), sum(n) FROM (SELECT custkey, ntile(3) OVER (PARTITION BY nationkey ORDER BY custkey) AS n FROM customer) x",
  "SELECT count(*), sum(r) FROM (SELECT rank() OVER (ORDER BY orderpriority) AS r FROM orders) x",
];

/** Grouping sets, duplicate rows in set operations, quantified comparisons, lateral subqueries. */
const analytics: readonly string[] = [
  "SELECT orderstatus, orderpriority, count(*), sum(totalprice) FROM orders GROUP BY CUBE (orderstatus, orderpriority)",
  "SELECT returnflag, linestatus, count(*), count(DISTINCT suppkey) FROM lineitem GROUP BY ROLLUP (returnflag, linestatus)",
  "SELECT shipmode, linenumber, grouping(shipmode, linenumber), sum(quantity) FROM lineitem GROUP BY GROUPING SETS ((shipmode), (linenumber), ())",
  "SELECT mktsegment, count(*) FROM customer WHERE custkey < 0 GROUP BY GROUPING SETS ((mktsegment), ())",
  "SELECT count(*), sum(k) FROM (SELECT custkey AS k FROM orders EXCEPT ALL SELECT custkey FROM customer) x",
  "SELECT count(*), sum(k) FROM (SELECT orderkey AS k FROM lineitem EXCEPT ALL SELECT orderkey FROM orders) x",
  "SELECT count(*), sum(k) FROM (SELECT partkey AS k FROM lineitem INTERSECT ALL SELECT partkey FROM partsupp) x",
  "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > ALL (SELECT suppkey FROM supplier WHERE nationkey < 20)",
  "SELECT count(*) FROM orders WHERE custkey = ANY (SELECT custkey FROM customer WHERE acctbal < 0)",
  "SELECT n.name, x.m FROM nation n CROSS JOIN LATERAL (SELECT max(c.acctbal) AS m FROM customer c WHERE c.nationkey = n.nationkey) x",
  "SELECT n.name, x.m FROM nation n LEFT JOIN LATERAL (SELECT count(*) AS m FROM orders o WHERE o.custkey = n.nationkey) x ON true",
  "SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT custkey FROM customer ORDER BY custkey OFFSET 300) c ON o.custkey = c.custkey",
  "SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT orderkey FROM lineitem ORDER BY orderkey DESC, linenumber OFFSET 9000) l ON o.orderkey = l.orderkey",
  "SELECT k % 7, count(*), sum(v) FROM (SELECT custkey AS k, totalprice AS v FROM orders UNION ALL SELECT partkey, extendedprice FROM lineitem) x GROUP BY 1",
  "SELECT count(*), sum(x.v) FROM (SELECT orderkey AS k, totalprice AS v FROM orders UNION ALL SELECT orderkey, -extendedprice FROM lineitem) x JOIN customer c ON x.k = c.custkey",
  "SELECT count(*), sum(c.acctbal) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = c.custkey AND l.quantity < 20)",
  "SELECT p.size, count(*) FROM part p WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.partkey = p.partkey AND l.linenumber > 3) GROUP BY p.size",
  "SELECT count(*), count(x.k), sum(x.v) FROM orders o LEFT JOIN (SELECT nationkey AS k, 1 AS v FROM nation UNION ALL SELECT regionkey, 100 FROM region WHERE regionkey > 2) x ON o.custkey = x.k",
  "SELECT count(*), sum(l.quantity), count(o.orderkey) FROM (SELECT orderkey FROM orders WHERE orderstatus = 'P') o RIGHT JOIN lineitem l ON o.orderkey = l.orderkey",
];

/** Several operators over large tables in one statement, so that a worker can fail in the middle of each of them. */
const medleys: readonly string[] = [
  "SELECT orderstatus, orderpriority, count(*), sum(v) FROM (SELECT custkey AS k, totalprice AS v, orderstatus, orderpriority FROM orders UNION ALL SELECT l.partkey, l.extendedprice, l.linestatus, o.orderpriority FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey) x WHERE k NOT IN (SELECT partkey FROM partsupp WHERE availqty < 3000) GROUP BY GROUPING SETS ((orderstatus, orderpriority), (orderstatus), ())",
  "SELECT count(*), sum(k) FROM (SELECT l.orderkey AS k FROM lineitem l JOIN (SELECT orderkey FROM orders ORDER BY totalprice DESC, orderkey OFFSET 700) o ON l.orderkey = o.orderkey EXCEPT ALL SELECT orderkey FROM orders WHERE custkey > ALL (SELECT suppkey FROM supplier WHERE nationkey < 20)) x",
  "SELECT p.size, count(*), sum(w.r) FROM (SELECT partkey, rank() OVER (PARTITION BY suppkey ORDER BY extendedprice DESC) AS r FROM lineitem) w RIGHT JOIN part p ON w.partkey = p.partkey WHERE p.retailprice > (SELECT min(supplycost) FROM partsupp) GROUP BY p.size",
  "SELECT mktsegment, orderstatus, count(*), count(DISTINCT nationkey) FROM (SELECT c.mktsegment, o.orderstatus, c.nationkey FROM customer c FULL JOIN orders o ON c.custkey = o.custkey UNION ALL SELECT shipmode, linestatus, suppkey FROM lineitem) x GROUP BY CUBE (mktsegment, orderstatus)",
  "SELECT count(*), sum(k), max(n) FROM (SELECT custkey AS k, count(*) AS n FROM orders GROUP BY custkey INTERSECT ALL SELECT partkey, count(*) - 20 FROM (SELECT partkey FROM lineitem UNION ALL SELECT partkey FROM partsupp) y GROUP BY partkey) x WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = x.k AND l.quantity > 40)",
];

/** All statements. They have no parameters, because their results are stored. */
export const knownStatements: readonly string[] = [
  ...joins,
  ...empties,
  ...pairs,
  ...kept,
  ...spreads,
  ...skewed,
  ...unknowns,
  ...sets,
  ...dictionaries,
  ...distincts,
  ...groups,
  ...averages,
  ...filters,
  ...limits,
  ...nothing,
  ...sorts,
  ...ties,
  ...windows,
  ...analytics,
  ...medleys,
];

/** Weight of each family, of 50 in total. It follows the number of possible faults, not the number of statements. */
const weights: readonly (readonly [readonly string[], number])[] = [
  [joins, 3],
  [empties, 3],
  [pairs, 3],
  [kept, 2],
  [spreads, 3],
  [skewed, 2],
  [unknowns, 3],
  [sets, 2],
  [dictionaries, 3],
  [distincts, 3],
  [groups, 2],
  [averages, 3],
  [filters, 2],
  [limits, 2],
  [nothing, 2],
  [sorts, 2],
  [ties, 2],
  [windows, 2],
  [analytics, 3],
  [medleys, 3],
];
const lots: readonly (readonly string[])[] = weights.flatMap(([family, count]) => Array.from({ length: count }, () => family));

export function drawKnown(stream: Stream): string {
  return stream.pick(stream.pick(lots));
}

const known: ReadonlySet<string> = new Set(knownStatements);

export function isKnown(sql: string): boolean {
  return known.has(sql);
}

/** Outcomes from the other engine, by statement; empty for users of another schema. */
export function knownOutcomes(schema: string): ReadonlyMap<string, Outcome> {
  const answers = schema === workloadSchema ? knownAnswers : schema === smallSchema ? knownSmallAnswers : {};
  return new Map(Object.entries(answers).map(([sql, answer]) => [sql, outcomeOf(answer)]));
}

function outcomeOf(answer: string): Outcome {
  const shapeEnd = answer.indexOf(" [");
  return { kind: "rows", rows: parseJson(answer.slice(shapeEnd + 1)) as unknown as readonly unknown[], shape: answer.slice(0, shapeEnd) };
}
