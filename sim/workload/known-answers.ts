/** Written by test/oracle/known-answers.test.ts, which holds every answer against DuckDB: `npx vitest run -u` on it after a change of known.ts. */
export interface KnownAnswer {
  readonly sql: string;
  /** Names and types of the columns, then the rows as JSON. */
  readonly answer: string;
}

export const knownAnswers: readonly KnownAnswer[] = [
  {
    sql: "SELECT count(*), count(o.orderkey), sum(l.quantity) FROM lineitem l FULL JOIN orders o ON l.orderkey = o.orderkey + 1",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[17325,15270,"430255.00"]]`,
  },
  {
    sql: "SELECT o.orderpriority, count(*), count(l.orderkey) FROM orders o LEFT JOIN lineitem l ON o.orderkey = l.orderkey AND l.quantity > 45 GROUP BY o.orderpriority",
    answer: `orderpriority varchar(15), _col1 bigint, _col2 bigint [["1-URGENT",904,346],["2-HIGH",910,360],["3-MEDIUM",877,349],["4-NOT SPECIFIED",935,341],["5-LOW",895,345]]`,
  },
  {
    sql: "SELECT count(*), count(c.custkey), min(o.orderkey) FROM orders o FULL JOIN customer c ON o.custkey = c.custkey AND c.nationkey < 9",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[4516,1826,1]]`,
  },
  {
    sql: "SELECT count(*), count(o.orderkey), sum(o.totalprice) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus = 'P'",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[438,99,"14114826.46"]]`,
  },
  {
    sql: "SELECT c.mktsegment, count(*), count(o.orderkey), max(o.orderdate) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.totalprice > 200000 GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 bigint, _col2 bigint, _col3 date [["AUTOMOBILE",155,110,"1998-07-28"],["BUILDING",164,133,"1998-07-23"],["FURNITURE",176,143,"1998-07-14"],["HOUSEHOLD",161,121,"1998-07-20"],["MACHINERY",147,109,"1998-07-10"]]`,
  },
  {
    sql: "SELECT c.mktsegment, count(*), count(o.orderkey) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND c.acctbal > 3000 GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 bigint, _col2 bigint [["AUTOMOBILE",475,416],["BUILDING",574,526],["FURNITURE",572,523],["HOUSEHOLD",646,597],["MACHINERY",532,482]]`,
  },
  {
    sql: "SELECT c.mktsegment, count(*), count(o.orderkey), min(c.custkey) FROM orders o RIGHT JOIN customer c ON o.custkey = c.custkey AND o.orderstatus = 'F' GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 bigint, _col2 bigint, _col3 bigint [["AUTOMOBILE",377,340,2],["BUILDING",427,402,1],["FURNITURE",459,434,9],["HOUSEHOLD",457,428,5],["MACHINERY",441,417,4]]`,
  },
  {
    sql: "SELECT count(*), count(c.custkey), count(o.orderkey), sum(o.totalprice) FROM customer c FULL JOIN orders o ON c.custkey = o.custkey + 100",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint, _col3 decimal(38, 2) [[4406,3355,4200,"503219045.90"]]`,
  },
  {
    sql: "SELECT count(*), count(c.custkey), count(o.orderkey), sum(c.acctbal) FROM orders o FULL JOIN customer c ON c.custkey + 37 = o.custkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint, _col3 decimal(38, 2) [[4365,3978,4200,"18719049.95"]]`,
  },
  {
    sql: "SELECT count(*), count(a.orderkey), count(b.orderkey), sum(a.custkey) FROM (SELECT * FROM orders WHERE custkey < 200) a FULL JOIN (SELECT * FROM orders WHERE custkey > 100) b ON a.orderkey = b.orderkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint, _col3 bigint [[4200,2001,3191,199893]]`,
  },
  {
    sql: "SELECT s.nationkey, count(*), count(c.custkey), count(s.suppkey) FROM supplier s FULL JOIN customer c ON s.nationkey = c.nationkey AND c.acctbal > 0 GROUP BY s.nationkey",
    answer: `nationkey bigint, _col1 bigint, _col2 bigint, _col3 bigint [[0,26,26,26],[1,19,19,19],[10,20,20,20],[11,15,15,15],[14,7,7,7],[15,44,44,44],[16,18,18,18],[17,22,22,22],[18,34,34,34],[19,12,12,12],[2,13,13,13],[21,12,12,12],[22,38,38,38],[23,14,14,14],[24,10,10,10],[3,38,38,38],[4,14,14,14],[5,14,14,14],[8,30,30,30],[9,22,22,22],[null,119,119,0]]`,
  },
  {
    sql: "SELECT count(*), count(l.orderkey), count(p.partkey), sum(l.quantity) FROM part p FULL JOIN (SELECT * FROM lineitem WHERE quantity < 3) l ON p.partkey = l.partkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint, _col3 decimal(38, 2) [[837,674,837,"1003.00"]]`,
  },
  {
    sql: "SELECT r.name, count(*), count(a.k) FROM (SELECT nullif(custkey % 7, 3) AS k, totalprice FROM orders) a FULL JOIN (SELECT nullif(regionkey, 2) AS k, name FROM region) r ON a.k = r.k GROUP BY r.name",
    answer: `name varchar(25), _col1 bigint, _col2 bigint [["AFRICA",582,582],["AMERICA",584,584],["ASIA",1,0],["EUROPE",1,0],["MIDDLE EAST",628,628],[null,2406,1814]]`,
  },
  {
    sql: "SELECT count(*), count(n.nationkey) FROM orders o LEFT JOIN nation n ON nullif(o.custkey % 30, 7) = n.nationkey AND o.clerk = n.name",
    answer: `_col0 bigint, _col1 bigint [[4200,0]]`,
  },
  {
    sql: "SELECT count(*), count(n.name) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey LEFT JOIN nation n ON o.orderkey = n.nationkey",
    answer: `_col0 bigint, _col1 bigint [[4340,7]]`,
  },
  {
    sql: "SELECT l.linenumber, count(*), sum(ps.supplycost) FROM partsupp ps JOIN lineitem l ON l.suppkey = ps.suppkey AND l.partkey = ps.partkey GROUP BY l.linenumber",
    answer: `linenumber integer, _col1 bigint, _col2 decimal(38, 2) [[1,4413,"2235190.01"],[2,3773,"1911247.47"],[3,3148,"1550918.84"],[4,2530,"1276504.16"],[5,1872,"950405.45"],[6,1258,"629644.03"],[7,645,"312812.99"]]`,
  },
  {
    sql: "SELECT count(*), sum(a.n), sum(b.n) FROM (SELECT custkey, orderstatus, count(*) AS n FROM orders GROUP BY custkey, orderstatus) a JOIN (SELECT custkey, orderpriority, count(*) AS n FROM orders GROUP BY custkey, orderpriority) b ON a.custkey = b.custkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[2957,20020,9764]]`,
  },
  {
    sql: "SELECT custkey, count(*) FROM (SELECT o.custkey, o.orderstatus, count(*) AS n FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE c.nationkey = 3 GROUP BY o.custkey, o.orderstatus) x GROUP BY custkey",
    answer: `custkey bigint, _col1 bigint [[122,2],[13,2],[146,2],[182,2],[22,2],[226,3],[23,2],[233,2],[235,3],[242,3],[268,2],[343,3],[385,2],[40,2],[5,2],[64,2]]`,
  },
  {
    sql: "SELECT count(*), sum(a.totalprice) FROM (SELECT nullif(custkey % 7, 3) AS k, totalprice FROM orders) a JOIN region r ON a.k = r.regionkey",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[2376,"288754736.63"]]`,
  },
  {
    sql: "SELECT count(*), count(r.name), sum(a.totalprice) FROM (SELECT nullif(custkey % 7, 3) AS k, totalprice FROM orders) a LEFT JOIN region r ON a.k = r.regionkey",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[4200,2376,"503219045.90"]]`,
  },
  {
    sql: "SELECT count(*), count(o.orderkey) FROM customer c LEFT JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON c.custkey = o.custkey",
    answer: `_col0 bigint, _col1 bigint [[420,0]]`,
  },
  {
    sql: "SELECT count(*), count(o.orderkey), count(c.custkey) FROM customer c FULL JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON c.custkey = o.custkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[420,0,420]]`,
  },
  {
    sql: "SELECT count(*), count(c.custkey) FROM (SELECT * FROM customer WHERE acctbal > 99999) c RIGHT JOIN orders o ON c.custkey = o.custkey",
    answer: `_col0 bigint, _col1 bigint [[4200,0]]`,
  },
  {
    sql: "SELECT o.orderstatus, count(*), count(n.name) FROM orders o LEFT JOIN (SELECT * FROM nation WHERE regionkey > 8) n ON o.custkey = n.nationkey GROUP BY o.orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint, _col2 bigint [["F",2021,0],["O",2080,0],["P",99,0]]`,
  },
  {
    sql: "SELECT count(*), count(r.name), sum(c.acctbal) FROM customer c LEFT JOIN (SELECT * FROM region WHERE regionkey = 2) r ON c.nationkey = r.regionkey",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[420,19,"1839453.81"]]`,
  },
  {
    sql: "SELECT count(*), count(s.name), count(l.orderkey) FROM lineitem l FULL JOIN (SELECT * FROM supplier WHERE suppkey < 3) s ON l.suppkey = s.suppkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[16799,1128,16799]]`,
  },
  {
    sql: "SELECT c.mktsegment, count(*), count(o.orderkey) FROM (SELECT * FROM orders WHERE orderkey < 3) o RIGHT JOIN customer c ON c.custkey = o.custkey GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 bigint, _col2 bigint [["AUTOMOBILE",87,0],["BUILDING",83,1],["FURNITURE",84,1],["HOUSEHOLD",87,0],["MACHINERY",79,0]]`,
  },
  {
    sql: "SELECT l.suppkey, count(*), sum(ps.availqty) FROM lineitem l JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey GROUP BY l.suppkey",
    answer: `suppkey bigint, _col1 bigint, _col2 bigint [[1,574,2918977],[10,635,2976336],[11,689,3530125],[12,639,3428016],[13,595,3053552],[14,611,2792564],[15,631,3405955],[16,642,3056836],[17,623,3066848],[18,644,3495054],[19,634,2961569],[2,605,3267462],[20,633,3314000],[21,637,3155677],[22,632,3278358],[23,605,2796875],[24,674,3434179],[25,620,3098340],[26,602,3218029],[27,657,3339056],[28,675,2847808],[3,618,3111650],[4,657,3296045],[5,642,3220775],[6,589,2834777],[7,605,3249221],[8,645,3342177],[9,626,3421512]]`,
  },
  {
    sql: "SELECT count(*), count(ps.partkey), sum(l.quantity) FROM lineitem l LEFT JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey AND l.linenumber = 1",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[17012,4413,"436095.00"]]`,
  },
  {
    sql: "SELECT o.orderstatus, l.linenumber, count(*) FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey AND year(o.orderdate) = year(l.shipdate) GROUP BY o.orderstatus, l.linenumber",
    answer: `orderstatus varchar(1), linenumber integer, _col2 bigint [["F",1,1696],["F",2,1436],["F",3,1200],["F",4,951],["F",5,676],["F",6,472],["F",7,257],["O",1,1775],["O",2,1540],["O",3,1277],["O",4,1019],["O",5,762],["O",6,489],["O",7,241],["P",1,99],["P",2,99],["P",3,83],["P",4,71],["P",5,57],["P",6,44],["P",7,22]]`,
  },
  {
    sql: "SELECT a.orderstatus, count(*), sum(a.totalprice) FROM orders a JOIN orders b ON a.orderkey = b.orderkey AND a.custkey = b.custkey AND a.clerk = b.clerk GROUP BY a.orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint, _col2 decimal(38, 2) [["F",2021,"239294701.10"],["O",2080,"249809518.34"],["P",99,"14114826.46"]]`,
  },
  {
    sql: "SELECT count(*), sum(l.quantity), sum(ps.availqty) FROM lineitem l JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey",
    answer: `_col0 bigint, _col1 decimal(38, 2), _col2 bigint [[17639,"452590.00",88911773]]`,
  },
  {
    sql: "SELECT o.orderstatus, count(*), count(c.custkey), sum(c.acctbal) FROM orders o LEFT JOIN customer c ON o.custkey = c.custkey AND o.custkey % 7 = c.custkey % 7 GROUP BY o.orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint, _col2 bigint, _col3 decimal(38, 2) [["F",2021,2021,"8836420.54"],["O",2080,2080,"8960208.83"],["P",99,99,"404368.29"]]`,
  },
  {
    sql: "SELECT count(*), sum(o.totalprice) FROM customer c JOIN orders o ON c.custkey % 11 = o.custkey % 11 AND c.custkey = o.custkey AND c.nationkey < 20",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[3529,"419191689.56"]]`,
  },
  {
    sql: "SELECT count(*), sum(c.custkey) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey WHERE o.totalprice > 250000 OR c.acctbal < 0",
    answer: `_col0 bigint, _col1 bigint [[577,129713]]`,
  },
  {
    sql: "SELECT c.mktsegment, count(*) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus = 'P' WHERE o.orderpriority = '1-URGENT' OR c.nationkey > 12 GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 bigint [["AUTOMOBILE",45],["BUILDING",42],["FURNITURE",39],["HOUSEHOLD",49],["MACHINERY",27]]`,
  },
  {
    sql: "SELECT count(*), count(o.orderkey) FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey WHERE o.orderkey IS NULL OR o.orderstatus = 'P'",
    answer: `_col0 bigint, _col1 bigint [[239,99]]`,
  },
  {
    sql: "SELECT orderstatus, count(*), sum(n) FROM (SELECT orderstatus, custkey, count(*) AS n FROM orders GROUP BY orderstatus, custkey) x GROUP BY orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint, _col2 bigint [["F",280,2021],["O",278,2080],["P",81,99]]`,
  },
  {
    sql: "SELECT ps.suppkey, count(*), count(l.orderkey) FROM lineitem l RIGHT JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey GROUP BY ps.suppkey",
    answer: `suppkey bigint, _col1 bigint, _col2 bigint [[1,574,574],[10,635,635],[11,689,689],[12,639,639],[13,595,595],[14,611,611],[15,631,631],[16,642,642],[17,623,623],[18,644,644],[19,634,634],[2,605,605],[20,633,633],[21,637,637],[22,632,632],[23,605,605],[24,674,674],[25,621,620],[26,602,602],[27,657,657],[28,676,675],[3,618,618],[4,657,657],[5,642,642],[6,589,589],[7,605,605],[8,645,645],[9,626,626]]`,
  },
  {
    sql: "SELECT count(*), sum(n) FROM (SELECT o.custkey, count(a.clerk) AS n FROM orders a RIGHT JOIN orders o ON a.orderkey = o.orderkey AND a.custkey = o.custkey GROUP BY o.custkey) x",
    answer: `_col0 bigint, _col1 bigint [[280,4200]]`,
  },
  {
    sql: "SELECT orderstatus, count(*) FROM (SELECT DISTINCT orderstatus, custkey FROM orders) x GROUP BY orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint [["F",280],["O",278],["P",81]]`,
  },
  {
    sql: "SELECT count(*), count(n.name), count(o.orderkey) FROM orders o FULL JOIN nation n ON o.custkey = n.nationkey + 10",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[4208,280,4200]]`,
  },
  {
    sql: "SELECT count(*), count(s.name), sum(l.quantity) FROM lineitem l FULL JOIN supplier s ON l.suppkey = s.suppkey + 9",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[16808,11513,"430255.00"]]`,
  },
  {
    sql: "SELECT count(*), count(r.name), count(o.clerk) FROM orders o FULL JOIN region r ON o.orderkey = r.regionkey",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[4201,5,4200]]`,
  },
  {
    sql: "SELECT count(*), count(n.name) FROM orders o RIGHT JOIN nation n ON o.custkey = n.nationkey * 30",
    answer: `_col0 bigint, _col1 bigint [[25,25]]`,
  },
  {
    sql: "SELECT n.nationkey, count(*), sum(l.extendedprice) FROM lineitem l FULL JOIN nation n ON l.orderkey - l.orderkey % 1500 = n.nationkey * 1500 GROUP BY n.nationkey",
    answer: `nationkey bigint, _col1 bigint, _col2 decimal(38, 2) [[0,1467,"43590637.80"],[1,1563,"46013617.97"],[10,1449,"44317310.45"],[11,299,"9154057.31"],[12,1,null],[13,1,null],[14,1,null],[15,1,null],[16,1,null],[17,1,null],[18,1,null],[19,1,null],[2,1497,"45826960.42"],[20,1,null],[21,1,null],[22,1,null],[23,1,null],[24,1,null],[3,1491,"45788828.53"],[4,1491,"45642435.02"],[5,1504,"46409770.53"],[6,1435,"44314434.99"],[7,1505,"45303067.41"],[8,1583,"47376842.13"],[9,1515,"45335189.36"]]`,
  },
  {
    sql: "SELECT count(*), count(n.name), sum(o.totalprice) FROM orders o FULL JOIN nation n ON o.orderkey - o.orderkey % 2000 = n.nationkey * 2000",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[4216,4216,"503219045.90"]]`,
  },
  {
    sql: "SELECT n.name, count(*), max(l.shipdate), sum(l.quantity) FROM nation n RIGHT JOIN lineitem l ON l.orderkey - l.orderkey % 3000 = n.nationkey * 3000 GROUP BY n.name",
    answer: `name varchar(25), _col1 bigint, _col2 date, _col3 decimal(38, 2) [["ALGERIA",3030,"1998-11-25","75660.00"],["ARGENTINA",2988,"1998-11-27","77142.00"],["BRAZIL",2995,"1998-11-13","77870.00"],["CANADA",2940,"1998-11-22","75580.00"],["EGYPT",3098,"1998-11-26","78560.00"],["ETHIOPIA",1748,"1998-11-09","45443.00"]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE custkey NOT IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)",
    answer: `_col0 bigint [[0]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE orderkey NOT IN (SELECT nullif(orderkey, 7) FROM lineitem WHERE quantity > 10)",
    answer: `_col0 bigint [[0]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE (custkey IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)) IS NULL",
    answer: `_col0 bigint [[3223]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey IN (SELECT nullif(custkey, 5) FROM customer WHERE custkey < 100)",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[977,"117952055.59"]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE nullif(custkey % 5, 2) NOT IN (SELECT regionkey FROM region WHERE regionkey > 2)",
    answer: `_col0 bigint [[1708]]`,
  },
  {
    sql: "SELECT orderstatus, count(*) FROM orders WHERE nullif(custkey, 77) NOT IN (SELECT nullif(suppkey * 9, 63) FROM lineitem WHERE quantity > 40) GROUP BY orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint []`,
  },
  {
    sql: "SELECT count(*), sum(acctbal) FROM customer WHERE NOT coalesce(nullif(custkey, 8) IN (SELECT nullif(custkey, 9) FROM orders WHERE totalprice > 150000), custkey % 2 = 0)",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[147,"686154.98"]]`,
  },
  {
    sql: "SELECT linenumber, count(*) FROM lineitem WHERE partkey NOT IN (SELECT nullif(partkey, 4) FROM part WHERE size > 10) OR quantity < 3 GROUP BY linenumber",
    answer: `linenumber integer, _col1 bigint [[1,153],[2,172],[3,122],[4,89],[5,75],[6,44],[7,19]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE nullif(custkey % 5, 2) NOT IN (SELECT regionkey FROM region WHERE regionkey > 9)",
    answer: `_col0 bigint [[4200]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE custkey NOT IN (SELECT custkey FROM customer WHERE custkey < 0)",
    answer: `_col0 bigint [[4200]]`,
  },
  {
    sql: "SELECT count(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.custkey = c.custkey AND o.totalprice > 300000)",
    answer: `_col0 bigint [[408]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE orderstatus = 'P' OR custkey IN (SELECT custkey FROM customer WHERE nationkey = 4)",
    answer: `_col0 bigint [[276]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT custkey AS k FROM orders EXCEPT SELECT custkey FROM customer WHERE acctbal > 0) x",
    answer: `_col0 bigint, _col1 bigint [[29,6583]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT suppkey AS k, linenumber AS n FROM lineitem INTERSECT SELECT nationkey, CAST(nationkey % 7 AS integer) FROM customer) x",
    answer: `_col0 bigint, _col1 bigint [[21,258]]`,
  },
  {
    sql: "SELECT returnflag, linestatus, shipmode, count(*) FROM lineitem GROUP BY returnflag, linestatus, shipmode",
    answer: `returnflag varchar(1), linestatus varchar(1), shipmode varchar(10), _col3 bigint [["A","F","AIR",580],["A","F","FOB",571],["A","F","MAIL",578],["A","F","RAIL",569],["A","F","REG AIR",551],["A","F","SHIP",583],["A","F","TRUCK",631],["N","F","AIR",9],["N","F","FOB",15],["N","F","MAIL",16],["N","F","RAIL",9],["N","F","REG AIR",20],["N","F","SHIP",19],["N","F","TRUCK",15],["N","O","AIR",1241],["N","O","FOB",1154],["N","O","MAIL",1243],["N","O","RAIL",1220],["N","O","REG AIR",1255],["N","O","SHIP",1241],["N","O","TRUCK",1216],["R","F","AIR",560],["R","F","FOB",632],["R","F","MAIL",580],["R","F","RAIL",583],["R","F","REG AIR",546],["R","F","SHIP",571],["R","F","TRUCK",591]]`,
  },
  {
    sql: "SELECT orderpriority, orderstatus, count(*), sum(totalprice) FROM orders GROUP BY orderpriority, orderstatus",
    answer: `orderpriority varchar(15), orderstatus varchar(1), _col2 bigint, _col3 decimal(38, 2) [["1-URGENT","F",403,"46814354.25"],["1-URGENT","O",433,"53023098.96"],["1-URGENT","P",19,"2480993.35"],["2-HIGH","F",393,"47411613.36"],["2-HIGH","O",417,"49910572.55"],["2-HIGH","P",24,"3499898.15"],["3-MEDIUM","F",400,"46316585.94"],["3-MEDIUM","O",405,"48991420.59"],["3-MEDIUM","P",14,"2194254.94"],["4-NOT SPECIFIED","F",426,"50708161.08"],["4-NOT SPECIFIED","O",424,"50735399.33"],["4-NOT SPECIFIED","P",21,"2920674.39"],["5-LOW","F",399,"48043986.47"],["5-LOW","O",401,"47149026.91"],["5-LOW","P",21,"3019005.63"]]`,
  },
  {
    sql: "SELECT brand, container, count(*) FROM part WHERE size < 9 GROUP BY brand, container",
    answer: `brand varchar(10), container varchar(10), _col2 bigint [["Brand#11","JUMBO BAG",1],["Brand#11","MED CAN",1],["Brand#12","MED CAN",2],["Brand#12","MED DRUM",1],["Brand#12","SM DRUM",1],["Brand#12","SM PACK",1],["Brand#13","JUMBO BOX",1],["Brand#13","JUMBO PKG",1],["Brand#13","LG CASE",1],["Brand#13","SM BOX",1],["Brand#13","WRAP BOX",1],["Brand#14","LG PACK",1],["Brand#15","JUMBO JAR",1],["Brand#15","LG JAR",1],["Brand#15","MED PACK",1],["Brand#15","SM BAG",1],["Brand#21","JUMBO CAN",1],["Brand#21","JUMBO DRUM",1],["Brand#21","LG DRUM",2],["Brand#21","MED JAR",1],["Brand#22","MED JAR",1],["Brand#22","SM BAG",1],["Brand#22","WRAP BAG",1],["Brand#23","JUMBO BOX",1],["Brand#23","JUMBO PACK",1],["Brand#23","WRAP DRUM",1],["Brand#23","WRAP JAR",1],["Brand#24","MED BAG",1],["Brand#24","MED PKG",2],["Brand#24","WRAP DRUM",1],["Brand#25","JUMBO CAN",1],["Brand#25","LG CASE",1],["Brand#25","LG JAR",1],["Brand#25","SM CAN",1],["Brand#25","WRAP JAR",1],["Brand#31","LG CAN",1],["Brand#31","SM JAR",1],["Brand#32","LG BOX",1],["Brand#32","LG CAN",1],["Brand#32","LG JAR",1],["Brand#32","MED JAR",1],["Brand#32","MED PACK",1],["Brand#32","SM BOX",1],["Brand#32","SM DRUM",1],["Brand#32","SM JAR",1],["Brand#33","JUMBO JAR",1],["Brand#33","LG BAG",1],["Brand#33","LG DRUM",1],["Brand#33","SM CASE",1],["Brand#33","SM PKG",1],["Brand#33","WRAP BAG",1],["Brand#34","SM DRUM",1],["Brand#35","JUMBO PKG",1],["Brand#35","MED PACK",1],["Brand#35","SM JAR",1],["Brand#41","JUMBO DRUM",1],["Brand#41","SM CAN",1],["Brand#42","JUMBO JAR",1],["Brand#42","WRAP CAN",1],["Brand#43","LG PKG",1],["Brand#43","WRAP CAN",1],["Brand#44","JUMBO CAN",1],["Brand#44","WRAP BAG",1],["Brand#44","WRAP CASE",1],["Brand#44","WRAP PACK",1],["Brand#45","JUMBO CASE",1],["Brand#45","LG BAG",1],["Brand#45","MED PKG",1],["Brand#45","WRAP DRUM",1],["Brand#51","LG DRUM",1],["Brand#51","LG PKG",1],["Brand#51","SM CAN",1],["Brand#51","WRAP CASE",1],["Brand#52","MED BAG",1],["Brand#52","SM BOX",1],["Brand#52","SM PACK",1],["Brand#53","JUMBO PACK",1],["Brand#53","LG BAG",1],["Brand#53","MED CAN",1],["Brand#53","MED JAR",1],["Brand#53","WRAP CASE",1],["Brand#54","JUMBO BOX",1],["Brand#54","JUMBO DRUM",1],["Brand#55","JUMBO BAG",1],["Brand#55","JUMBO PACK",1]]`,
  },
  {
    sql: "SELECT nullif(orderstatus, 'F'), orderpriority, count(*), min(custkey) FROM orders GROUP BY 1, 2",
    answer: `_col0 varchar(1), orderpriority varchar(15), _col2 bigint, _col3 bigint [["O","1-URGENT",433,2],["O","2-HIGH",417,1],["O","3-MEDIUM",405,1],["O","4-NOT SPECIFIED",424,1],["O","5-LOW",401,1],["P","1-URGENT",19,16],["P","2-HIGH",24,19],["P","3-MEDIUM",14,38],["P","4-NOT SPECIFIED",21,25],["P","5-LOW",21,10],[null,"1-URGENT",403,1],[null,"2-HIGH",393,2],[null,"3-MEDIUM",400,1],[null,"4-NOT SPECIFIED",426,1],[null,"5-LOW",399,2]]`,
  },
  {
    sql: "SELECT o.orderstatus, c.mktsegment, count(*), count(o.orderkey) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.totalprice < 40000 GROUP BY 1, 2",
    answer: `orderstatus varchar(1), mktsegment varchar(10), _col2 bigint, _col3 bigint [["F","AUTOMOBILE",49,49],["F","BUILDING",47,47],["F","FURNITURE",58,58],["F","HOUSEHOLD",68,68],["F","MACHINERY",55,55],["O","AUTOMOBILE",50,50],["O","BUILDING",62,62],["O","FURNITURE",70,70],["O","HOUSEHOLD",63,63],["O","MACHINERY",37,37],["P","FURNITURE",1,1],["P","HOUSEHOLD",2,2],["P","MACHINERY",1,1],[null,"AUTOMOBILE",42,0],[null,"BUILDING",35,0],[null,"FURNITURE",32,0],[null,"HOUSEHOLD",38,0],[null,"MACHINERY",39,0]]`,
  },
  {
    sql: "SELECT shipmode, orderpriority, count(*), min(l.orderkey) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey WHERE l.linenumber < 3 GROUP BY 1, 2",
    answer: `shipmode varchar(10), orderpriority varchar(15), _col2 bigint, _col3 bigint [["AIR","1-URGENT",239,288],["AIR","2-HIGH",234,32],["AIR","3-MEDIUM",200,101],["AIR","4-NOT SPECIFIED",243,262],["AIR","5-LOW",228,3],["FOB","1-URGENT",221,65],["FOB","2-HIGH",235,7],["FOB","3-MEDIUM",209,34],["FOB","4-NOT SPECIFIED",250,35],["FOB","5-LOW",202,5],["MAIL","1-URGENT",228,133],["MAIL","2-HIGH",213,166],["MAIL","3-MEDIUM",226,33],["MAIL","4-NOT SPECIFIED",212,38],["MAIL","5-LOW",202,1],["RAIL","1-URGENT",187,2],["RAIL","2-HIGH",217,130],["RAIL","3-MEDIUM",228,37],["RAIL","4-NOT SPECIFIED",231,35],["RAIL","5-LOW",220,3],["REG AIR","1-URGENT",229,98],["REG AIR","2-HIGH",203,514],["REG AIR","3-MEDIUM",207,34],["REG AIR","4-NOT SPECIFIED",228,67],["REG AIR","5-LOW",219,4],["SHIP","1-URGENT",251,36],["SHIP","2-HIGH",212,7],["SHIP","3-MEDIUM",213,97],["SHIP","4-NOT SPECIFIED",237,67],["SHIP","5-LOW",245,227],["TRUCK","1-URGENT",235,65],["TRUCK","2-HIGH",243,32],["TRUCK","3-MEDIUM",226,33],["TRUCK","4-NOT SPECIFIED",217,6],["TRUCK","5-LOW",220,1]]`,
  },
  {
    sql: "SELECT linestatus, returnflag, sum(quantity), count(DISTINCT shipmode) FROM lineitem WHERE suppkey < 15 GROUP BY linestatus, returnflag",
    answer: `linestatus varchar(1), returnflag varchar(1), _col2 decimal(38, 2), _col3 bigint [["F","A","49280.00",7],["F","N","1597.00",7],["F","R","52095.00",7],["O","N","108177.00",7]]`,
  },
  {
    sql: "SELECT count(*), max(n) FROM (SELECT orderstatus, orderpriority, shipmode, count(*) AS n FROM orders o JOIN lineitem l ON l.orderkey = o.orderkey GROUP BY 1, 2, 3) x",
    answer: `_col0 bigint, _col1 bigint [[105,269]]`,
  },
  {
    sql: "SELECT DISTINCT shipmode, returnflag FROM lineitem",
    answer: `shipmode varchar(10), returnflag varchar(1) [["AIR","A"],["AIR","N"],["AIR","R"],["FOB","A"],["FOB","N"],["FOB","R"],["MAIL","A"],["MAIL","N"],["MAIL","R"],["RAIL","A"],["RAIL","N"],["RAIL","R"],["REG AIR","A"],["REG AIR","N"],["REG AIR","R"],["SHIP","A"],["SHIP","N"],["SHIP","R"],["TRUCK","A"],["TRUCK","N"],["TRUCK","R"]]`,
  },
  {
    sql: "SELECT count(*), count(DISTINCT a) FROM (SELECT DISTINCT orderstatus AS a, orderpriority AS b, nullif(orderstatus, 'O') AS c FROM orders) x",
    answer: `_col0 bigint, _col1 bigint [[15,3]]`,
  },
  {
    sql: "SELECT count(DISTINCT c.phone), count(o.orderstatus), count(o.orderpriority) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.totalprice < 90000",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[420,1614,1614]]`,
  },
  {
    sql: "SELECT count(DISTINCT o.clerk), count(o.orderstatus), count(*) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus <> 'O'",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[882,2120,2260]]`,
  },
  {
    sql: "SELECT count(DISTINCT custkey), count(DISTINCT clerk), count(DISTINCT orderstatus) FROM orders",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[280,983,3]]`,
  },
  {
    sql: "SELECT count(DISTINCT custkey), sum(totalprice) FROM orders",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[280,"503219045.90"]]`,
  },
  {
    sql: "SELECT count(DISTINCT suppkey), count(DISTINCT partkey) FROM lineitem",
    answer: `_col0 bigint, _col1 bigint [[28,560]]`,
  },
  {
    sql: "SELECT orderpriority, count(DISTINCT custkey) FROM orders GROUP BY orderpriority",
    answer: `orderpriority varchar(15), _col1 bigint [["1-URGENT",265],["2-HIGH",255],["3-MEDIUM",263],["4-NOT SPECIFIED",254],["5-LOW",254]]`,
  },
  {
    sql: "SELECT linenumber, count(DISTINCT shipmode), count(DISTINCT suppkey) FROM lineitem GROUP BY linenumber",
    answer: `linenumber integer, _col1 bigint, _col2 bigint [[1,7,28],[2,7,28],[3,7,28],[4,7,28],[5,7,28],[6,7,28],[7,7,28]]`,
  },
  {
    sql: "SELECT count(DISTINCT o.orderstatus), count(DISTINCT c.nationkey) FROM orders o LEFT JOIN customer c ON o.custkey = c.custkey AND c.acctbal > 0",
    answer: `_col0 bigint, _col1 bigint [[3,25]]`,
  },
  {
    sql: "SELECT count(DISTINCT l.shipmode), count(DISTINCT o.custkey), count(o.clerk) FROM lineitem l LEFT JOIN orders o ON l.orderkey = o.orderkey AND o.orderstatus = 'P'",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[7,81,475]]`,
  },
  {
    sql: "SELECT shipmode, count(DISTINCT suppkey), count(DISTINCT partkey) FROM lineitem GROUP BY shipmode",
    answer: `shipmode varchar(10), _col1 bigint, _col2 bigint [["AIR",28,555],["FOB",28,550],["MAIL",28,550],["RAIL",28,553],["REG AIR",28,555],["SHIP",28,554],["TRUCK",28,552]]`,
  },
  {
    sql: "SELECT linenumber, sum(extendedprice * (discount - 0.05)), sum(tax - 0.04) FROM lineitem GROUP BY linenumber",
    answer: `linenumber integer, _col1 decimal(38, 4), _col2 decimal(38, 2) [[1,"-55903.0977","-0.72"],[2,"-111183.5437","3.94"],[3,"67446.2836","1.51"],[4,"19128.0273","0.71"],[5,"-19041.9541","0.09"],[6,"-42594.1340","0.53"],[7,"18715.8202","-0.38"]]`,
  },
  {
    sql: "SELECT nationkey, sum(acctbal), sum(acctbal * (acctbal - 4000)), min(acctbal) FROM customer GROUP BY nationkey",
    answer: `nationkey bigint, _col1 decimal(38, 2), _col2 decimal(38, 4), _col3 decimal(12, 2) [[0,"80578.86","239432560.7932","-270.59"],[1,"119866.90","412216529.1852","1162.03"],[10,"91095.53","212775881.7249","-588.38"],[11,"74467.61","155730884.8201","-651.91"],[12,"69274.71","167308627.3901","-808.56"],[13,"72542.15","254897795.8017","-375.76"],[14,"37308.19","103578764.1439","-98.46"],[15,"120842.06","367300773.9528","19.31"],[16,"103862.88","328448353.0576","-716.10"],[17,"51038.11","122177628.1125","-573.86"],[18,"94418.49","319127782.3255","-994.79"],[19,"63874.85","206252291.9543","-921.91"],[2,"45886.62","126833380.1610","-849.44"],[20,"100393.13","323226781.3763","1999.35"],[21,"55839.92","156226593.1054","-776.08"],[22,"82142.19","167935669.8617","-594.05"],[23,"60810.71","150531376.1091","-565.35"],[24,"23345.65","93778875.9189","232.01"],[3,"81794.19","189366691.7761","-729.74"],[4,"52277.09","175646528.6641","-986.96"],[5,"58559.11","158152028.1841","-44.66"],[6,"36357.31","29383450.4921","-627.76"],[7,"71097.75","166295310.3861","-842.39"],[8,"71433.12","166088838.1926","-917.75"],[9,"120346.68","347547487.9476","-614.30"]]`,
  },
  {
    sql: "SELECT count(*), sum(n), max(n) FROM (SELECT orderkey, linenumber, count(*) AS n FROM lineitem GROUP BY orderkey, linenumber) x",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[16799,16799,1]]`,
  },
  {
    sql: "SELECT count(*), sum(n), max(q) FROM (SELECT orderkey, count(*) AS n, sum(quantity) AS q FROM lineitem GROUP BY orderkey) x",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[4200,16799,"303.00"]]`,
  },
  {
    sql: "SELECT count(*), sum(n) FROM (SELECT clerk, custkey % 50 AS k, count(*) AS n FROM orders GROUP BY clerk, custkey % 50) x",
    answer: `_col0 bigint, _col1 bigint [[4021,4200]]`,
  },
  {
    sql: "SELECT n, count(*) FROM (SELECT custkey, count(*) AS n FROM orders GROUP BY custkey) x GROUP BY n",
    answer: `n bigint, _col1 bigint [[10,18],[11,24],[12,9],[13,16],[14,9],[15,11],[16,16],[17,9],[18,8],[19,15],[20,10],[21,13],[22,14],[23,19],[24,13],[25,6],[26,4],[3,1],[31,1],[36,1],[4,5],[5,1],[6,16],[7,12],[8,9],[9,20]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT DISTINCT custkey, orderstatus FROM orders) x",
    answer: `_col0 bigint [[639]]`,
  },
  {
    sql: "SELECT count(*), sum(x), count(y) FROM (SELECT nationkey AS x, nullif(nationkey, 4) AS y FROM customer UNION ALL SELECT suppkey, nationkey FROM supplier) z",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[448,5213,430]]`,
  },
  {
    sql: "SELECT orderstatus, avg(totalprice), avg(-totalprice), avg(totalprice * 3) FROM orders GROUP BY orderstatus",
    answer: `orderstatus varchar(1), _col1 decimal(12, 2), _col2 decimal(12, 2), _col3 decimal(22, 2) [["F","118404.11","-118404.11","355212.32"],["O","120100.73","-120100.73","360302.19"],["P","142574.00","-142574.00","427722.01"]]`,
  },
  {
    sql: "SELECT suppkey, avg(extendedprice), avg(quantity), avg(discount) FROM lineitem GROUP BY suppkey",
    answer: `suppkey bigint, _col1 decimal(12, 2), _col2 decimal(12, 2), _col3 decimal(12, 2) [[1,"29920.05","25.24","0.05"],[10,"30356.13","25.62","0.05"],[11,"30350.32","25.56","0.05"],[12,"30873.96","26.28","0.05"],[13,"29718.44","24.85","0.05"],[14,"30178.95","25.60","0.05"],[15,"29414.58","24.98","0.05"],[16,"30032.94","25.25","0.05"],[17,"29995.47","25.30","0.05"],[18,"30845.65","25.88","0.05"],[19,"29364.78","25.15","0.05"],[2,"30180.34","25.56","0.05"],[20,"30532.81","25.62","0.05"],[21,"30787.98","26.07","0.05"],[22,"30765.40","26.00","0.05"],[23,"30286.65","25.75","0.05"],[24,"30456.09","25.77","0.05"],[25,"30334.27","25.74","0.05"],[26,"31697.80","26.86","0.05"],[27,"30468.68","25.78","0.05"],[28,"32345.23","26.89","0.05"],[3,"29321.76","24.90","0.05"],[4,"30213.82","25.74","0.05"],[5,"29985.48","25.44","0.05"],[6,"30017.99","25.13","0.05"],[7,"29848.23","25.12","0.05"],[8,"29881.89","25.32","0.05"],[9,"30062.14","25.52","0.05"]]`,
  },
  {
    sql: "SELECT nationkey, avg(acctbal), count(*) FROM customer GROUP BY nationkey",
    answer: `nationkey bigint, _col1 decimal(12, 2), _col2 bigint [[0,"5755.63",14],[1,"6308.78",19],[10,"4140.71",22],[11,"4654.23",16],[12,"4329.67",16],[13,"4533.88",16],[14,"4663.52",8],[15,"5492.82",22],[16,"5466.47",19],[17,"3926.01",13],[18,"5245.47",18],[19,"4258.32",15],[2,"2415.09",19],[20,"6274.57",16],[21,"3988.57",14],[22,"3733.74",22],[23,"3800.67",16],[24,"4669.13",5],[3,"3717.92",22],[4,"2904.28",18],[5,"3903.94",15],[6,"3029.78",12],[7,"3231.72",22],[8,"4464.57",16],[9,"4813.87",25]]`,
  },
  {
    sql: "SELECT avg(acctbal), sum(acctbal), sum(-acctbal), sum(CAST(acctbal AS decimal(38, 2))) FROM customer",
    answer: `_col0 decimal(12, 2), _col1 decimal(38, 2), _col2 decimal(38, 2), _col3 decimal(38, 2) [["4379.65","1839453.81","-1839453.81","1839453.81"]]`,
  },
  {
    sql: "SELECT avg(totalprice), count(*) FROM orders WHERE orderkey < 2500 OR orderkey > 16500",
    answer: `_col0 decimal(12, 2), _col1 bigint [["118401.62",700]]`,
  },
  {
    sql: "SELECT custkey % 11, avg(totalprice), avg(totalprice) FILTER (WHERE orderstatus = 'P') FROM orders WHERE custkey % 3 = 1 GROUP BY 1",
    answer: `_col0 bigint, _col1 decimal(12, 2), _col2 decimal(12, 2) [[0,"123951.96","146621.42"],[1,"117553.86","213642.64"],[10,"123614.71","85110.23"],[2,"117715.68","104303.77"],[3,"124463.62","147773.53"],[4,"122401.19","167151.90"],[5,"123714.59","164873.79"],[6,"120238.81","139668.59"],[7,"128205.43","134724.67"],[8,"120086.08","189620.14"],[9,"118547.01","161559.34"]]`,
  },
  {
    sql: "SELECT linenumber, avg(extendedprice * (discount - 0.05)), avg(DISTINCT quantity) FROM lineitem GROUP BY linenumber",
    answer: `linenumber integer, _col1 decimal(25, 4), _col2 decimal(12, 2) [[1,"-13.3103","25.50"],[2,"-30.7988","25.50"],[3,"22.4896","25.50"],[4,"7.9271","25.50"],[5,"-10.7642","25.50"],[6,"-35.6138","25.50"],[7,"30.5814","25.50"]]`,
  },
  {
    sql: "SELECT c.mktsegment, avg(o.totalprice), avg(c.acctbal) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderstatus = 'F' GROUP BY c.mktsegment",
    answer: `mktsegment varchar(10), _col1 decimal(12, 2), _col2 decimal(12, 2) [["AUTOMOBILE","116893.17","4303.78"],["BUILDING","122409.83","4534.07"],["FURNITURE","115779.62","3868.66"],["HOUSEHOLD","119398.95","4785.50"],["MACHINERY","117484.82","4482.80"]]`,
  },
  {
    sql: "SELECT returnflag, linestatus, avg(tax - 0.04), avg(quantity) FROM lineitem WHERE partkey < 40 GROUP BY CUBE (returnflag, linestatus)",
    answer: `returnflag varchar(1), linestatus varchar(1), _col2 decimal(13, 2), _col3 decimal(12, 2) [["A","F","0.00","25.61"],["A",null,"0.00","25.61"],["N","F","0.03","32.50"],["N","O","0.00","26.14"],["N",null,"0.00","26.17"],["R","F","0.00","26.10"],["R",null,"0.00","26.10"],[null,"F","0.00","25.88"],[null,"O","0.00","26.14"],[null,null,"0.00","26.01"]]`,
  },
  {
    sql: "SELECT avg(totalprice), sum(totalprice), count(totalprice) FROM orders WHERE orderkey < 0",
    answer: `_col0 decimal(12, 2), _col1 decimal(38, 2), _col2 bigint [[null,null,0]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > 100",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[3191,"381641148.23"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > 200",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[2180,"260102831.23"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > 300",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[1244,"148850992.33"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > 400",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[211,"27213954.11"]]`,
  },
  {
    sql: "SELECT count(*), sum(custkey) FROM orders WHERE orderstatus = 'F'",
    answer: `_col0 bigint, _col1 bigint [[2021,424078]]`,
  },
  {
    sql: "SELECT count(*), sum(custkey) FROM orders WHERE orderstatus = 'O'",
    answer: `_col0 bigint, _col1 bigint [[2080,442121]]`,
  },
  {
    sql: "SELECT count(*), sum(custkey) FROM orders WHERE orderstatus = 'P'",
    answer: `_col0 bigint, _col1 bigint [[99,22367]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity < 07",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[2012,"8304563.88"]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity < 14",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[4344,"35892752.10"]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity < 23",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[7308,"99200425.93"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey < 100",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[987,"119301642.00"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey <> 100",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[4178,"500942790.23"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey % 100 = 1",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[51,"4764913.88"]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey BETWEEN 100 AND 140",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[429,"49528095.65"]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity > 23",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[9144,"400401905.13"]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity = 14",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[315,"5208826.14"]]`,
  },
  {
    sql: "SELECT count(*), sum(extendedprice) FROM lineitem WHERE quantity IN (7, 14, 23)",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[980,"17331416.12"]]`,
  },
  {
    sql: "SELECT count(*), count_if(custkey > 300), count_if(custkey < 300), sum(CASE WHEN custkey > 100 THEN 1 ELSE 0 END) FROM orders WHERE custkey > 200",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint, _col3 bigint [[2180,1244,936,2180]]`,
  },
  {
    sql: "SELECT count(*) FROM lineitem WHERE NOT (quantity < 10 OR shipmode = 'AIR') AND discount BETWEEN 0.02 AND 0.04",
    answer: `_col0 bigint [[3272]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE nullif(custkey % 3, 1) = 2 OR nullif(orderstatus, 'F') IS NULL",
    answer: `_col0 bigint [[2762]]`,
  },
  {
    sql: "SELECT count(*), sum(CASE WHEN totalprice > 100000 THEN 1 END) FROM orders WHERE clerk LIKE '%7' AND orderpriority <> '5-LOW'",
    answer: `_col0 bigint, _col1 bigint [[349,205]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT orderkey FROM lineitem LIMIT 100) x",
    answer: `_col0 bigint [[100]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT orderkey FROM orders LIMIT 37) x",
    answer: `_col0 bigint [[37]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT l.orderkey FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey LIMIT 250) x",
    answer: `_col0 bigint [[250]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT orderkey FROM orders WHERE orderstatus = 'F' LIMIT 1000) x",
    answer: `_col0 bigint [[1000]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT orderkey FROM orders UNION ALL SELECT orderkey FROM lineitem LIMIT 60) x",
    answer: `_col0 bigint [[60]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT DISTINCT custkey FROM orders LIMIT 50) x",
    answer: `_col0 bigint [[50]]`,
  },
  {
    sql: "SELECT 1 AS one FROM lineitem LIMIT 70",
    answer: `one integer [[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT partkey FROM partsupp WHERE availqty > 100 LIMIT 500) x",
    answer: `_col0 bigint [[500]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT custkey, count(*) AS n FROM orders GROUP BY custkey LIMIT 40) x",
    answer: `_col0 bigint [[40]]`,
  },
  {
    sql: "SELECT orderkey, clerk FROM orders ORDER BY orderkey OFFSET 5000",
    answer: `orderkey bigint, clerk varchar(15) []`,
  },
  {
    sql: "SELECT orderkey, linenumber FROM lineitem ORDER BY orderkey, linenumber OFFSET 17000 LIMIT 10",
    answer: `orderkey bigint, linenumber integer []`,
  },
  {
    sql: "SELECT orderkey FROM orders ORDER BY orderkey LIMIT 0",
    answer: `orderkey bigint []`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT orderkey, totalprice FROM orders ORDER BY totalprice DESC, orderkey LIMIT 0) x",
    answer: `_col0 bigint [[0]]`,
  },
  {
    sql: "SELECT count(*) FROM (SELECT custkey, sum(totalprice) AS s FROM orders GROUP BY custkey ORDER BY s DESC, custkey LIMIT 0) x",
    answer: `_col0 bigint [[0]]`,
  },
  {
    sql: "SELECT n.name FROM nation n JOIN region r ON n.regionkey = r.regionkey ORDER BY n.name DESC LIMIT 0",
    answer: `name varchar(25) []`,
  },
  {
    sql: "SELECT orderpriority, orderkey FROM orders ORDER BY orderpriority, orderkey LIMIT 25",
    answer: `orderpriority varchar(15), orderkey bigint [["1-URGENT",2],["1-URGENT",36],["1-URGENT",65],["1-URGENT",98],["1-URGENT",128],["1-URGENT",133],["1-URGENT",193],["1-URGENT",225],["1-URGENT",228],["1-URGENT",229],["1-URGENT",230],["1-URGENT",258],["1-URGENT",288],["1-URGENT",291],["1-URGENT",322],["1-URGENT",323],["1-URGENT",324],["1-URGENT",423],["1-URGENT",452],["1-URGENT",455],["1-URGENT",482],["1-URGENT",487],["1-URGENT",519],["1-URGENT",548],["1-URGENT",549]]`,
  },
  {
    sql: "SELECT orderpriority, orderkey FROM orders ORDER BY orderpriority DESC, orderkey DESC LIMIT 25",
    answer: `orderpriority varchar(15), orderkey bigint [["5-LOW",16775],["5-LOW",16773],["5-LOW",16740],["5-LOW",16739],["5-LOW",16738],["5-LOW",16708],["5-LOW",16705],["5-LOW",16704],["5-LOW",16679],["5-LOW",16675],["5-LOW",16674],["5-LOW",16647],["5-LOW",16643],["5-LOW",16640],["5-LOW",16578],["5-LOW",16549],["5-LOW",16546],["5-LOW",16487],["5-LOW",16481],["5-LOW",16455],["5-LOW",16448],["5-LOW",16421],["5-LOW",16387],["5-LOW",16322],["5-LOW",16294]]`,
  },
  {
    sql: "SELECT shipmode, linenumber, orderkey FROM lineitem ORDER BY shipmode, linenumber DESC, orderkey LIMIT 30",
    answer: `shipmode varchar(10), linenumber integer, orderkey bigint [["AIR",7,390],["AIR",7,928],["AIR",7,1281],["AIR",7,1543],["AIR",7,1574],["AIR",7,1890],["AIR",7,1924],["AIR",7,2054],["AIR",7,2213],["AIR",7,2241],["AIR",7,2306],["AIR",7,2466],["AIR",7,2789],["AIR",7,2791],["AIR",7,2885],["AIR",7,3296],["AIR",7,3588],["AIR",7,4064],["AIR",7,4067],["AIR",7,4192],["AIR",7,4386],["AIR",7,4645],["AIR",7,4738],["AIR",7,4773],["AIR",7,5317],["AIR",7,5829],["AIR",7,5989],["AIR",7,6309],["AIR",7,6470],["AIR",7,6596]]`,
  },
  {
    sql: "SELECT quantity, orderkey, linenumber FROM lineitem ORDER BY quantity DESC, orderkey, linenumber LIMIT 40",
    answer: `quantity decimal(12, 2), orderkey bigint, linenumber integer [["50.00",5,3],["50.00",131,2],["50.00",199,1],["50.00",231,3],["50.00",260,1],["50.00",263,3],["50.00",323,1],["50.00",354,3],["50.00",484,3],["50.00",485,1],["50.00",739,2],["50.00",928,6],["50.00",930,5],["50.00",1059,6],["50.00",1061,5],["50.00",1121,6],["50.00",1153,2],["50.00",1154,2],["50.00",1154,6],["50.00",1379,2],["50.00",1441,7],["50.00",1473,1],["50.00",1475,4],["50.00",1505,2],["50.00",1510,7],["50.00",1537,2],["50.00",1574,2],["50.00",1601,2],["50.00",1699,1],["50.00",1731,3],["50.00",1732,1],["50.00",1767,4],["50.00",1888,7],["50.00",1920,4],["50.00",1923,6],["50.00",1925,1],["50.00",1957,1],["50.00",1985,2],["50.00",2020,1],["50.00",2023,7]]`,
  },
  {
    sql: "SELECT orderkey, totalprice FROM orders WHERE totalprice > 330000 ORDER BY totalprice DESC, orderkey",
    answer: `orderkey bigint, totalprice decimal(12, 2) [[6882,"337188.39"],[10209,"334823.35"]]`,
  },
  {
    sql: "SELECT orderkey FROM orders WHERE custkey < 60 ORDER BY orderkey DESC",
    answer: `orderkey bigint [[16742],[16739],[16707],[16679],[16674],[16673],[16641],[16610],[16581],[16551],[16550],[16548],[16546],[16512],[16484],[16452],[16448],[16423],[16417],[16385],[16292],[16257],[16228],[16199],[16162],[16131],[16129],[16102],[16101],[16071],[16067],[16064],[16033],[16007],[16004],[16003],[16002],[16001],[15943],[15941],[15937],[15878],[15872],[15846],[15783],[15712],[15687],[15621],[15619],[15616],[15587],[15559],[15558],[15555],[15554],[15552],[15527],[15494],[15427],[15424],[15395],[15392],[15367],[15299],[15297],[15207],[15203],[15174],[15172],[15169],[15143],[15142],[15111],[15079],[15078],[15075],[15073],[14978],[14976],[14947],[14945],[14885],[14881],[14851],[14759],[14754],[14693],[14659],[14656],[14595],[14594],[14593],[14533],[14530],[14498],[14471],[14404],[14342],[14308],[14244],[14214],[14210],[14181],[14150],[14149],[14145],[14115],[14112],[14050],[14021],[14019],[13988],[13926],[13925],[13921],[13920],[13890],[13825],[13761],[13735],[13734],[13733],[13729],[13728],[13637],[13636],[13606],[13601],[13574],[13568],[13444],[13190],[13189],[13158],[13124],[13090],[13059],[13057],[13031],[13025],[12992],[12933],[12867],[12838],[12800],[12711],[12708],[12677],[12673],[12615],[12611],[12610],[12579],[12549],[12548],[12545],[12485],[12483],[12357],[12355],[12327],[12321],[12257],[12195],[12167],[12166],[12163],[12099],[12097],[12064],[12038],[12034],[11938],[11872],[11844],[11814],[11780],[11746],[11745],[11744],[11712],[11683],[11682],[11619],[11558],[11553],[11522],[11521],[11491],[11463],[11431],[11364],[11333],[11331],[11299],[11270],[11269],[11268],[11143],[11138],[11047],[11044],[11040],[11011],[10849],[10818],[10790],[10788],[10786],[10785],[10759],[10757],[10752],[10726],[10722],[10692],[10690],[10689],[10688],[10661],[10627],[10599],[10563],[10560],[10531],[10528],[10497],[10470],[10465],[10406],[10402],[10343],[10339],[10311],[10306],[10305],[10275],[10273],[10242],[10149],[10116],[10113],[10080],[9954],[9927],[9925],[9895],[9889],[9862],[9857],[9825],[9797],[9730],[9701],[9697],[9671],[9606],[9572],[9509],[9477],[9474],[9473],[9444],[9413],[9408],[9383],[9350],[9317],[9282],[9222],[9221],[9185],[9156],[9154],[9125],[9122],[9057],[9056],[8998],[8933],[8928],[8903],[8896],[8867],[8838],[8770],[8672],[8615],[8581],[8577],[8551],[8550],[8546],[8516],[8422],[8418],[8416],[8391],[8294],[8260],[8227],[8224],[8198],[8193],[8129],[8101],[8099],[8069],[8067],[8033],[8032],[8002],[8000],[7975],[7877],[7873],[7842],[7782],[7713],[7621],[7591],[7590],[7556],[7495],[7493],[7490],[7489],[7462],[7459],[7456],[7427],[7399],[7393],[7366],[7365],[7364],[7335],[7330],[7302],[7271],[7234],[7173],[7172],[7170],[7169],[7141],[7108],[7105],[7073],[7041],[7014],[6982],[6981],[6980],[6917],[6882],[6880],[6855],[6853],[6850],[6791],[6790],[6787],[6753],[6695],[6693],[6690],[6661],[6659],[6598],[6533],[6532],[6530],[6503],[6501],[6499],[6470],[6466],[6464],[6307],[6306],[6305],[6275],[6274],[6273],[6241],[6214],[6212],[6176],[6146],[6117],[6112],[6054],[6022],[6020],[5956],[5953],[5893],[5889],[5860],[5859],[5794],[5763],[5761],[5731],[5730],[5670],[5666],[5601],[5572],[5507],[5504],[5447],[5446],[5410],[5409],[5313],[5221],[5220],[5154],[5123],[5120],[5092],[5029],[5028],[4993],[4928],[4898],[4867],[4834],[4806],[4805],[4738],[4704],[4676],[4582],[4455],[4452],[4451],[4449],[4421],[4390],[4388],[4359],[4355],[4352],[4321],[4295],[4263],[4257],[4229],[4199],[4193],[4165],[4132],[4102],[4100],[4099],[4097],[4067],[4032],[4007],[3911],[3909],[3905],[3877],[3843],[3751],[3685],[3654],[3623],[3618],[3584],[3556],[3521],[3428],[3427],[3330],[3329],[3328],[3269],[3266],[3237],[3234],[3207],[3204],[3200],[3170],[3169],[3142],[3139],[3042],[3010],[2980],[2944],[2916],[2885],[2880],[2820],[2753],[2726],[2693],[2691],[2658],[2562],[2503],[2466],[2438],[2406],[2375],[2374],[2371],[2368],[2178],[2048],[2018],[2016],[1991],[1985],[1955],[1925],[1895],[1890],[1860],[1793],[1735],[1734],[1696],[1669],[1667],[1639],[1635],[1633],[1603],[1602],[1572],[1568],[1540],[1504],[1479],[1475],[1378],[1377],[1348],[1344],[1316],[1287],[1285],[1223],[1222],[1221],[1218],[1217],[1190],[1188],[1090],[1031],[1024],[994],[966],[903],[902],[901],[896],[871],[865],[838],[803],[739],[738],[675],[644],[517],[455],[387],[358],[353],[320],[295],[288],[227],[224],[164],[162],[161],[134],[102],[97],[71],[65]]`,
  },
  {
    sql: "SELECT linenumber, orderkey FROM lineitem WHERE partkey < 30 ORDER BY linenumber DESC, orderkey",
    answer: `linenumber integer, orderkey bigint [[7,164],[7,354],[7,807],[7,928],[7,993],[7,1122],[7,1761],[7,1827],[7,2054],[7,2208],[7,2790],[7,3175],[7,3970],[7,4196],[7,4545],[7,5989],[7,6182],[7,7427],[7,8706],[7,9797],[7,11137],[7,11173],[7,11431],[7,12005],[7,12161],[7,12518],[7,13603],[7,14021],[7,14151],[7,14278],[7,14821],[7,15431],[7,16711],[6,1283],[6,1316],[6,1382],[6,1508],[6,1574],[6,1668],[6,2117],[6,2150],[6,2276],[6,3811],[6,3970],[6,4292],[6,4387],[6,4389],[6,5121],[6,5252],[6,5957],[6,6630],[6,6886],[6,7271],[6,8100],[6,8960],[6,9281],[6,9860],[6,10403],[6,10465],[6,10499],[6,10658],[6,11269],[6,11334],[6,11714],[6,12035],[6,12036],[6,12261],[6,12519],[6,12614],[6,12834],[6,12836],[6,13031],[6,13125],[6,13157],[6,13539],[6,13604],[6,13767],[6,13831],[6,14499],[6,14848],[6,14883],[6,14917],[6,15491],[6,15493],[6,15910],[6,16199],[6,16677],[5,225],[5,519],[5,641],[5,645],[5,675],[5,1155],[5,1637],[5,1762],[5,2054],[5,2374],[5,2404],[5,2593],[5,2658],[5,2659],[5,3138],[5,3877],[5,3937],[5,3940],[5,4005],[5,4102],[5,4484],[5,4485],[5,4805],[5,4935],[5,5348],[5,5411],[5,5414],[5,5511],[5,5606],[5,5634],[5,6049],[5,6373],[5,6533],[5,6566],[5,6656],[5,6660],[5,6919],[5,7168],[5,7332],[5,7522],[5,7523],[5,7744],[5,8034],[5,8097],[5,8163],[5,8355],[5,8391],[5,8802],[5,8803],[5,9570],[5,9794],[5,10211],[5,10403],[5,10565],[5,10784],[5,10855],[5,11072],[5,11108],[5,11302],[5,11588],[5,11879],[5,11973],[5,12389],[5,12419],[5,12422],[5,12485],[5,12801],[5,13090],[5,13378],[5,13443],[5,13569],[5,13826],[5,14181],[5,14337],[5,14404],[5,14566],[5,14790],[5,14849],[5,14945],[5,15520],[5,15556],[5,16224],[5,16288],[5,16352],[5,16676],[5,16706],[4,1],[4,32],[4,230],[4,260],[4,419],[4,579],[4,966],[4,998],[4,999],[4,1058],[4,1154],[4,1220],[4,1730],[4,1828],[4,1955],[4,2049],[4,2147],[4,2179],[4,2182],[4,2370],[4,2375],[4,3233],[4,3362],[4,3426],[4,3457],[4,3555],[4,4001],[4,4161],[4,4454],[4,4613],[4,4771],[4,4870],[4,5409],[4,5536],[4,5635],[4,6023],[4,6150],[4,6179],[4,6304],[4,6305],[4,6565],[4,6596],[4,6631],[4,6692],[4,6823],[4,6885],[4,6886],[4,6980],[4,7207],[4,7267],[4,7680],[4,7745],[4,7874],[4,7879],[4,7936],[4,7968],[4,8101],[4,8193],[4,8321],[4,8353],[4,8645],[4,8737],[4,8774],[4,8801],[4,9088],[4,9124],[4,9217],[4,9255],[4,9413],[4,10051],[4,10340],[4,10371],[4,10405],[4,10502],[4,10503],[4,10566],[4,10789],[4,11108],[4,11140],[4,11172],[4,11394],[4,11429],[4,11553],[4,11554],[4,11844],[4,11877],[4,11938],[4,12006],[4,12069],[4,12096],[4,12102],[4,12294],[4,12418],[4,12484],[4,12545],[4,12836],[4,12871],[4,13056],[4,13632],[4,13668],[4,13701],[4,14087],[4,14114],[4,14307],[4,14465],[4,14530],[4,14694],[4,14884],[4,14917],[4,15109],[4,15173],[4,15205],[4,15233],[4,15431],[4,15587],[4,15651],[4,15812],[4,15815],[4,16290],[4,16611],[4,16642],[3,65],[3,230],[3,290],[3,449],[3,548],[3,768],[3,771],[3,801],[3,896],[3,903],[3,1222],[3,1287],[3,1472],[3,1540],[3,1542],[3,1575],[3,1696],[3,1792],[3,2144],[3,2178],[3,2279],[3,2437],[3,2469],[3,2534],[3,2656],[3,2662],[3,2819],[3,2885],[3,2946],[3,2976],[3,3046],[3,3076],[3,3110],[3,3331],[3,3650],[3,3654],[3,3941],[3,4096],[3,4166],[3,4263],[3,4291],[3,4322],[3,4355],[3,4387],[3,4416],[3,4483],[3,4580],[3,4614],[3,5090],[3,5223],[3,5318],[3,5349],[3,5378],[3,5670],[3,5794],[3,5892],[3,5957],[3,5959],[3,5984],[3,6240],[3,6433],[3,6915],[3,6947],[3,6977],[3,6980],[3,7334],[3,7392],[3,7521],[3,7554],[3,7619],[3,7842],[3,7907],[3,8069],[3,8322],[3,8388],[3,8391],[3,8417],[3,8513],[3,8550],[3,8578],[3,8582],[3,8705],[3,8708],[3,8804],[3,8867],[3,8961],[3,8998],[3,9123],[3,9347],[3,9636],[3,9729],[3,9987],[3,10116],[3,10341],[3,10564],[3,10817],[3,10855],[3,10944],[3,10978],[3,11011],[3,11014],[3,11040],[3,11265],[3,11363],[3,11650],[3,11681],[3,11685],[3,11874],[3,12071],[3,12263],[3,12483],[3,12548],[3,12711],[3,12770],[3,12774],[3,12839],[3,13060],[3,13125],[3,13152],[3,13315],[3,13318],[3,13382],[3,13639],[3,13698],[3,14087],[3,14181],[3,14215],[3,14246],[3,14402],[3,14561],[3,14567],[3,14596],[3,14660],[3,14883],[3,15143],[3,15202],[3,15399],[3,15520],[3,15587],[3,15648],[3,15716],[3,15781],[3,15814],[3,15974],[3,16066],[3,16103],[3,16197],[3,16199],[3,16262],[3,16418],[3,16515],[3,16544],[3,16611],[2,130],[2,196],[2,418],[2,519],[2,548],[2,640],[2,704],[2,739],[2,773],[2,834],[2,903],[2,993],[2,994],[2,1060],[2,1124],[2,1281],[2,1284],[2,1542],[2,1568],[2,1633],[2,1668],[2,1760],[2,1792],[2,1829],[2,2048],[2,2055],[2,2277],[2,2370],[2,2372],[2,2401],[2,2560],[2,2721],[2,2725],[2,2752],[2,2881],[2,2976],[2,2980],[2,3043],[2,3137],[2,3141],[2,3175],[2,3204],[2,3328],[2,3329],[2,3558],[2,3680],[2,3777],[2,3843],[2,4032],[2,4196],[2,4199],[2,4229],[2,4452],[2,4676],[2,4736],[2,4807],[2,4839],[2,4999],[2,5057],[2,5124],[2,5221],[2,5312],[2,5478],[2,5600],[2,5665],[2,5760],[2,5859],[2,5862],[2,5893],[2,6084],[2,6086],[2,6243],[2,6339],[2,6342],[2,6375],[2,6405],[2,6407],[2,6528],[2,6688],[2,6759],[2,6818],[2,6853],[2,6978],[2,7014],[2,7077],[2,7238],[2,7394],[2,7458],[2,7526],[2,7556],[2,7616],[2,7717],[2,7877],[2,7878],[2,7879],[2,7909],[2,7941],[2,8037],[2,8519],[2,8705],[2,8999],[2,9025],[2,9184],[2,9217],[2,9410],[2,9446],[2,9600],[2,9670],[2,9828],[2,10048],[2,10241],[2,10244],[2,10339],[2,10375],[2,10432],[2,10469],[2,10531],[2,10949],[2,11043],[2,11044],[2,11110],[2,11207],[2,11236],[2,11302],[2,11425],[2,11521],[2,11557],[2,11842],[2,11844],[2,11876],[2,11943],[2,11971],[2,12006],[2,12097],[2,12101],[2,12165],[2,12195],[2,12197],[2,12259],[2,12551],[2,12578],[2,12675],[2,12705],[2,12706],[2,12801],[2,12837],[2,13088],[2,13090],[2,13094],[2,13121],[2,13220],[2,13411],[2,13474],[2,13511],[2,13539],[2,13600],[2,14113],[2,14151],[2,14244],[2,14336],[2,14535],[2,14726],[2,14849],[2,14850],[2,14881],[2,15106],[2,15111],[2,15269],[2,15335],[2,15425],[2,15428],[2,15527],[2,15717],[2,15782],[2,15810],[2,15970],[2,16001],[2,16032],[2,16198],[2,16391],[2,16516],[2,16550],[2,16613],[2,16675],[2,16676],[2,16708],[2,16772],[1,3],[1,35],[1,39],[1,68],[1,129],[1,134],[1,194],[1,228],[1,261],[1,290],[1,293],[1,320],[1,321],[1,740],[1,771],[1,801],[1,998],[1,1152],[1,1186],[1,1250],[1,1251],[1,1472],[1,1638],[1,1732],[1,1796],[1,1922],[1,1989],[1,2019],[1,2080],[1,2241],[1,2528],[1,2598],[1,2689],[1,2693],[1,2726],[1,2882],[1,2883],[1,2885],[1,2946],[1,2947],[1,2951],[1,2976],[1,2979],[1,3015],[1,3075],[1,3137],[1,3140],[1,3363],[1,3522],[1,3584],[1,3649],[1,3776],[1,4005],[1,4036],[1,4099],[1,4102],[1,4135],[1,4195],[1,4293],[1,4323],[1,4420],[1,4483],[1,4612],[1,4614],[1,4740],[1,5125],[1,5283],[1,5351],[1,5478],[1,5507],[1,5632],[1,5668],[1,5699],[1,5760],[1,5828],[1,5856],[1,5894],[1,6210],[1,6272],[1,6273],[1,6278],[1,6880],[1,6916],[1,7105],[1,7174],[1,7205],[1,7334],[1,7426],[1,7431],[1,7556],[1,7747],[1,7815],[1,7841],[1,7907],[1,8065],[1,8067],[1,8068],[1,8128],[1,8257],[1,8352],[1,8354],[1,8389],[1,8519],[1,8583],[1,8608],[1,8711],[1,8737],[1,8800],[1,9027],[1,9159],[1,9251],[1,9287],[1,9317],[1,9350],[1,9380],[1,9602],[1,9798],[1,9927],[1,9955],[1,9956],[1,9991],[1,10053],[1,10244],[1,10304],[1,10308],[1,10340],[1,10496],[1,10503],[1,10663],[1,10851],[1,10855],[1,10948],[1,10980],[1,11042],[1,11045],[1,11207],[1,11329],[1,11332],[1,11427],[1,11492],[1,11590],[1,11812],[1,11906],[1,12070],[1,12096],[1,12167],[1,12230],[1,12356],[1,12422],[1,12580],[1,12679],[1,12772],[1,12803],[1,12935],[1,12992],[1,13314],[1,13348],[1,13414],[1,13536],[1,13569],[1,13571],[1,13666],[1,13698],[1,13729],[1,13763],[1,13825],[1,14115],[1,14176],[1,14342],[1,14370],[1,14371],[1,14407],[1,14437],[1,14531],[1,14592],[1,14688],[1,14789],[1,14791],[1,14821],[1,14945],[1,14946],[1,15136],[1,15207],[1,15232],[1,15266],[1,15267],[1,15430],[1,15457],[1,15462],[1,15522],[1,15525],[1,15686],[1,15744],[1,15747],[1,15873],[1,16000],[1,16002],[1,16003],[1,16129],[1,16135],[1,16193],[1,16225],[1,16388],[1,16419],[1,16420],[1,16453],[1,16481],[1,16582],[1,16609],[1,16672],[1,16736],[1,16800]]`,
  },
  {
    sql: "SELECT orderdate, orderkey FROM orders WHERE custkey % 41 = 1 ORDER BY orderdate DESC, orderkey",
    answer: `orderdate date, orderkey bigint [["1998-06-29",12131],["1998-05-31",739],["1998-05-19",7010],["1998-05-18",16129],["1998-04-21",516],["1998-04-14",5604],["1998-03-31",10720],["1998-01-30",4131],["1998-01-10",6087],["1997-12-17",16000],["1997-11-29",133],["1997-11-21",320],["1997-11-18",14656],["1997-11-10",6245],["1997-09-05",163],["1997-07-30",11170],["1997-07-07",15363],["1997-06-23",9154],["1997-06-05",12740],["1997-05-26",453],["1997-05-13",576],["1997-03-22",11010],["1997-03-09",5090],["1997-03-07",3620],["1996-12-16",1443],["1996-10-19",1156],["1996-10-10",12358],["1996-09-08",2918],["1996-08-24",6951],["1996-06-10",15841],["1996-05-26",11555],["1996-05-14",15395],["1996-05-12",4833],["1996-05-06",5669],["1996-04-15",11590],["1996-03-26",10407],["1995-12-11",13728],["1995-10-05",12871],["1995-09-30",8419],["1995-07-30",14947],["1995-06-30",6496],["1995-06-17",3554],["1995-06-07",5568],["1995-05-08",6276],["1995-05-03",2978],["1995-04-11",3975],["1995-04-09",7680],["1995-04-01",11106],["1995-02-24",4227],["1994-12-10",8290],["1994-10-03",15654],["1994-09-29",16771],["1994-09-28",11361],["1994-09-16",12705],["1994-09-13",9888],["1994-09-04",3301],["1994-09-04",15011],["1994-08-28",15108],["1994-08-23",2948],["1994-07-15",3175],["1994-06-13",8999],["1994-06-04",11748],["1994-04-23",13056],["1994-03-13",12450],["1994-03-04",12544],["1993-12-27",5957],["1993-11-29",4291],["1993-11-26",15015],["1993-11-17",10117],["1993-09-30",10563],["1993-09-26",773],["1993-09-26",10657],["1993-06-04",15905],["1993-03-09",12550],["1993-03-08",13121],["1993-03-03",3938],["1993-02-25",228],["1993-02-19",6980],["1993-02-10",7875],["1993-02-10",12704],["1993-02-07",15397],["1993-01-13",1857],["1992-12-21",8803],["1992-11-26",9504],["1992-10-23",13316],["1992-10-03",4261],["1992-10-03",6595],["1992-09-11",9319],["1992-08-24",1185],["1992-06-03",3172],["1992-05-28",3906],["1992-05-26",12804],["1992-05-13",10688],["1992-04-29",5767],["1992-04-05",7458],["1992-02-25",13668],["1992-02-24",8388],["1992-01-04",7618]]`,
  },
  {
    sql: "SELECT orderkey, linenumber FROM lineitem WHERE suppkey = 7 AND quantity > 40 ORDER BY orderkey DESC, linenumber DESC",
    answer: `orderkey bigint, linenumber integer [[16769,1],[16768,2],[16740,1],[16326,5],[16289,2],[16199,6],[16194,6],[15942,2],[15334,4],[15202,1],[15169,1],[15046,4],[14755,1],[14499,4],[14496,3],[14465,1],[14437,6],[14370,3],[14183,2],[13792,1],[13670,3],[13607,2],[13603,6],[13570,3],[13511,1],[13478,2],[13477,5],[13442,1],[13345,2],[13319,3],[13312,2],[13280,3],[13121,1],[13095,1],[13026,1],[12737,3],[12641,6],[12547,2],[12421,3],[12288,4],[12007,1],[12001,4],[11974,1],[11744,2],[11623,6],[11621,6],[11491,4],[11364,2],[11296,4],[11074,3],[10787,5],[10533,4],[10247,5],[10246,4],[10176,1],[10144,5],[9863,6],[9154,1],[8869,3],[8517,1],[8487,2],[8322,2],[8295,3],[8224,2],[8160,1],[7877,5],[7680,2],[7429,4],[7395,6],[7298,1],[7203,2],[6983,1],[6338,3],[6276,4],[6081,1],[6080,1],[5925,1],[5859,1],[5702,3],[5702,1],[5699,7],[5024,2],[4995,6],[4933,1],[4870,1],[4804,2],[4644,4],[4610,3],[4453,1],[4293,2],[4007,2],[3619,6],[3590,7],[3588,7],[3522,2],[3201,3],[2945,6],[2693,2],[2628,1],[2567,2],[2087,2],[2050,3],[1958,6],[1923,4],[1701,1],[1506,1],[1473,1],[1156,6],[1155,5],[774,5],[518,4],[513,2],[487,1],[390,4],[131,2],[3,1]]`,
  },
  {
    sql: "SELECT custkey, orderkey FROM orders WHERE clerk LIKE '%1' AND orderstatus = 'P' ORDER BY custkey, orderkey",
    answer: `custkey bigint, orderkey bigint [[16,4390],[50,12355],[202,2311],[226,9922],[310,9062],[313,15780],[370,7680],[398,10662],[409,4327]]`,
  },
  {
    sql: "SELECT nullif(custkey % 4, 2), orderkey FROM orders WHERE totalprice > 300000 ORDER BY 1 DESC NULLS LAST, 2",
    answer: `_col0 bigint, orderkey bigint [[3,8516],[3,14499],[1,4421],[1,8070],[1,10787],[1,11142],[1,15779],[0,2306],[0,2567],[0,10209],[null,5765],[null,6882],[null,9863]]`,
  },
  {
    sql: "SELECT acctbal, custkey FROM customer WHERE nationkey < 6 ORDER BY acctbal, custkey",
    answer: `acctbal decimal(12, 2), custkey bigint [["-986.96",128],["-849.44",383],["-774.22",187],["-746.03",272],["-729.74",366],["-675.05",273],["-646.64",64],["-544.95",344],["-405.91",334],["-362.86",72],["-270.59",337],["-234.01",249],["-44.66",358],["-43.79",293],["-43.08",179],["6.34",17],["162.57",132],["170.27",331],["208.45",164],["238.14",346],["274.58",47],["430.59",138],["591.98",22],["754.41",235],["794.47",5],["806.59",324],["868.90",54],["1107.42",302],["1162.03",263],["1182.91",92],["1211.39",418],["1335.30",40],["1468.09",167],["1561.80",262],["1734.18",287],["1811.35",290],["1906.52",326],["1915.35",254],["1975.41",242],["2259.38",108],["2457.09",385],["2753.54",10],["2764.43",74],["2788.76",185],["2866.83",4],["3186.57",310],["3196.07",255],["3288.42",106],["3306.32",86],["3328.68",146],["3332.02",23],["3335.29",259],["3349.92",165],["3386.64",85],["3458.60",59],["3792.50",48],["3824.76",198],["3857.34",13],["3998.24",233],["4288.50",73],["4614.40",201],["4667.12",340],["4810.22",182],["5266.30",14],["5339.43",288],["5380.50",299],["5481.00",266],["5521.36",343],["5679.84",27],["5745.33",76],["5897.83",123],["5902.85",155],["6115.81",313],["6264.31",39],["6417.31",144],["6706.14",141],["6709.90",328],["6821.01",268],["7095.95",354],["7348.92",347],["7383.53",80],["7457.50",177],["7470.96",101],["7498.12",3],["7568.07",229],["7618.27",29],["7654.31",199],["7865.46",122],["7960.63",203],["8727.01",42],["8737.50",186],["8862.18",390],["8893.76",222],["9008.61",226],["9149.98",318],["9196.11",260],["9217.55",304],["9241.49",336],["9321.01",30],["9339.57",303],["9497.89",295],["9533.37",188],["9537.08",407],["9541.19",218],["9860.22",197],["9931.71",381],["9963.15",140]]`,
  },
  {
    sql: "SELECT orderstatus, orderkey FROM orders ORDER BY orderstatus, orderkey DESC LIMIT 12",
    answer: `orderstatus varchar(1), orderkey bigint [["F",16775],["F",16772],["F",16771],["F",16770],["F",16768],["F",16742],["F",16741],["F",16740],["F",16738],["F",16711],["F",16709],["F",16706]]`,
  },
  {
    sql: "SELECT returnflag, orderkey, linenumber FROM lineitem ORDER BY returnflag, orderkey DESC, linenumber LIMIT 20",
    answer: `returnflag varchar(1), orderkey bigint, linenumber integer [["A",16775,3],["A",16772,1],["A",16772,2],["A",16772,3],["A",16772,7],["A",16771,2],["A",16768,2],["A",16768,4],["A",16768,5],["A",16768,7],["A",16738,2],["A",16738,4],["A",16711,3],["A",16711,4],["A",16711,5],["A",16711,7],["A",16709,3],["A",16709,5],["A",16709,6],["A",16706,1]]`,
  },
  {
    sql: "SELECT linenumber, shipmode, orderkey FROM lineitem ORDER BY linenumber DESC, shipmode DESC, orderkey DESC LIMIT 15",
    answer: `linenumber integer, shipmode varchar(10), orderkey bigint [[7,"TRUCK",16736],[7,"TRUCK",16611],[7,"TRUCK",16480],[7,"TRUCK",16453],[7,"TRUCK",15587],[7,"TRUCK",15397],[7,"TRUCK",15202],[7,"TRUCK",14725],[7,"TRUCK",14567],[7,"TRUCK",14566],[7,"TRUCK",13795],[7,"TRUCK",13762],[7,"TRUCK",13604],[7,"TRUCK",13569],[7,"TRUCK",13444]]`,
  },
  {
    sql: "SELECT orderpriority, orderdate, orderkey FROM orders ORDER BY orderpriority DESC, orderdate DESC, orderkey LIMIT 9",
    answer: `orderpriority varchar(15), orderdate date, orderkey bigint [["5-LOW","1998-07-31",15811],["5-LOW","1998-07-30",1124],["5-LOW","1998-07-29",2981],["5-LOW","1998-07-25",2400],["5-LOW","1998-07-24",1730],["5-LOW","1998-07-20",5184],["5-LOW","1998-07-19",14787],["5-LOW","1998-07-12",2758],["5-LOW","1998-07-01",12391]]`,
  },
  {
    sql: "SELECT nullif(orderstatus, 'P'), orderkey FROM orders ORDER BY 1 DESC NULLS FIRST, 2 DESC LIMIT 30",
    answer: `_col0 varchar(1), orderkey bigint [[null,16800],[null,16674],[null,16291],[null,16128],[null,16100],[null,15907],[null,15780],[null,15205],[null,14948],[null,14883],[null,14471],[null,14242],[null,14021],[null,13956],[null,13795],[null,13634],[null,13569],[null,12868],[null,12772],[null,12486],[null,12422],[null,12355],[null,12323],[null,12322],[null,11648],[null,11106],[null,10916],[null,10695],[null,10662],[null,10308]]`,
  },
  {
    sql: "SELECT r, count(*), sum(custkey) FROM (SELECT custkey, rank() OVER (PARTITION BY nationkey ORDER BY acctbal DESC) AS r FROM customer) x WHERE r < 6 GROUP BY r",
    answer: `r bigint, _col1 bigint, _col2 bigint [[1,25,5755],[2,25,4912],[3,25,4692],[4,25,7018],[5,25,4105]]`,
  },
  {
    sql: "SELECT count(*), sum(s), max(s) FROM (SELECT sum(totalprice) OVER (PARTITION BY custkey ORDER BY orderdate) AS s FROM orders) x",
    answer: `_col0 bigint, _col1 decimal(38, 2), _col2 decimal(38, 2) [[4200,"4689955977.95","4606174.60"]]`,
  },
  {
    sql: "SELECT orderstatus, count(*), sum(p), count(p) FROM (SELECT orderstatus, lag(orderkey) OVER (PARTITION BY custkey ORDER BY orderkey) AS p FROM orders) x GROUP BY orderstatus",
    answer: `orderstatus varchar(1), _col1 bigint, _col2 bigint, _col3 bigint [["F",2021,14852308,1887],["O",2080,15395040,1946],["P",99,644583,87]]`,
  },
  {
    sql: "SELECT d, count(*) FROM (SELECT dense_rank() OVER (PARTITION BY orderkey ORDER BY quantity) AS d FROM lineitem) x GROUP BY d",
    answer: `d bigint, _col1 bigint [[1,4353],[2,3754],[3,3120],[4,2440],[5,1700],[6,1047],[7,385]]`,
  },
  {
    sql: "SELECT n, count(*), min(orderkey) FROM (SELECT orderkey, row_number() OVER (PARTITION BY custkey ORDER BY totalprice DESC, orderkey) AS n FROM orders) x WHERE n < 5 GROUP BY n",
    answer: `n bigint, _col1 bigint, _col2 bigint [[1,280,7],[2,280,68],[3,280,1],[4,279,71]]`,
  },
  {
    sql: "SELECT count(*), sum(c), max(c) FROM (SELECT count(*) OVER (PARTITION BY suppkey ORDER BY partkey RANGE BETWEEN 20 PRECEDING AND 5 FOLLOWING) AS c FROM lineitem) x",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[16799,487986,51]]`,
  },
  {
    sql: "SELECT shipmode, max(t) FROM (SELECT shipmode, sum(quantity) OVER (PARTITION BY shipmode) AS t FROM lineitem) x GROUP BY shipmode",
    answer: `shipmode varchar(10), _col1 decimal(38, 2) [["AIR","60120.00"],["FOB","60759.00"],["MAIL","61899.00"],["RAIL","60823.00"],["REG AIR","60211.00"],["SHIP","62930.00"],["TRUCK","63513.00"]]`,
  },
  {
    sql: "SELECT count(*), sum(a), sum(b) FROM (SELECT first_value(totalprice) OVER (PARTITION BY clerk ORDER BY orderkey ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a, last_value(custkey) OVER (PARTITION BY clerk ORDER BY orderkey ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS b FROM orders) x",
    answer: `_col0 bigint, _col1 decimal(38, 2), _col2 bigint [[4200,"503583369.07",898079]]`,
  },
  {
    sql: "SELECT count(*), sum(n) FROM (SELECT custkey, ntile(3) OVER (PARTITION BY nationkey ORDER BY custkey) AS n FROM customer) x",
    answer: `_col0 bigint, _col1 bigint [[420,820]]`,
  },
  {
    sql: "SELECT count(*), sum(r) FROM (SELECT rank() OVER (ORDER BY orderpriority) AS r FROM orders) x",
    answer: `_col0 bigint, _col1 bigint [[4200,7059188]]`,
  },
  {
    sql: "SELECT orderstatus, orderpriority, count(*), sum(totalprice) FROM orders GROUP BY CUBE (orderstatus, orderpriority)",
    answer: `orderstatus varchar(1), orderpriority varchar(15), _col2 bigint, _col3 decimal(38, 2) [["F","1-URGENT",403,"46814354.25"],["F","2-HIGH",393,"47411613.36"],["F","3-MEDIUM",400,"46316585.94"],["F","4-NOT SPECIFIED",426,"50708161.08"],["F","5-LOW",399,"48043986.47"],["F",null,2021,"239294701.10"],["O","1-URGENT",433,"53023098.96"],["O","2-HIGH",417,"49910572.55"],["O","3-MEDIUM",405,"48991420.59"],["O","4-NOT SPECIFIED",424,"50735399.33"],["O","5-LOW",401,"47149026.91"],["O",null,2080,"249809518.34"],["P","1-URGENT",19,"2480993.35"],["P","2-HIGH",24,"3499898.15"],["P","3-MEDIUM",14,"2194254.94"],["P","4-NOT SPECIFIED",21,"2920674.39"],["P","5-LOW",21,"3019005.63"],["P",null,99,"14114826.46"],[null,"1-URGENT",855,"102318446.56"],[null,"2-HIGH",834,"100822084.06"],[null,"3-MEDIUM",819,"97502261.47"],[null,"4-NOT SPECIFIED",871,"104364234.80"],[null,"5-LOW",821,"98212019.01"],[null,null,4200,"503219045.90"]]`,
  },
  {
    sql: "SELECT returnflag, linestatus, count(*), count(DISTINCT suppkey) FROM lineitem GROUP BY ROLLUP (returnflag, linestatus)",
    answer: `returnflag varchar(1), linestatus varchar(1), _col2 bigint, _col3 bigint [["A","F",4063,28],["A",null,4063,28],["N","F",103,28],["N","O",8570,28],["N",null,8673,28],["R","F",4063,28],["R",null,4063,28],[null,null,16799,28]]`,
  },
  {
    sql: "SELECT shipmode, linenumber, grouping(shipmode, linenumber), sum(quantity) FROM lineitem GROUP BY GROUPING SETS ((shipmode), (linenumber), ())",
    answer: `shipmode varchar(10), linenumber integer, _col2 integer, _col3 decimal(38, 2) [["AIR",null,1,"60120.00"],["FOB",null,1,"60759.00"],["MAIL",null,1,"61899.00"],["RAIL",null,1,"60823.00"],["REG AIR",null,1,"60211.00"],["SHIP",null,1,"62930.00"],["TRUCK",null,1,"63513.00"],[null,1,2,"107609.00"],[null,2,2,"93247.00"],[null,3,2,"75423.00"],[null,4,2,"62612.00"],[null,5,2,"45067.00"],[null,6,2,"30808.00"],[null,7,2,"15489.00"],[null,null,3,"430255.00"]]`,
  },
  {
    sql: "SELECT mktsegment, count(*) FROM customer WHERE custkey < 0 GROUP BY GROUPING SETS ((mktsegment), ())",
    answer: `mktsegment varchar(10), _col1 bigint [[null,0]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT custkey AS k FROM orders EXCEPT ALL SELECT custkey FROM customer) x",
    answer: `_col0 bigint, _col1 bigint [[3920,829766]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT orderkey AS k FROM lineitem EXCEPT ALL SELECT orderkey FROM orders) x",
    answer: `_col0 bigint, _col1 bigint [[12599,105670607]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT partkey AS k FROM lineitem INTERSECT ALL SELECT partkey FROM partsupp) x",
    answer: `_col0 bigint, _col1 bigint [[2240,628320]]`,
  },
  {
    sql: "SELECT count(*), sum(totalprice) FROM orders WHERE custkey > ALL (SELECT suppkey FROM supplier WHERE nationkey < 20)",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[3908,"466658166.06"]]`,
  },
  {
    sql: "SELECT count(*) FROM orders WHERE custkey = ANY (SELECT custkey FROM customer WHERE acctbal < 0)",
    answer: `_col0 bigint [[414]]`,
  },
  {
    sql: "SELECT n.name, x.m FROM nation n CROSS JOIN LATERAL (SELECT max(c.acctbal) AS m FROM customer c WHERE c.nationkey = n.nationkey) x",
    answer: `name varchar(25), m decimal(12, 2) [["ALGERIA","9497.89"],["ARGENTINA","9860.22"],["BRAZIL","9241.49"],["CANADA","9339.57"],["CHINA","9561.95"],["EGYPT","9963.15"],["ETHIOPIA","9931.71"],["FRANCE","5817.90"],["GERMANY","9305.05"],["INDIA","8762.16"],["INDONESIA","9983.38"],["IRAN","9091.82"],["IRAQ","9858.57"],["JAPAN","8982.79"],["JORDAN","9748.93"],["KENYA","8727.90"],["MOROCCO","9768.73"],["MOZAMBIQUE","9967.60"],["PERU","8492.33"],["ROMANIA","9904.28"],["RUSSIA","7789.14"],["SAUDI ARABIA","9889.89"],["UNITED KINGDOM","8876.10"],["UNITED STATES","9987.71"],["VIETNAM","9331.13"]]`,
  },
  {
    sql: "SELECT n.name, x.m FROM nation n LEFT JOIN LATERAL (SELECT count(*) AS m FROM orders o WHERE o.custkey = n.nationkey) x ON true",
    answer: `name varchar(25), m bigint [["ALGERIA",0],["ARGENTINA",11],["BRAZIL",11],["CANADA",0],["CHINA",0],["EGYPT",22],["ETHIOPIA",10],["FRANCE",0],["GERMANY",22],["INDIA",10],["INDONESIA",0],["IRAN",19],["IRAQ",9],["JAPAN",0],["JORDAN",22],["KENYA",11],["MOROCCO",0],["MOZAMBIQUE",22],["PERU",7],["ROMANIA",23],["RUSSIA",23],["SAUDI ARABIA",6],["UNITED KINGDOM",15],["UNITED STATES",0],["VIETNAM",0]]`,
  },
  {
    sql: "SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT custkey FROM customer ORDER BY custkey OFFSET 300) c ON o.custkey = c.custkey",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[1244,"148850992.33"]]`,
  },
  {
    sql: "SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT orderkey FROM lineitem ORDER BY orderkey DESC, linenumber OFFSET 9000) l ON o.orderkey = l.orderkey",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[7799,"1167249105.01"]]`,
  },
  {
    sql: "SELECT k % 7, count(*), sum(v) FROM (SELECT custkey AS k, totalprice AS v FROM orders UNION ALL SELECT partkey, extendedprice FROM lineitem) x GROUP BY 1",
    answer: `_col0 bigint, _col1 bigint, _col2 decimal(38, 2) [[0,3055,"144799243.08"],[1,3039,"145239735.94"],[2,2873,"141888280.62"],[3,3075,"145163460.54"],[4,2942,"145580651.27"],[5,2967,"141075692.47"],[6,3048,"148545133.90"]]`,
  },
  {
    sql: "SELECT count(*), sum(x.v) FROM (SELECT orderkey AS k, totalprice AS v FROM orders UNION ALL SELECT orderkey, -extendedprice FROM lineitem) x JOIN customer c ON x.k = c.custkey",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[540,"-174835.60"]]`,
  },
  {
    sql: "SELECT count(*), sum(c.acctbal) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = c.custkey AND l.quantity < 20)",
    answer: `_col0 bigint, _col1 decimal(38, 2) [[339,"1481211.86"]]`,
  },
  {
    sql: "SELECT p.size, count(*) FROM part p WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.partkey = p.partkey AND l.linenumber > 3) GROUP BY p.size",
    answer: `size integer, _col1 bigint []`,
  },
  {
    sql: "SELECT count(*), count(x.k), sum(x.v) FROM orders o LEFT JOIN (SELECT nationkey AS k, 1 AS v FROM nation UNION ALL SELECT regionkey, 100 FROM region WHERE regionkey > 2) x ON o.custkey = x.k",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[4222,265,2443]]`,
  },
  {
    sql: "SELECT count(*), sum(l.quantity), count(o.orderkey) FROM (SELECT orderkey FROM orders WHERE orderstatus = 'P') o RIGHT JOIN lineitem l ON o.orderkey = l.orderkey",
    answer: `_col0 bigint, _col1 decimal(38, 2), _col2 bigint [[16799,"430255.00",475]]`,
  },
  {
    sql: "SELECT orderstatus, orderpriority, count(*), sum(v) FROM (SELECT custkey AS k, totalprice AS v, orderstatus, orderpriority FROM orders UNION ALL SELECT l.partkey, l.extendedprice, l.linestatus, o.orderpriority FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey) x WHERE k NOT IN (SELECT partkey FROM partsupp WHERE availqty < 3000) GROUP BY GROUPING SETS ((orderstatus, orderpriority), (orderstatus), ())",
    answer: `orderstatus varchar(1), orderpriority varchar(15), _col2 bigint, _col3 decimal(38, 2) [["F","1-URGENT",484,"22840804.26"],["F","2-HIGH",474,"22415516.51"],["F","3-MEDIUM",430,"18535005.28"],["F","4-NOT SPECIFIED",547,"26607826.30"],["F","5-LOW",488,"23972996.14"],["F",null,2423,"114372148.49"],["O","1-URGENT",532,"26970678.84"],["O","2-HIGH",483,"22955300.57"],["O","3-MEDIUM",452,"22564856.40"],["O","4-NOT SPECIFIED",492,"23029548.75"],["O","5-LOW",473,"22542266.26"],["O",null,2432,"118062650.82"],["P","1-URGENT",3,"523642.76"],["P","2-HIGH",6,"1008404.96"],["P","3-MEDIUM",2,"324147.32"],["P","4-NOT SPECIFIED",3,"465041.97"],["P","5-LOW",3,"623065.63"],["P",null,17,"2944302.64"],[null,null,4872,"235379101.95"]]`,
  },
  {
    sql: "SELECT count(*), sum(k) FROM (SELECT l.orderkey AS k FROM lineitem l JOIN (SELECT orderkey FROM orders ORDER BY totalprice DESC, orderkey OFFSET 700) o ON l.orderkey = o.orderkey EXCEPT ALL SELECT orderkey FROM orders WHERE custkey > ALL (SELECT suppkey FROM supplier WHERE nationkey < 20)) x",
    answer: `_col0 bigint, _col1 bigint [[9027,75997085]]`,
  },
  {
    sql: "SELECT p.size, count(*), sum(w.r) FROM (SELECT partkey, rank() OVER (PARTITION BY suppkey ORDER BY extendedprice DESC) AS r FROM lineitem) w RIGHT JOIN part p ON w.partkey = p.partkey WHERE p.retailprice > (SELECT min(supplycost) FROM partsupp) GROUP BY p.size",
    answer: `size integer, _col1 bigint, _col2 bigint [[1,365,113445],[10,400,121425],[11,407,121177],[12,232,70569],[13,216,65865],[14,354,108186],[15,205,57028],[16,448,140115],[17,451,133898],[18,367,109409],[19,331,102070],[2,491,144919],[20,452,136150],[21,349,101538],[22,314,96076],[23,341,93853],[24,464,138953],[25,488,152355],[26,340,110840],[27,320,96492],[28,388,120830],[29,115,33398],[3,289,90290],[30,264,74763],[31,426,130849],[32,446,139169],[33,246,69774],[34,267,79236],[35,415,127896],[36,376,102533],[37,290,75136],[38,162,40341],[39,245,75184],[4,356,109809],[40,306,90552],[41,252,77934],[42,548,174095],[43,256,77952],[44,295,87627],[45,490,153088],[46,337,101307],[47,323,90987],[48,319,91278],[49,408,120793],[5,230,72315],[50,111,33636],[6,214,60056],[7,384,122409],[8,338,96882],[9,368,120253]]`,
  },
  {
    sql: "SELECT mktsegment, orderstatus, count(*), count(DISTINCT nationkey) FROM (SELECT c.mktsegment, o.orderstatus, c.nationkey FROM customer c FULL JOIN orders o ON c.custkey = o.custkey UNION ALL SELECT shipmode, linestatus, suppkey FROM lineitem) x GROUP BY CUBE (mktsegment, orderstatus)",
    answer: `mktsegment varchar(10), orderstatus varchar(1), _col2 bigint, _col3 bigint [["AIR","F",1149,28],["AIR","O",1241,28],["AIR",null,2390,28],["AUTOMOBILE","F",340,22],["AUTOMOBILE","O",392,20],["AUTOMOBILE","P",18,12],["AUTOMOBILE",null,37,20],["AUTOMOBILE",null,787,24],["BUILDING","F",402,24],["BUILDING","O",423,24],["BUILDING","P",14,9],["BUILDING",null,25,15],["BUILDING",null,864,25],["FOB","F",1218,28],["FOB","O",1154,28],["FOB",null,2372,28],["FURNITURE","F",434,23],["FURNITURE","O",474,23],["FURNITURE","P",25,16],["FURNITURE",null,25,16],["FURNITURE",null,958,24],["HOUSEHOLD","F",428,23],["HOUSEHOLD","O",417,23],["HOUSEHOLD","P",22,11],["HOUSEHOLD",null,29,18],["HOUSEHOLD",null,896,24],["MACHINERY","F",417,22],["MACHINERY","O",374,22],["MACHINERY","P",20,10],["MACHINERY",null,24,15],["MACHINERY",null,835,24],["MAIL","F",1174,28],["MAIL","O",1243,28],["MAIL",null,2417,28],["RAIL","F",1161,28],["RAIL","O",1220,28],["RAIL",null,2381,28],["REG AIR","F",1117,28],["REG AIR","O",1255,28],["REG AIR",null,2372,28],["SHIP","F",1173,28],["SHIP","O",1241,28],["SHIP",null,2414,28],["TRUCK","F",1237,28],["TRUCK","O",1216,28],["TRUCK",null,2453,28],[null,"F",10250,29],[null,"O",10650,29],[null,"P",99,24],[null,null,140,25],[null,null,21139,29]]`,
  },
  {
    sql: "SELECT count(*), sum(k), max(n) FROM (SELECT custkey AS k, count(*) AS n FROM orders GROUP BY custkey INTERSECT ALL SELECT partkey, count(*) - 20 FROM (SELECT partkey FROM lineitem UNION ALL SELECT partkey FROM partsupp) y GROUP BY partkey) x WHERE NOT EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = x.k AND l.quantity > 40)",
    answer: `_col0 bigint, _col1 bigint, _col2 bigint [[11,1810,20]]`,
  },
];
