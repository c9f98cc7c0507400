-- SHOW STATS and the formats of EXPLAIN.
SHOW STATS FOR region;
types: varchar, double, double, double, double, varchar, varchar
expect: [["regionkey", null, 5, 0, null, "0", "4"], ["name", 34, 5, 0, null, null, null], ["comment", 357.5, 5, 0, null, null, null], [null, null, null, null, 5, null, null]]
SHOW STATS FOR (SELECT regionkey FROM region);
expect: [["regionkey", null, 5, 0, null, "0", "4"], [null, null, null, null, 5, null, null]]
SHOW STATS FOR nosuch;
error: TABLE_NOT_FOUND line 1:16: Table 'tpch.tiny.nosuch' does not exist
SHOW STATS FOR (SELECT nosuch FROM region);
error: COLUMN_NOT_FOUND line 1:24: Column 'nosuch' cannot be resolved
EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT 1 AS x;
expect: [["{\n  \"id\": \"0\",\n  \"name\": \"Output\",\n  \"identifier\": \"[x]\",\n  \"outputs\": [\n    {\n      \"symbol\": \"x\",\n      \"type\": \"integer\"\n    }\n  ],\n  \"details\": [],\n  \"estimates\": [\n    {\n      \"outputRowCount\": 1,\n      \"outputSizeInBytes\": 5\n    }\n  ],\n  \"children\": [\n    {\n      \"id\": \"1\",\n      \"name\": \"Values\",\n      \"identifier\": \"\",\n      \"outputs\": [\n        {\n          \"symbol\": \"x\",\n          \"type\": \"integer\"\n        }\n      ],\n      \"details\": [\n        \"(1)\"\n      ],\n      \"estimates\": [\n        {\n          \"outputRowCount\": 1,\n          \"outputSizeInBytes\": 5\n        }\n      ],\n      \"children\": [],\n      \"remoteSources\": []\n    }\n  ],\n  \"remoteSources\": []\n}"]]
EXPLAIN (TYPE LOGICAL, FORMAT GRAPHVIZ) SELECT 1 AS x;
expect: [["digraph logical_plan {\nsubgraph cluster_graphviz_plan {\nlabel = \"SINGLE\"\nplannode_0[label=\"{Output|[x]}\", style=\"rounded, filled\", shape=record, fillcolor=white];\nplannode_1[label=\"{Values|(1)}\", style=\"rounded, filled\", shape=record, fillcolor=white];\n}\nplannode_0 -> plannode_1;\n}\n"]]
EXPLAIN (TYPE DISTRIBUTED, FORMAT GRAPHVIZ) SELECT count(*) FROM region;
expect: [["digraph distributed_plan {\nsubgraph cluster_0 {\nlabel = \"SINGLE\"\nplannode_0[label=\"{Output|[_col0]\\n_col0 := count}\", style=\"rounded, filled\", shape=record, fillcolor=white];\nplannode_1[label=\"{Aggregate(FINAL)|count := count(\\\"count_1\\\")}\", style=\"rounded, filled\", shape=record, fillcolor=white];\nplannode_2[label=\"{RemoteSource|[1]}\", style=\"rounded, filled\", shape=record, fillcolor=white];\n}\nsubgraph cluster_1 {\nlabel = \"SOURCE\"\nplannode_3[label=\"{Aggregate(PARTIAL)|count_1 := count(*)}\", style=\"rounded, filled\", shape=record, fillcolor=white];\nplannode_4[label=\"{TableScan|[tpch:tiny.region]}\", style=\"rounded, filled\", shape=record, fillcolor=white];\n}\nplannode_0 -> plannode_1;\nplannode_1 -> plannode_2;\nplannode_3 -> plannode_4;\nplannode_2 -> plannode_3;\n}\n"]]
