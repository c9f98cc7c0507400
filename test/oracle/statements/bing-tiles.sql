-- Bing tiles: the values of Presto's documentation and tests
SELECT bing_tile(1, 2, 3), ARRAY[bing_tile(1, 2, 10), NULL], typeof(bing_tile('')), ROW(bing_tile('213'), 1);
expect: [[{"x": 1, "y": 2, "zoom": 3}, [{"x": 1, "y": 2, "zoom": 10}, null], "BingTile", [{"x": 3, "y": 5, "zoom": 3}, 1]]]
types: BingTile, array(BingTile), varchar, row(BingTile, integer)
SELECT bing_tile_quadkey(bing_tile(k)) = k, CAST(CAST(CAST(bing_tile(k) AS bigint) AS BingTile) AS bigint) = CAST(bing_tile(k) AS bigint) FROM (VALUES '', '213', '123030123010121', '33333333333333333333333') t (k);
expect: [[true, true], [true, true], [true, true], [true, true]]
SELECT bing_tile_quadkey(bing_tile(0, 0, 0)), bing_tile_quadkey(bing_tile(3, 5, 3)), bing_tile_quadkey(bing_tile(21845, 13506, 15)), bing_tile_zoom_level(bing_tile('123030123010121')), bing_tile_coordinates(bing_tile('123030123010121')).x, bing_tile_coordinates(bing_tile('123030123010121')).y;
expect: [["", "213", "123030123010121", 15, 21845, 13506]]
types: varchar, varchar, varchar, tinyint, integer, integer
SELECT CAST(CAST(1100048498688 AS bigint) AS BingTile);
error: INVALID_CAST_ARGUMENT Invalid bigint tile encoding: 1100048498688
SELECT CAST(288230376151711744 AS BingTile);
error: INVALID_CAST_ARGUMENT Invalid bigint tile encoding: 288230376151711744
SELECT CAST(CAST(-1 AS bigint) AS BingTile);
error: INVALID_CAST_ARGUMENT Invalid bigint tile encoding: -1
SELECT CAST('213' AS BingTile);
error: TYPE_MISMATCH line 1:8: Cannot cast varchar(3) to BingTile
SELECT bing_tile('12345');
error: INVALID_FUNCTION_ARGUMENT Invalid QuadKey digit sequence: 12345
SELECT bing_tile('101010101010101010101010101010100101010101001010');
error: INVALID_FUNCTION_ARGUMENT QuadKey must be 23 characters or less
SELECT bing_tile(10, 2, 3);
error: INVALID_FUNCTION_ARGUMENT XY coordinates for a Bing tile at zoom level 3 must be within [0, 8) range
SELECT bing_tile(2, 7, 37);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be <= 23
SELECT bing_tile_at(30.12, 60, 15) = bing_tile(21845, 13506, 15), bing_tile_at(0, -0.002, 1) = bing_tile(0, 1, 1), bing_tile_at(1e0/512, 0, 1) = bing_tile(1, 0, 1), bing_tile_at(1e0/512, 0, 9) = bing_tile(256, 255, 9);
expect: [[true, true, true, true]]
SELECT bing_tile_at(30.12, 600, 15);
error: INVALID_FUNCTION_ARGUMENT Longitude must be between -180.0 and 180.0
SELECT bing_tile_at(300.12, 60, 15);
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -85.05112878 and 85.05112878
SELECT bing_tile_at(30.12, 60, -1);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be >= 0
SELECT transform(bing_tiles_around(lat, lon, z), t -> bing_tile_quadkey(t)) FROM (VALUES (30.12e0, 60e0, 1), (30.12e0, 60e0, 15), (-85.05112878e0, -180e0, 3), (-85.05112878e0, 0e0, 3), (0e0, 180e0, 2)) t (lat, lon, z);
expect: [[["0", "2", "1", "3"]], [["123030123010102", "123030123010120", "123030123010122", "123030123010103", "123030123010121", "123030123010123", "123030123010112", "123030123010130", "123030123010132"]], [["220", "222", "221", "223"]], [["231", "233", "320", "322", "321", "323"]], [["12", "30", "32", "13", "31", "33"]]]
SELECT array_sort(transform(bing_tiles_around(lat, lon, z, r), t -> bing_tile_quadkey(t))) FROM (VALUES (30.12e0, 60e0, 1, 1000e0), (30.12e0, 60e0, 15, 0.5e0), (30.12e0, 60e0, 19, 0.05e0), (-85.05112878e0, -180e0, 1, 500e0), (-85.05112878e0, -180e0, 5, 200e0), (-85.05112878e0, 180e0, 4, 500e0), (85.05112878e0, -180e0, 4, 500e0), (-85.05112878e0, 0e0, 3, 300e0), (-85.05112878e0, 0e0, 12, 1e0), (0e0, 180e0, 4, 100e0)) t (lat, lon, z, r);
expect: [[["1"]], [["123030123010120", "123030123010121", "123030123010123"]], [["1230301230101212102", "1230301230101212103", "1230301230101212112", "1230301230101212120", "1230301230101212121", "1230301230101212123", "1230301230101212130"]], [["2", "3"]], [["22220", "22221", "22222", "22223", "33330", "33331", "33332", "33333"]], [["2220", "2221", "2222", "2223", "2232", "3323", "3330", "3331", "3332", "3333"]], [["0000", "0001", "0002", "0003", "0010", "1101", "1110", "1111", "1112", "1113"]], [["233", "322"]], [["233333333331", "233333333332", "233333333333", "322222222220", "322222222222", "322222222223"]], [["0222", "1333", "2000", "3111"]]]
SELECT bing_tiles_around(30.12, 60.0, 1, -1);
error: INVALID_FUNCTION_ARGUMENT Radius must be >= 0
SELECT bing_tiles_around(30.12, 60.0, 1, 2000);
error: INVALID_FUNCTION_ARGUMENT Radius must be <= 1,000 km
SELECT bing_tiles_around(30.12, 60.0, 20, 100);
error: INVALID_FUNCTION_ARGUMENT The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: 36699364. Radius: 100.0 km. Zoom level: 20.
SELECT ST_AsText(bing_tile_polygon(bing_tile('123030123010121'))), ST_AsText(ST_Centroid(bing_tile_polygon(bing_tile('123030123010121')))), ST_XMax(bing_tile_polygon(bing_tile(31, 31, 5))), ST_YMin(bing_tile_polygon(bing_tile(31, 31, 5))), ST_YMax(bing_tile_polygon(bing_tile(0, 0, 3))), ST_XMin(bing_tile_polygon(bing_tile(4, 4, 3))), ST_YMax(bing_tile_polygon(bing_tile(4, 4, 3)));
expect: [["POLYGON ((59.996337890625 30.11662158281937, 60.00732421875 30.11662158281937, 60.00732421875 30.12612436422458, 59.996337890625 30.12612436422458, 59.996337890625 30.11662158281937))", "POINT (60.0018310546875 30.12137297352197)", 180, -85.05112877980659, 85.05112877980659, 0, 0]]
SELECT transform(geometry_to_bing_tiles(ST_GeometryFromText(x), z), t -> bing_tile_quadkey(t)) FROM (VALUES ('POINT (60 30.12)', 0), ('POINT (60 30.12)', 10), ('POINT (60 30.12)', 16), ('POLYGON ((0 0, 0 10, 10 10, 10 0, 0 0))', 6), ('POLYGON ((0 0, 0 10, 10 10, 0 0))', 6), ('POLYGON ((10 10, -10 10, -20 -15, 10 10))', 3), ('POLYGON ((10 10, -10 10, -20 -15, 10 10))', 6), ('GEOMETRYCOLLECTION (POINT (60 30.12), POLYGON ((10 10, -10 10, -20 -15, 10 10)))', 3), ('GEOMETRYCOLLECTION (POINT (60 30.12), LINESTRING (61 31, 61.01 31.01), POLYGON EMPTY)', 15), ('POINT EMPTY', 10), ('LINESTRING (-180 -79.19245, -180 -79.17133464081945)', 8), ('POINT (-180 0)', 5), ('POINT (0 85.05112878)', 5), ('POINT (-180 85.05112878)', 5)) t (x, z);
expect: [[[""]], [["1230301230"]], [["1230301230101212"]], [["122220", "122222", "122221", "122223"]], [["122220", "122222", "122221"]], [["033", "211", "122"]], [["211102", "211120", "033321", "033323", "211101", "211103", "211121", "033330", "033332", "211110", "211112", "033331", "033333", "211111", "122220", "122222", "122221"]], [["033", "211", "122", "123"]], [["123030123010121", "123030112310200", "123030112310202", "123030112310201"]], [[]], [["22200000"]], [["20000"]], [["10000"]], [["00000"]]]
SELECT transform(geometry_to_bing_tiles(bing_tile_polygon(bing_tile('1230301230')), z), t -> bing_tile_quadkey(t)) FROM (VALUES 10, 11) t (z);
expect: [[["1230301230"]], [["12303012300", "12303012302", "12303012301", "12303012303"]]]
SELECT transform(geometry_to_bing_tiles(ST_Envelope(ST_GeometryFromText('LINESTRING (59.765625 29.84064389983442, 60.2 30.14512718337612)')), 10), t -> bing_tile_quadkey(t)), cardinality(geometry_to_bing_tiles(ST_Envelope(ST_GeometryFromText('LINESTRING (0 0, 80 80)')), 5)), cardinality(geometry_to_bing_tiles(ST_GeometryFromText('POLYGON ((0 0, 0 20, 20 20, 0 0))'), 14));
expect: [[["1230301230", "1230301231"], 104, 428787]]
SELECT geometry_to_bing_tiles(ST_Point(600, 30.12), 10);
error: INVALID_FUNCTION_ARGUMENT Longitude span for the geometry must be in [-180.00, 180.00] range
SELECT geometry_to_bing_tiles(ST_Point(60, 300.12), 10);
error: INVALID_FUNCTION_ARGUMENT Latitude span for the geometry must be in [-85.05, 85.05] range
SELECT geometry_to_bing_tiles(ST_Point(60, 30.12), 40);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be <= 23
SELECT geometry_to_bing_tiles(ST_Envelope(ST_GeometryFromText('LINESTRING (0 0, 80 80)')), 16);
error: INVALID_FUNCTION_ARGUMENT The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: 370085804. Rectangle: xMin=0.00, yMin=0.00, xMax=80.00, yMax=80.00. Zoom level: 16.
SELECT geometry_to_bing_tiles(ST_GeometryFromText('POLYGON ((0 0, 0 20, 20 20, 0 0))'), 20);
error: INVALID_FUNCTION_ARGUMENT The zoom level is too high to compute a set of covering Bing tiles.
SELECT geometry_to_bing_tiles(ST_GeometryFromText('POLYGON ((0 0, 0 20, 20 20, 0 0))'), 16);
error: INVALID_FUNCTION_ARGUMENT The zoom level is too high or the geometry is too complex to compute a set of covering Bing tiles. Please use a lower zoom level or convert the geometry to its bounding box using the ST_Envelope function.
SELECT transform(geometry_to_dissolved_bing_tiles(ST_GeometryFromText(x), z), t -> bing_tile_quadkey(t)) FROM (VALUES ('POLYGON ((0 0, 0 10, 10 10, 10 0, 0 0))', 6), ('POINT (60 30.12)', 10), ('POLYGON EMPTY', 3)) t (x, z);
expect: [[["12222"]], [["1230301230"]], [[]]]
SELECT bing_tile_quadkey(bing_tile_parent(bing_tile('123'))), bing_tile_quadkey(bing_tile_parent(bing_tile('123'), 0)), transform(bing_tile_children(bing_tile('1')), t -> bing_tile_quadkey(t)), cardinality(bing_tile_children(bing_tile('1'), 4));
expect: [["12", "", ["10", "11", "12", "13"], 64]]
SELECT bing_tile_parent(bing_tile(''));
error: INVALID_FUNCTION_ARGUMENT Cannot call bing_tile_parent on root tile
SELECT bing_tile_parent(bing_tile('12'), 3);
error: INVALID_FUNCTION_ARGUMENT newZoom must be less than or equal to current zoom 2: 3
SELECT bing_tile_children(bing_tile('12'), 1);
error: INVALID_FUNCTION_ARGUMENT newZoom must be greater than or equal to current zoom 2: 1
SELECT bing_tile_children(bing_tile('33333333333333333333333'));
error: INVALID_FUNCTION_ARGUMENT Cannot call bing_tile_children on tile with max zoom level
SELECT bing_tile('213') = bing_tile(3, 5, 3), bing_tile(3, 5, 3) <> bing_tile(3, 5, 4), bing_tile(3, 5, 3) IS DISTINCT FROM NULL;
expect: [[true, true, true]]
SELECT bing_tile('213') < bing_tile('214');
error: TYPE_MISMATCH
SELECT approx_distinct(t), count(DISTINCT t) FROM (SELECT bing_tile(k) t FROM (VALUES '012', '120', '012', '120', '111') v (k));
expect: [[3, 3]]
SELECT bing_tile_coordinates(t).x, count(*) FROM (SELECT bing_tile_at(0, custkey % 180, 3) t FROM customer) GROUP BY t;
duckdb: SELECT ((custkey % 180 + 180) * 8) // 360 AS x, count(*) FROM customer GROUP BY x;
