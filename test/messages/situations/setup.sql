-- What the statements of the other files refer to.
CREATE SCHEMA memory.s1;
CREATE TABLE memory.s1.t1 (a bigint, b bigint, c bigint, d bigint);
CREATE TABLE memory.s1.t2 (a bigint, b bigint);
CREATE TABLE memory.s1.words (name varchar(5), n integer, m map(integer, varchar), x decimal(5, 2));
INSERT INTO memory.s1.t1 VALUES (1, 2, 3, 4), (5, 6, 7, 8);
INSERT INTO memory.s1.t2 VALUES (1, 2);
CREATE VIEW memory.s1.v1 AS SELECT a, b, c, d FROM memory.s1.t1;
