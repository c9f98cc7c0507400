-- What generated statements found (see ../fuzz)
SELECT count(DISTINCT 4) FROM nation;
SELECT count(*), count(DISTINCT CAST(NULL AS integer)), sum(DISTINCT 2) FROM nation;
SELECT regionkey = 1, count(DISTINCT 4) FILTER (WHERE regionkey = 2), count(DISTINCT regionkey = 2) FROM nation GROUP BY 1;
