-- IP prefixes: the values that Presto's documentation and tests give, and the same from the numbers of the addresses
SELECT CAST('::ffff:1.2.3.4/24' AS IPPREFIX), IPPREFIX '255.2.3.4/0', IPPREFIX '255.2.3.4/1', IPPREFIX '1.2.3.255/25', IPPREFIX '1.2.3.255/30', IPPREFIX '1.2.3.255/32';
expect: [["1.2.3.0/24", "0.0.0.0/0", "128.0.0.0/1", "1.2.3.128/25", "1.2.3.252/30", "1.2.3.255/32"]]
types: ipprefix, ipprefix, ipprefix, ipprefix, ipprefix, ipprefix
SELECT IPPREFIX '2001:db8:0:0:1::1/128', IPPREFIX 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/0', IPPREFIX 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/1', IPPREFIX 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/112', IPPREFIX 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/127', IPPREFIX '64:ff9b::10.0.0.0/128';
expect: [["2001:db8::1:0:0:1/128", "::/0", "8000::/1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:0/112", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127", "64:ff9b::a00:0/128"]]
SELECT CAST('facebook.com/32' AS IPPREFIX);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: facebook.com/32
SELECT CAST('2001:db8::1::1/128' AS IPPREFIX);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 2001:db8::1::1/128
SELECT CAST('192.1.1.1' AS IPPREFIX);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 192.1.1.1
SELECT CAST('192.1.1.1/128' AS IPPREFIX);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 192.1.1.1/128
SELECT TRY(CAST(x AS ipprefix)) FROM (VALUES '1.2.3.4/', '/8', '1.2.3.4/-1', '1.2.3.4/8/8', '1.2.3.4/+8', '1.2.3.4/ 8', '::1/129', '1.2.3.4/08') t (x);
expect: [[null], [null], [null], [null], [null], [null], [null], ["1.0.0.0/8"]]
SELECT CAST(IPPREFIX '::ffff:102:304/32' AS VARCHAR), CAST(IPPREFIX '2001:0db8:0000:0000:0000:ff00:0042:8329/128' AS VARCHAR), typeof(IPPREFIX '10.0.0.0/8'), CAST(IPPREFIX '1.2.3.4/32' AS varchar(10));
expect: [["1.2.3.4/32", "2001:db8::ff00:42:8329/128", "ipprefix", "1.2.3.4/32"]]
SELECT CAST(IPPREFIX '1.2.3.4/24' AS IPADDRESS), CAST(IPPREFIX '2001:db8::ff00:42:8329/64' AS IPADDRESS), CAST(IPADDRESS '::ffff:102:304' AS IPPREFIX), CAST(IPADDRESS '2001:db8::ff00:42:8329' AS IPPREFIX);
expect: [["1.2.3.0", "2001:db8::", "1.2.3.4/32", "2001:db8::ff00:42:8329/128"]]
types: ipaddress, ipaddress, ipprefix, ipprefix
SELECT CAST(X'00' AS ipprefix);
error: TYPE_MISMATCH line 1:8: Cannot cast varbinary to ipprefix
SELECT IPPREFIX '10.0.0.0/32' = IPPREFIX '::ffff:a00:0/32', CAST('1.2.3.4/24' AS IPPREFIX) = IPPREFIX '1.2.3.5/24', IPPREFIX '1.2.0.0/24' = IPPREFIX '1.2.0.0/25', CAST(NULL AS IPPREFIX) IS DISTINCT FROM IPPREFIX '2001:db8::ff00:42:8328/128';
expect: [[true, true, false, true]]
SELECT IPPREFIX '2001:db8::ff00:42:8329/128' > IPPREFIX '1.2.3.4/32', IPPREFIX '1.2.0.0/24' < IPPREFIX '1.2.0.0/25', IPPREFIX '::1/128' <= IPPREFIX '1.2.3.5/32', IPPREFIX '::2222/128' BETWEEN IPPREFIX '::/128' AND IPPREFIX '::1234/128';
expect: [[true, true, true, false]]
SELECT ip_prefix(IPADDRESS '1.2.3.4', 24), ip_prefix('1.2.3.4', 0), ip_prefix('::ffff:1.2.3.4', 24), ip_prefix('64:ff9b::17', 64), ip_prefix(IPADDRESS '64:ff9b::17', 127), ip_prefix('64:ff9b::17', 0);
expect: [["1.2.3.0/24", "0.0.0.0/0", "1.2.3.0/24", "64:ff9b::/64", "64:ff9b::16/127", "::/0"]]
SELECT ip_prefix('::ffff:1.2.3.4', 33);
error: INVALID_FUNCTION_ARGUMENT IPv4 subnet size must be in range [0, 32]
SELECT ip_prefix(IPADDRESS '64:ff9b::10', -1);
error: INVALID_FUNCTION_ARGUMENT IPv6 subnet size must be in range [0, 128]
SELECT ip_prefix('64:face:book::10', 24);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPADDRESS: 64:face:book::10
SELECT ip_subnet_min(IPPREFIX '64:ff9b::17/127'), ip_subnet_min(IPPREFIX '64:ff9b::17/0'), ip_subnet_max(IPPREFIX '10.1.16.3/9'), ip_subnet_max(IPPREFIX '64:ff9b::17/72'), ip_subnet_max(IPPREFIX '64:ff9b::17/0');
expect: [["64:ff9b::16", "::", "10.127.255.255", "64:ff9b::ff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]]
types: ipaddress, ipaddress, ipaddress, ipaddress, ipaddress
SELECT ip_subnet_range(IPPREFIX '10.1.6.46/0'), ip_subnet_range(IPPREFIX '64:ff9b::52f4/120');
expect: [[["0.0.0.0", "255.255.255.255"], ["64:ff9b::5200", "64:ff9b::52ff"]]]
SELECT is_subnet_of(IPPREFIX '1.2.3.128/0', IPADDRESS '192.168.5.1'), is_subnet_of(IPPREFIX '64:ff9b::17/64', IPADDRESS '64:ff9b::ffff:ff'), is_subnet_of(IPPREFIX '64:ff9b::17/64', IPADDRESS '64:ffff::17'), is_subnet_of(IPPREFIX '1.2.3.128/26', IPADDRESS '1.2.5.1');
expect: [[true, true, false, false]]
SELECT is_subnet_of(IPPREFIX '2804:431:b000::/37', IPPREFIX '2804:431:b000::/38'), is_subnet_of(IPPREFIX '2804:431:b000::/38', IPPREFIX '2804:431:b000::/37'), is_subnet_of(IPPREFIX '170.0.52.0/22', IPPREFIX '170.0.52.0/24'), is_subnet_of(IPPREFIX '170.0.52.0/24', IPPREFIX '170.0.52.0/22'), is_subnet_of(IPPREFIX '1.2.3.128/26', IPPREFIX '1.2.3.128/26');
expect: [[true, false, true, false, true]]
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '192.168.1.0/24', IPPREFIX '192.168.0.0/24', IPPREFIX '192.168.2.0/24', IPPREFIX '192.168.9.0/24']), ip_prefix_collapse(ARRAY[IPPREFIX '2620:10d:c090::/48', IPPREFIX '2620:10d:c091::/48']);
expect: [[["192.168.0.0/23", "192.168.2.0/24", "192.168.9.0/24"], ["2620:10d:c090::/47"]]]
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '2804:13c:4d6:e200::/56', IPPREFIX '2804:13c:4d6:dd00::/56', IPPREFIX '2804:13c:4d6:dc00::/56', IPPREFIX '2804:13c:4d6:de00::/56']);
expect: [[["2804:13c:4d6:dc00::/55", "2804:13c:4d6:de00::/56", "2804:13c:4d6:e200::/56"]]]
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '10.0.64.0/18', IPPREFIX '10.2.0.0/15', IPPREFIX '10.0.0.0/8', IPPREFIX '11.0.0.0/8', IPPREFIX '172.168.32.0/20', IPPREFIX '172.168.0.0/18']), ip_prefix_collapse(ARRAY[IPPREFIX '10.0.0.0/8', IPPREFIX '10.0.0.0/7']), ip_prefix_collapse(CAST(ARRAY[] AS ARRAY(IPPREFIX))), ip_prefix_collapse(CAST(NULL AS ARRAY(IPPREFIX)));
expect: [[["10.0.0.0/7", "172.168.0.0/18"], ["10.0.0.0/7"], [], null]]
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '0.0.0.0/1', IPPREFIX '128.0.0.0/2', IPPREFIX '192.0.0.0/2']), ip_prefix_collapse(ARRAY[IPPREFIX '8000::/1', IPPREFIX '::/1']);
expect: [[["0.0.0.0/0"], ["::/0"]]]
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '192.168.0.0/22', CAST(NULL AS IPPREFIX)]);
error: INVALID_FUNCTION_ARGUMENT ip_prefix_collapse does not support null elements
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '192.168.0.0/22', IPPREFIX '2409:4043:251a:d200::/56']);
error: INVALID_FUNCTION_ARGUMENT All IPPREFIX elements must be the same IP version.
SELECT ip_prefix_subnets(IPPREFIX '192.168.0.0/24', 26), ip_prefix_subnets(IPPREFIX '2a03:2880:c000::/34', 36), ip_prefix_subnets(IPPREFIX '192.168.1.0/24', 24), ip_prefix_subnets(IPPREFIX '192.168.1.0/24', 23);
expect: [[["192.168.0.0/26", "192.168.0.64/26", "192.168.0.128/26", "192.168.0.192/26"], ["2a03:2880:c000::/36", "2a03:2880:d000::/36", "2a03:2880:e000::/36", "2a03:2880:f000::/36"], ["192.168.1.0/24"], []]]
SELECT ip_prefix_subnets(IPPREFIX '192.168.0.0/24', 33);
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length for IPv4: 33
SELECT ip_prefix_subnets(IPPREFIX '64:ff9b::17/64', -1);
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length for IPv6: -1
SELECT ip_prefix_subnets(IPPREFIX '::/0', 128);
error: INVALID_FUNCTION_ARGUMENT result of ip_prefix_subnets must not have more than 1000000 entries
SELECT DISTINCT is_private_ip(CAST(x AS ipaddress)) FROM (VALUES '0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.255', '192.0.2.0', '192.88.99.255', '192.168.55.99', '198.18.0.0', '198.19.255.255', '198.51.100.0', '203.0.113.255', '240.0.0.0', '255.255.255.255', '::', '::1', '100::ffff:ffff:ffff:ffff', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '2001:2::', '2001:db8::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '5f00::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff') t (x);
expect: [[true]]
SELECT DISTINCT is_private_ip(CAST(x AS ipaddress)) FROM (VALUES '6.7.8.9', '157.240.200.99', '8.8.8.8', '128.1.2.8', '2a03:2880:f031:12:face:b00c:0:2', '2600:1406:6c00::173c:ad43', '2607:f8b0:4007:818::2004', '1.0.0.0', '11.0.0.0', '100.128.0.0', '172.32.0.0', '2001:200::', 'fec0::') t (x);
expect: [[false]]
SELECT is_private_ip(NULL);
expect: [[null]]
-- Trino's contains(network, address)
SELECT contains('10.0.0.0/8', IPADDRESS '10.255.255.255'), contains('10.0.0.0/8', IPADDRESS '11.255.255.255'), contains('2001:0db8:0:0:0:ff00:0042:8329/128', IPADDRESS '2001:0db8:0:0:0:ff00:0042:8329'), contains('2001:0db8:0:0:0:ff00:0042:8329/128', IPADDRESS '2001:0db8:0:0:0:ff00:0042:8328'), contains(NULL, IPADDRESS '::');
expect: [[true, false, true, false, null]]
SELECT contains('255.253.0.0/14', IPADDRESS '0.0.0.0');
error: INVALID_FUNCTION_ARGUMENT Invalid CIDR
SELECT contains('x.x.x.x', IPADDRESS '0.0.0.0');
error: INVALID_FUNCTION_ARGUMENT Invalid CIDR
SELECT contains('2001:0DB8:0:CD3/60', IPADDRESS '2001:0DB8::CD30:0:0:0:0');
error: INVALID_FUNCTION_ARGUMENT Invalid network IP address
SELECT contains('64:ff9b::10.0.0.0/129', IPADDRESS '0.0.0.0');
error: INVALID_FUNCTION_ARGUMENT Prefix length exceeds address length
SELECT contains('10.0.0.0/x', IPADDRESS '0.0.0.0');
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length
-- As keys, inside other values, and against the numbers of the addresses
SELECT p, count(*) FROM (SELECT ip_prefix(CAST('10.' || CAST(nationkey AS varchar) || '.0.1' AS ipaddress), 12) p FROM nation) GROUP BY p ORDER BY p;
expect: [["10.0.0.0/12", 16], ["10.16.0.0/12", 9]]
SELECT count(*) FROM (SELECT ip_prefix('10.0.' || CAST(custkey % 256 AS varchar) || '.1', 20) p, custkey FROM customer) c JOIN (SELECT ip_prefix('10.0.' || CAST(16 * nationkey AS varchar) || '.9', 20) q FROM nation WHERE nationkey < 10) n ON p = q;
duckdb: SELECT count(*) FROM customer WHERE custkey % 256 // 16 < 10;
SELECT orderkey, is_subnet_of(ip_prefix('10.0.' || CAST(orderkey % 256 AS varchar) || '.0', 16 + orderkey % 9), CAST('10.0.' || CAST(custkey % 256 AS varchar) || '.77' AS ipaddress)) FROM orders WHERE orderkey < 2000;
duckdb: SELECT orderkey, ((orderkey % 256)::integer >> (8 - orderkey % 9)::integer) = ((custkey % 256)::integer >> (8 - orderkey % 9)::integer) FROM orders WHERE orderkey < 2000;
SELECT ROW(IPPREFIX '1.2.3.4/24', 1), MAP(ARRAY[IPPREFIX '::/0'], ARRAY[IPPREFIX '9.0.0.0/8']), ARRAY[IPPREFIX '1.2.3.4/24', NULL];
expect: [[["1.2.3.0/24", 1], {"::/0": "9.0.0.0/8"}, ["1.2.3.0/24", null]]]
SELECT array_sort(ARRAY[IPPREFIX '9.0.0.0/9', IPPREFIX '9.0.0.0/8', IPPREFIX '::/0']), max(p), min(p), count(DISTINCT p), approx_distinct(p) FROM (VALUES IPPREFIX '9.0.0.0/9', IPPREFIX '9.0.0.0/8') t (p);
expect: [[["::/0", "9.0.0.0/8", "9.0.0.0/9"], "9.0.0.0/9", "9.0.0.0/8", 2, 2]]
