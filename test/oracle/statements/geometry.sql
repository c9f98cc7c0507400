-- Geometries: the values of Presto's and Trino's documentation and tests
SELECT ST_AsText(ST_Point(1, 4)), ST_AsText(ST_Point(122.3, 10.55)), ST_Point(1.2, 3.4), typeof(ST_Point(1, 2)), ST_AsText(ST_Point(nan(), 1)), ST_AsText(ST_Point(1e300, -1.5e-7));
expect: [["POINT (1 4)", "POINT (122.3 10.55)", "POINT (1.2 3.4)", "Geometry", "POINT EMPTY", "POINT (1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 -0.00000015)"]]
types: varchar, varchar, Geometry, varchar, varchar, varchar
SELECT ST_AsText(ST_LineFromText('LINESTRING EMPTY')), ST_AsText(ST_LineFromText('LINESTRING (1 1, 2 2, 1 3)')), ST_AsText(ST_Polygon('POLYGON ((1 1, 1 4, 4 4, 4 1))')), ST_AsText(ST_Polygon('POLYGON EMPTY'));
expect: [["LINESTRING EMPTY", "LINESTRING (1 1, 2 2, 1 3)", "POLYGON ((1 1, 4 1, 4 4, 1 4, 1 1))", "POLYGON EMPTY"]]
SELECT ST_LineFromText('MULTILINESTRING EMPTY');
error: INVALID_FUNCTION_ARGUMENT ST_LineFromText only applies to LINE_STRING. Input type is: MULTI_LINE_STRING
SELECT ST_Polygon('LINESTRING (1 1, 2 2, 1 3)');
error: INVALID_FUNCTION_ARGUMENT ST_Polygon only applies to POLYGON. Input type is: LINE_STRING
SELECT ST_LineFromText('LINESTRING (0 0, 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: LINESTRING (0 0, 1)
SELECT ST_GeometryFromText('POLYGON(0 0)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POLYGON(0 0)
SELECT TRY(ST_GeometryFromText(x)) IS NULL FROM (VALUES '', 'POINT', 'POINT (1)', 'POINT (1 2', 'POINT (1 2))', 'POINT (1 2) x', 'POINT (a b)', 'CIRCLE (0 0)', 'POINT (1 2, 3 4)', 'LINESTRING ()', 'GEOMETRYCOLLECTION (1 2)', 'POINT (1e999 0)') t (x);
expect: [[true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true]]
SELECT ST_AsText(ST_GeometryFromText(x)) FROM (VALUES 'point(1 2)', 'MULTIPOINT (1 2, 2 4)', 'MultiPoint ((1 2), EMPTY)', 'POINT Z (1 2 3)', 'LINESTRING ZM (1 2 3 4, 5 6 7 8)', 'POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))', 'GEOMETRYCOLLECTION (POINT(4 6), LINESTRING EMPTY, GEOMETRYCOLLECTION EMPTY)', 'MULTIPOLYGON (((1 1, 3 1, 3 3)), EMPTY)', 'POINT (-.5 +1.5E1)') t (x);
expect: [["POINT (1 2)"], ["MULTIPOINT ((1 2), (2 4))"], ["MULTIPOINT ((1 2), EMPTY)"], ["POINT (1 2)"], ["LINESTRING (1 2, 5 6)"], ["POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))"], ["GEOMETRYCOLLECTION (POINT (4 6), LINESTRING EMPTY, GEOMETRYCOLLECTION EMPTY)"], ["MULTIPOLYGON (((1 1, 3 1, 3 3, 1 1)), EMPTY)"], ["POINT (-0.5 15)"]]
SELECT ST_AsText(ST_GeomFromBinary(ST_AsBinary(ST_GeometryFromText(x)))) = x FROM (VALUES 'POINT EMPTY', 'MULTIPOINT EMPTY', 'LINESTRING EMPTY', 'MULTILINESTRING EMPTY', 'POLYGON EMPTY', 'MULTIPOLYGON EMPTY', 'GEOMETRYCOLLECTION EMPTY', 'MULTIPOINT ((0 0), (0 1), (1 1), (0 1))', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))', 'MULTIPOLYGON (((1 1, 3 1, 3 3, 1 3, 1 1)), ((2 4, 6 4, 6 6, 2 6, 2 4)))', 'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 2, 3 4), POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)))') t (x);
expect: [[true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true]]
SELECT ST_AsText(ST_GeomFromBinary(X'00000000014000000000000000C010000000000000')), ST_AsText(ST_GeomFromBinary(X'01010000A0E6100000000000000000F03F00000000000000400000000000000840')), ST_AsText(ST_GeomFromBinary(X'01E9030000000000000000F03F00000000000000400000000000000840'));
expect: [["POINT (2 -4)", "POINT (1 2)", "POINT (1 2)"]]
SELECT ST_GeomFromBinary(from_hex('deadbeef'));
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'0102000000FFFFFFFF0000000000000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_AsText(ST_LineString(ARRAY[ST_Point(1, 2), ST_Point(3, 4), ST_Point(1, 2)])), ST_AsText(ST_LineString(ARRAY[ST_Point(9, 10)])), ST_AsText(ST_LineString(CAST(ARRAY[] AS array(Geometry)))), ST_AsText(ST_MultiPoint(ARRAY[ST_Point(1, 2), ST_Point(1, 2)])), ST_MultiPoint(CAST(ARRAY[] AS array(Geometry)));
expect: [["LINESTRING (1 2, 3 4, 1 2)", "LINESTRING EMPTY", "LINESTRING EMPTY", "MULTIPOINT ((1 2), (1 2))", null]]
SELECT ST_LineString(ARRAY[ST_Point(1, 2), ST_Point(1, 2)]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: consecutive duplicate points at index 2
SELECT ST_LineString(ARRAY[ST_Point(7, 8), ST_GeometryFromText('LINESTRING (1 2, 3 4)')]);
error: INVALID_FUNCTION_ARGUMENT ST_LineString takes only an array of valid points, LineString was passed
SELECT ST_LineString(ARRAY[ST_Point(1, 2), NULL]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: null point at index 2
SELECT ST_LineString(ARRAY[ST_GeometryFromText('POINT EMPTY')]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: empty point at index 1
SELECT ST_MultiPoint(ARRAY[ST_Point(7, 8), ST_GeometryFromText('LINESTRING (1 2, 3 4)')]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_MultiPoint: geometry is not a point: LineString at index 2
SELECT ST_MultiPoint(ARRAY[ST_Point(1, 2), NULL]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_MultiPoint: null at index 2
-- Measures
SELECT ST_Area(ST_GeometryFromText(x)) FROM (VALUES 'POLYGON ((2 2, 2 6, 6 6, 6 2))', 'POLYGON EMPTY', 'LINESTRING (1 4, 2 5)', 'POINT EMPTY', 'GEOMETRYCOLLECTION EMPTY', 'GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)), POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1)), GEOMETRYCOLLECTION (POINT (8 8), LINESTRING (5 5, 6 6), POLYGON ((1 1, 3 1, 3 4, 1 4, 1 1))))') t (x);
expect: [[16], [0], [0], [0], [0], [14]]
SELECT ST_AsText(ST_Centroid(ST_GeometryFromText(x))) FROM (VALUES 'LINESTRING EMPTY', 'POINT (3 5)', 'MULTIPOINT (1 2, 2 4, 3 6, 4 8)', 'LINESTRING (1 1, 2 2, 3 3)', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'POLYGON ((1 1, 1 4, 4 4, 4 1))', 'POLYGON ((1 1, 5 1, 3 4))', 'POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))') t (x);
expect: [["POINT EMPTY"], ["POINT (3 5)"], ["POINT (2.5 5)"], ["POINT (2 2)"], ["POINT (3 2)"], ["POINT (2.5 2.5)"], ["POINT (3 2)"], ["POINT (2.5416666666666665 2.5416666666666665)"]]
SELECT ST_AsText(ST_ConvexHull(ST_GeometryFromText(x))) FROM (VALUES 'POINT EMPTY', 'GEOMETRYCOLLECTION EMPTY', 'GEOMETRYCOLLECTION (POINT (1 1), POINT EMPTY)', 'POINT (1 1)', 'LINESTRING (1 1, 1 9, 2 2)', 'LINESTRING (1 1, 1 9, 2 2, 1 1, 4 0)', 'POLYGON ((0 0, 0 3, 4 4, 1 1, 3 0))', 'LINESTRING (20 20, 30 30)', 'MULTILINESTRING ((0 0, 3 3), (1 1, 2 2), (2 2, 4 4), (5 5, 8 8))', 'MULTILINESTRING ((1 1, 5 1, 6 6), (2 4, 4 0), (2 -4, 4 4), (3 -2, 4 -3))', 'MULTIPOINT (0 2, 1 0, 3 0, 4 0, 4 2, 2 2, 2 4)', 'MULTIPOLYGON (((0 3, 2 0, 3 6), (2 1, 2 3, 5 3, 5 1), (1 7, 2 4, 4 2, 5 6, 3 8)))', 'MULTIPOINT (0 2)') t (x);
expect: [["POINT EMPTY"], ["GEOMETRYCOLLECTION EMPTY"], ["POINT (1 1)"], ["POINT (1 1)"], ["POLYGON ((1 1, 2 2, 1 9, 1 1))"], ["POLYGON ((1 1, 4 0, 1 9, 1 1))"], ["POLYGON ((0 0, 3 0, 4 4, 0 3, 0 0))"], ["LINESTRING (20 20, 30 30)"], ["LINESTRING (0 0, 8 8)"], ["POLYGON ((1 1, 2 -4, 4 -3, 5 1, 6 6, 2 4, 1 1))"], ["POLYGON ((0 2, 1 0, 4 0, 4 2, 2 4, 0 2))"], ["POLYGON ((0 3, 2 0, 5 1, 5 6, 3 8, 1 7, 0 3))"], ["POINT (0 2)"]]
SELECT ST_CoordDim(g), ST_Dimension(g), ST_IsEmpty(g), ST_NumPoints(g), ST_NumGeometries(g), ST_XMax(g), ST_YMax(g), ST_XMin(g), ST_YMin(g) FROM (SELECT ST_GeometryFromText(x) g FROM (VALUES 'POLYGON EMPTY', 'POINT (1.5 2.5)', 'MULTIPOLYGON (((1 10, 1 3, 3 3, 3 10)), ((2 4, 2 6, 6 10, 6 4)))', 'GEOMETRYCOLLECTION (POINT (5 1), LINESTRING (3 4, 4 4))', 'GEOMETRYCOLLECTION (MULTIPOINT EMPTY)') t (x));
expect: [[2, 2, true, 0, 0, null, null, null, null], [2, 0, false, 1, 1, 1.5, 2.5, 1.5, 2.5], [2, 2, false, 8, 2, 6, 10, 1, 3], [2, 1, false, 3, 2, 5, 4, 3, 1], [2, 0, true, 0, 1, null, null, null, null]]
types: tinyint, tinyint, boolean, bigint, integer, double, double, double, double
SELECT ST_IsClosed(ST_GeometryFromText('LINESTRING (1 1, 2 2, 1 3, 1 1)')), ST_IsClosed(ST_GeometryFromText('LINESTRING (1 1, 2 2, 1 3)')), ST_IsRing(ST_GeometryFromText('LINESTRING (8 4, 4 8)')), ST_IsRing(ST_GeometryFromText('LINESTRING (0 0, 1 1, 0 2, 0 0)'));
expect: [[true, false, false, true]]
SELECT ST_IsClosed(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'));
error: INVALID_FUNCTION_ARGUMENT ST_IsClosed only applies to LINE_STRING or MULTI_LINE_STRING. Input type is: POLYGON
SELECT ST_IsSimple(ST_GeometryFromText(x)) FROM (VALUES 'POINT (1.5 2.5)', 'MULTIPOINT (1 2, 2 4, 3 6, 4 8)', 'MULTIPOINT (1 2, 2 4, 3 6, 1 2)', 'LINESTRING (1 1, 2 2, 1 3, 1 1)', 'LINESTRING (0 0, 1 1, 1 0, 0 1)', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 0))', 'POLYGON EMPTY', 'POLYGON ((2 0, 2 1, 3 1))') t (x);
expect: [[true], [true], [false], [true], [false], [true], [false], [true], [true]]
SELECT ST_IsValid(g), geometry_invalid_reason(g) FROM (SELECT ST_GeometryFromText(x) g FROM (VALUES 'POINT EMPTY', 'GEOMETRYCOLLECTION EMPTY', 'MULTIPOLYGON (((1 1, 1 3, 3 3, 3 1)), ((2 4, 2 6, 6 6, 6 4)))', 'POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0), (2 2, 2 3, 3 3, 3 2, 2 2))', 'POLYGON ((0 0, 0 1, 2 1, 1 1, 1 0, 0 0))', 'POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0), (0 1, 1 1, 0.5 0.5, 0 1))', 'MULTIPOLYGON (((0 0, 0 1, 1 1, 1 0, 0 0)), ((0.5 0.5, 0.5 2, 2 2, 2 0.5, 0.5 0.5)))', 'GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 0 1, 2 1, 1 1, 1 0, 0 0)))') t (x));
expect: [[true, null], [true, null], [true, null], [false, "Hole lies outside shell at or near point (2.0, 2.0, NaN)"], [false, "Self-intersection at or near point (1.0, 1.0, NaN)"], [false, "Self-intersection at or near point (0.0, 1.0, NaN)"], [false, "Self-intersection at or near point (0.5, 1.0, NaN)"], [false, "Self-intersection at or near point (1.0, 1.0, NaN)"]]
SELECT ST_IsValid(g), geometry_invalid_reason(g) FROM (SELECT ST_GeometryFromText(x) g FROM (VALUES 'MULTIPOINT ((0 0), (0 1), (1 1), (0 1))', 'LINESTRING (0 0, -1 0.5, 0 1, 1 1, 1 0, 0 1, 0 0)') t (x));
expect: [[true, "[MultiPoint] Repeated point: (0.0 1.0)"], [true, "[LineString] Self-intersection at or near: (0.0 1.0)"]]
SELECT ST_Length(ST_GeometryFromText('LINESTRING EMPTY')), ST_Length(ST_GeometryFromText('LINESTRING (0 0, 2 2)')), ST_Length(ST_GeometryFromText('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))'));
expect: [[0, 2.8284271247461903, 6]]
SELECT ST_Length(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'));
error: INVALID_FUNCTION_ARGUMENT ST_Length only applies to LINE_STRING or MULTI_LINE_STRING. Input type is: POLYGON
SELECT line_locate_point(ST_GeometryFromText(l), ST_GeometryFromText(p)) FROM (VALUES ('LINESTRING (0 0, 0 1)', 'POINT (0 0.2)'), ('LINESTRING (0 0, 0 1)', 'POINT (0 -1)'), ('LINESTRING (0 0, 0 1)', 'POINT (0 2)'), ('LINESTRING (0 0, 0 1, 2 1)', 'POINT (0 0.2)'), ('LINESTRING (0 0, 0 1, 2 1)', 'POINT (0.9 1)'), ('LINESTRING (1 3, 5 4)', 'POINT (2 3)'), ('MULTILINESTRING ((0 0, 0 1), (2 2, 4 2))', 'POINT (3 1)'), ('LINESTRING EMPTY', 'POINT (0 1)'), ('LINESTRING (0 0, 0 1)', 'POINT EMPTY')) t (l, p);
expect: [[0.2], [0], [1], [0.06666666666666667], [0.6333333333333333], [0.23529411764705882], [0.6666666666666666], [null], [null]]
SELECT line_locate_point(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'), ST_Point(0.4, 1));
error: INVALID_FUNCTION_ARGUMENT First argument to line_locate_point must be a LineString or a MultiLineString. Got: Polygon
SELECT ST_AsText(line_interpolate_point(ST_GeometryFromText(l), f)) FROM (VALUES ('LINESTRING EMPTY', 0.5e0), ('LINESTRING (0 0, 1 1, 10 10)', 0e0), ('LINESTRING (0 0, 1 1, 10 10)', 0.1e0), ('LINESTRING (0 0, 1 1, 10 10)', 0.05e0), ('LINESTRING (0 0, 1 1, 10 10)', 0.4e0), ('LINESTRING (0 0, 1 1, 10 10)', 1e0), ('LINESTRING (0 0, 1 1)', 0.1e0), ('LINESTRING (0 0, 1 0, 1 9)', 0.05e0), ('LINESTRING (0 0, 1 0, 1 9)', 0.5e0)) t (l, f);
expect: [[null], ["POINT (0 0)"], ["POINT (1 1)"], ["POINT (0.5 0.5)"], ["POINT (4.000000000000001 4.000000000000001)"], ["POINT (10 10)"], ["POINT (0.1 0.1)"], ["POINT (0.5 0)"], ["POINT (1 4)"]]
SELECT transform(line_interpolate_points(ST_GeometryFromText('LINESTRING (0 0, 1 1, 10 10)'), f), x -> ST_AsText(x)) FROM (VALUES 0e0, 0.4e0, 0.3e0, 0.5e0, 1e0) t (f);
expect: [[["POINT (0 0)"]], [["POINT (4.000000000000001 4.000000000000001)", "POINT (8 8)"]], [["POINT (3 3)", "POINT (6 6)", "POINT (9 9)"]], [["POINT (5.000000000000001 5.000000000000001)", "POINT (10 10)"]], [["POINT (10 10)"]]]
SELECT line_interpolate_point(ST_GeometryFromText('LINESTRING (0 0, 1 0, 1 9)'), 2.0);
error: INVALID_FUNCTION_ARGUMENT fraction must be between 0 and 1
SELECT line_interpolate_points(ST_GeometryFromText('POLYGON ((0 0, 1 1, 0 1, 1 0, 0 0))'), 0.2);
error: INVALID_FUNCTION_ARGUMENT line_interpolate_point only applies to LINE_STRING. Input type is: POLYGON
-- Parts
SELECT ST_NumInteriorRing(ST_GeometryFromText('POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0))')), ST_NumInteriorRing(ST_GeometryFromText('POLYGON ((0 0, 8 0, 0 8, 0 0), (1 1, 1 5, 5 1, 1 1))')), ST_NumPoints(ST_GeometryFromText('POLYGON ((0 0, 8 0, 0 8, 0 0), (1 1, 1 5, 5 1, 1 1))'));
expect: [[0, 1, 6]]
SELECT ST_NumInteriorRing(ST_GeometryFromText('LINESTRING (8 4, 5 7)'));
error: INVALID_FUNCTION_ARGUMENT ST_NumInteriorRing only applies to POLYGON. Input type is: LINE_STRING
SELECT ST_AsText(ST_StartPoint(g)), ST_AsText(ST_EndPoint(g)), ST_AsText(ST_PointN(g, 2)), ST_PointN(g, 0), ST_PointN(g, 10), ST_PointN(g, -1) FROM (SELECT ST_GeometryFromText('LINESTRING (8 4, 4 8, 5 6)') g);
expect: [["POINT (8 4)", "POINT (5 6)", "POINT (4 8)", null, null, null]]
SELECT ST_PointN(ST_GeometryFromText('GEOMETRYCOLLECTION(POINT(4 6),LINESTRING(4 6, 7 10))'), 1);
error: INVALID_FUNCTION_ARGUMENT ST_PointN only applies to LINE_STRING. Input type is: GEOMETRY_COLLECTION
SELECT ST_X(ST_GeometryFromText('POINT (1 2)')), ST_Y(ST_GeometryFromText('POINT (1 2)')), ST_Y(ST_GeometryFromText('POINT EMPTY'));
expect: [[1, 2, null]]
SELECT ST_Y(ST_GeometryFromText('POLYGON ((2 0, 2 1, 3 1))'));
error: INVALID_FUNCTION_ARGUMENT ST_Y only applies to POINT. Input type is: POLYGON
SELECT transform(ST_Points(ST_GeometryFromText(x)), p -> ST_AsText(p)) FROM (VALUES 'LINESTRING EMPTY', 'LINESTRING (0 0, 0 0)', 'POLYGON ((8 4, 3 9, 5 6, 8 4))', 'MULTIPOINT (0 0, 1 2)', 'MULTILINESTRING ((0 0, 1 1), (2 3, 3 2))', 'GEOMETRYCOLLECTION EMPTY') t (x);
expect: [[null], [["POINT (0 0)", "POINT (0 0)"]], [["POINT (8 4)", "POINT (5 6)", "POINT (3 9)", "POINT (8 4)"]], [["POINT (0 0)", "POINT (1 2)"]], [["POINT (0 0)", "POINT (1 1)", "POINT (2 3)", "POINT (3 2)"]], [null]]
SELECT transform(ST_Points(ST_GeometryFromText('MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1)), ((-1 -1, -1 -2, -2 -2, -2 -1, -1 -1)))')), p -> ST_X(p) * 10 + ST_Y(p));
expect: [[[0, 4, 44, 40, 0, 11, 21, 22, 12, 11, -11, -12, -22, -21, -11]]]
SELECT ST_AsText(ST_Boundary(ST_GeometryFromText(x))) FROM (VALUES 'POINT (1 2)', 'LINESTRING EMPTY', 'LINESTRING (8 4, 5 7)', 'LINESTRING (100 150,50 60, 70 80, 160 170)', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'POLYGON ((1 1, 4 1, 1 4))', 'MULTIPOLYGON (((1 1, 1 3, 3 3, 3 1)), ((0 0, 0 2, 2 2, 2 0)))', 'LINESTRING (0 0, 1 1, 0 1, 0 0)', 'MULTILINESTRING ((0 0, 1 1), (1 1, 2 0))') t (x);
expect: [["MULTIPOINT EMPTY"], ["MULTIPOINT EMPTY"], ["MULTIPOINT ((8 4), (5 7))"], ["MULTIPOINT ((100 150), (160 170))"], ["MULTIPOINT ((1 1), (5 1), (2 4), (4 4))"], ["MULTILINESTRING ((1 1, 4 1, 1 4, 1 1))"], ["MULTILINESTRING ((1 1, 3 1, 3 3, 1 3, 1 1), (0 0, 2 0, 2 2, 0 2, 0 0))"], ["MULTIPOINT EMPTY"], ["MULTIPOINT ((0 0), (2 0))"]]
SELECT ST_AsText(ST_Envelope(ST_GeometryFromText(x))) FROM (VALUES 'MULTIPOINT (1 2, 2 4, 3 6, 4 8)', 'LINESTRING EMPTY', 'LINESTRING (8 4, 5 7)', 'GEOMETRYCOLLECTION (POINT (5 1), LINESTRING (3 4, 4 4))') t (x);
expect: [["POLYGON ((1 2, 4 2, 4 8, 1 8, 1 2))"], ["POLYGON EMPTY"], ["POLYGON ((5 4, 8 4, 8 7, 5 7, 5 4))"], ["POLYGON ((3 1, 5 1, 5 4, 3 4, 3 1))"]]
SELECT transform(ST_EnvelopeAsPts(ST_GeometryFromText('LINESTRING (8 4, 5 7)')), p -> ST_AsText(p)), ST_EnvelopeAsPts(ST_GeometryFromText('LINESTRING EMPTY')), ST_AsText(expand_envelope(ST_GeometryFromText('LINESTRING (8 4, 5 7)'), 1));
expect: [[["POINT (5 4)", "POINT (8 7)"], null, "POLYGON ((4 3, 9 3, 9 8, 4 8, 4 3))"]]
SELECT ST_AsText(ST_ExteriorRing(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 1))'))), ST_ExteriorRing(ST_GeometryFromText('POLYGON EMPTY')), transform(ST_InteriorRings(ST_GeometryFromText('POLYGON ((0 0, 0 3, 3 3, 3 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))')), r -> ST_AsText(r)), ST_InteriorRings(ST_GeometryFromText('POLYGON EMPTY')), ST_InteriorRings(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 1))'));
expect: [["LINESTRING (1 1, 4 1, 1 4, 1 1)", null, ["LINESTRING (1 1, 1 2, 2 2, 2 1, 1 1)"], null, []]]
SELECT ST_InteriorRingN(ST_GeometryFromText('MULTIPOINT (1 1, 2 3, 5 8)'), -1);
error: INVALID_FUNCTION_ARGUMENT ST_InteriorRingN only applies to POLYGON. Input type is: MULTI_POINT
SELECT ST_AsText(ST_InteriorRingN(g, n)) FROM (SELECT ST_GeometryFromText('POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1), (3 3, 3 4, 4 4, 4 3, 3 3))') g), (VALUES 0, 1, 2, 3) t (n) ORDER BY n;
expect: [[null], ["LINESTRING (1 1, 1 2, 2 2, 2 1, 1 1)"], ["LINESTRING (3 3, 3 4, 4 4, 4 3, 3 3)"], [null]]
SELECT ST_AsText(ST_GeometryN(ST_GeometryFromText(x), n)) FROM (VALUES ('POINT EMPTY', 1), ('POINT (1 2)', 1), ('POINT (1 2)', 2), ('MULTIPOINT (1 2, 2 4, 3 6, 4 8)', 2), ('MULTIPOINT (1 2, 2 4, 3 6, 4 8)', 0), ('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 2), ('MULTIPOLYGON (((1 1, 3 1, 3 3, 1 3, 1 1)), ((2 4, 6 4, 6 6, 2 6, 2 4)))', 2), ('GEOMETRYCOLLECTION(POINT(2 3), LINESTRING (2 3, 3 4))', 2)) t (x, n);
expect: [[null], ["POINT (1 2)"], [null], ["POINT (2 4)"], [null], ["LINESTRING (2 4, 4 4)"], ["POLYGON ((2 4, 6 4, 6 6, 2 6, 2 4))"], ["LINESTRING (2 3, 3 4)"]]
SELECT transform(ST_Geometries(ST_GeometryFromText(x)), g -> ST_AsText(g)) FROM (VALUES 'POINT EMPTY', 'POINT (1 5)', 'MULTIPOINT (1 2, 4 8, 16 32)', 'GEOMETRYCOLLECTION (MULTIPOINT (0 0, 1 1), GEOMETRYCOLLECTION (MULTILINESTRING ((2 2, 3 3))))') t (x);
expect: [[null], [["POINT (1 5)"]], [["POINT (1 2)", "POINT (4 8)", "POINT (16 32)"]], [["MULTIPOINT ((0 0), (1 1))", "GEOMETRYCOLLECTION (MULTILINESTRING ((2 2, 3 3)))"]]]
SELECT transform(flatten_geometry_collections(ST_GeometryFromText(x)), g -> ST_AsText(g)) FROM (VALUES 'POINT (0 0)', 'MULTIPOINT (0 0, 1 1)', 'GEOMETRYCOLLECTION (POINT (0 0), GEOMETRYCOLLECTION (POINT (1 1)))', 'GEOMETRYCOLLECTION EMPTY') t (x);
expect: [[["POINT (0 0)"]], [["MULTIPOINT ((0 0), (1 1))"]], [["POINT (0 0)", "POINT (1 1)"]], [[]]]
SELECT ST_GeometryType(ST_GeometryFromText(x)) FROM (VALUES 'POINT (1 4)', 'LINESTRING (1 1, 2 2)', 'POLYGON ((1 1, 1 4, 4 4, 4 1))', 'MULTIPOINT (1 1, 2 2)', 'MULTILINESTRING ((1 1, 2 2), (3 3, 4 4))', 'MULTIPOLYGON (((1 1, 1 4, 4 4, 4 1)), ((1 1, 1 4, 4 4, 4 1)))', 'GEOMETRYCOLLECTION(POINT(4 6),LINESTRING(4 6,7 10))') t (x);
expect: [["ST_Point"], ["ST_LineString"], ["ST_Polygon"], ["ST_MultiPoint"], ["ST_MultiLineString"], ["ST_MultiPolygon"], ["ST_GeomCollection"]]
-- Overlays
SELECT ST_AsText(ST_Difference(ST_GeometryFromText(a), ST_GeometryFromText(b))) FROM (VALUES ('POINT (50 100)', 'POINT (150 150)'), ('MULTIPOINT (50 100, 50 200)', 'POINT (50 100)'), ('LINESTRING (50 100, 50 200)', 'LINESTRING (50 50, 50 150)'), ('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'MULTILINESTRING ((2 1, 4 1), (3 3, 7 3))'), ('POLYGON ((1 1, 1 4, 4 4, 4 1))', 'POLYGON ((2 2, 2 5, 5 5, 5 2))'), ('POLYGON ((1 1, 1 4, 4 4, 4 1))', 'POLYGON ((1 1, 1 4, 4 4, 4 1))')) t (a, b);
expect: [["POINT (50 100)"], ["POINT (50 200)"], ["LINESTRING (50 150, 50 200)"], ["MULTILINESTRING ((1 1, 2 1), (4 1, 5 1), (2 4, 4 4))"], ["POLYGON ((1 1, 4 1, 4 2, 2 2, 2 4, 1 4, 1 1))"], ["MULTIPOLYGON EMPTY"]]
SELECT ST_AsText(ST_Intersection(ST_GeometryFromText(a), ST_GeometryFromText(b))) FROM (VALUES ('POINT (50 100)', 'POINT (150 150)'), ('MULTIPOINT (50 100, 50 200)', 'Point (50 100)'), ('LINESTRING (50 100, 50 200)', 'LINESTRING (20 150, 100 150)'), ('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'MULTILINESTRING ((3 4, 6 4), (5 0, 5 4))'), ('POLYGON ((1 1, 1 3, 3 3, 3 1))', 'POLYGON ((4 4, 4 5, 5 5, 5 4))'), ('POLYGON ((1 1, 1 4, 4 4, 4 1))', 'LINESTRING (2 0, 2 3)'), ('POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0))', 'LINESTRING (0 0, 1 -1, 1 2)'), ('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))', 'POLYGON ((-1 4, 1 4, 1 6, -1 6, -1 4))'), ('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))', 'POLYGON ((-1 -1, 0 -1, 0 1, -1 1, -1 -1))'), ('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))', 'POLYGON ((-1 -1, 0 -1, 0 0, -1 0, -1 -1))')) t (a, b);
expect: [["MULTIPOLYGON EMPTY"], ["POINT (50 100)"], ["POINT (50 150)"], ["GEOMETRYCOLLECTION (POINT (5 1), LINESTRING (3 4, 4 4))"], ["MULTIPOLYGON EMPTY"], ["LINESTRING (2 1, 2 3)"], ["GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (1 0, 1 1))"], ["POLYGON ((0 4, 1 4, 1 5, 0 5, 0 4))"], ["LINESTRING (0 0, 0 1)"], ["POINT (0 0)"]]
SELECT ST_AsText(ST_SymDifference(ST_GeometryFromText(a), ST_GeometryFromText(b))) FROM (VALUES ('POINT (50 100)', 'POINT (50 150)'), ('MULTIPOINT (50 100, 60 200)', 'MULTIPOINT (60 200, 70 150)'), ('LINESTRING (50 100, 50 200)', 'LINESTRING (50 50, 50 150)'), ('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'MULTILINESTRING ((3 4, 6 4), (5 0, 5 4))'), ('POLYGON ((1 1, 1 4, 4 4, 4 1))', 'POLYGON ((2 2, 2 5, 5 5, 5 2))'), ('MULTIPOLYGON (((0 0 , 0 2, 2 2, 2 0)), ((2 2, 2 4, 4 4, 4 2)))', 'POLYGON ((0 0, 0 3, 3 3, 3 0))')) t (a, b);
expect: [["MULTIPOINT ((50 100), (50 150))"], ["MULTIPOINT ((50 100), (70 150))"], ["MULTILINESTRING ((50 50, 50 100), (50 150, 50 200))"], ["MULTILINESTRING ((5 0, 5 1), (1 1, 5 1), (5 1, 5 4), (2 4, 3 4), (4 4, 5 4), (5 4, 6 4))"], ["MULTIPOLYGON (((1 1, 4 1, 4 2, 2 2, 2 4, 1 4, 1 1)), ((4 2, 5 2, 5 5, 2 5, 2 4, 4 4, 4 2)))"], ["MULTIPOLYGON (((2 0, 3 0, 3 2, 2 2, 2 0)), ((0 2, 2 2, 2 3, 0 3, 0 2)), ((3 2, 4 2, 4 4, 2 4, 2 3, 3 3, 3 2)))"]]
SELECT ST_AsText(ST_Union(ST_GeometryFromText(a), ST_GeometryFromText(b))) FROM (VALUES ('POINT EMPTY', 'POINT EMPTY'), ('POINT EMPTY', 'POINT (1 2)'), ('POINT (1 2)', 'POINT (1 2)'), ('POINT (1 2)', 'POINT (3 4)'), ('POLYGON ((0 0, 2 0, 2 2, 0 2))', 'POLYGON ((1 0, 3 0, 3 2, 1 2))'), ('POINT (1 1)', 'POLYGON ((0 0, 2 0, 2 2, 0 2))'), ('POINT (9 9)', 'GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2)), LINESTRING (1 1, 1 5))')) t (a, b);
expect: [["POINT EMPTY"], ["POINT (1 2)"], ["POINT (1 2)"], ["MULTIPOINT ((1 2), (3 4))"], ["POLYGON ((0 0, 1 0, 2 0, 3 0, 3 2, 2 2, 1 2, 0 2, 0 0))"], ["POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"], ["GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (1 2, 1 5), POLYGON ((0 0, 2 0, 2 2, 1 2, 0 2, 0 0)))"]]
SELECT ST_AsText(simplify_geometry(ST_GeometryFromText('POLYGON ((1 0, 1 1, 2 1, 2 3, 3 3, 3 1, 4 1, 4 0, 1 0))'), d)) FROM (VALUES 1e0, 0.5e0) t (d);
expect: [["POLYGON ((1 0, 4 0, 3 3, 2 3, 1 0))"], ["POLYGON ((1 0, 4 0, 4 1, 3 1, 3 3, 2 3, 2 1, 1 1, 1 0))"]]
SELECT simplify_geometry(ST_Point(0, 0), -0.5);
error: INVALID_FUNCTION_ARGUMENT distanceTolerance is negative
SELECT round(ST_Area(b), 4), ST_NumPoints(b), ST_XMin(b), ST_YMax(b), ST_IsValid(b) FROM (SELECT ST_Buffer(ST_Point(0, 0), 0.5) b);
expect: [[0.7848, 96, -0.5, 0.5, true]]
SELECT ST_AsText(ST_Buffer(ST_GeometryFromText('LINESTRING (0 0, 1 1, 2 0.5)'), 0)), ST_Buffer(ST_GeometryFromText('POINT EMPTY'), 1), ST_AsText(ST_Buffer(ST_Point(0, 0), infinity())), ST_Contains(ST_Buffer(ST_GeometryFromText('POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0))'), 1.2), ST_GeometryFromText('POLYGON ((-1.19 0, 6.19 0, 6.19 5, -1.19 5, -1.19 0))'));
expect: [["LINESTRING (0 0, 1 1, 2 0.5)", null, "MULTIPOLYGON EMPTY", true]]
SELECT ST_Buffer(ST_Point(0, 0), -1.2);
error: INVALID_FUNCTION_ARGUMENT distance is negative
SELECT ST_Buffer(ST_Point(0, 0), nan());
error: INVALID_FUNCTION_ARGUMENT distance is NaN
SELECT ST_Distance(ST_GeometryFromText(a), ST_GeometryFromText(b)) FROM (VALUES ('POINT (50 100)', 'POINT (150 150)'), ('MULTIPOINT (50 100, 50 200)', 'Point (50 100)'), ('LINESTRING (50 100, 50 200)', 'LINESTRING (10 10, 20 20)'), ('MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'LINESTRING (10 20, 20 50)'), ('POLYGON ((1 1, 1 3, 3 3, 3 1))', 'POLYGON ((4 4, 4 5, 5 5, 5 4))'), ('MULTIPOLYGON (((1 1, 1 3, 3 3, 3 1)), ((0 0, 0 2, 2 2, 2 0)))', 'POLYGON ((10 100, 30 10))'), ('POINT EMPTY', 'POINT (1 2)')) t (a, b);
expect: [[111.80339887498948], [0], [85.44003745317531], [17.08800749063506], [1.4142135623730951], [27.892651361962706], [null]]
SELECT ST_Distance(ST_Point(nationkey, regionkey), ST_Point(1, 2)) FROM nation;
duckdb: SELECT sqrt((nationkey - 1) * (nationkey - 1) + (regionkey - 2) * (regionkey - 2))::double FROM nation;
-- Aggregates: of the points of a grid
SELECT regionkey, ST_AsText(convex_hull_agg(ST_Point(nationkey, regionkey))) FROM nation WHERE nationkey < 3 GROUP BY regionkey;
duckdb: SELECT regionkey, CASE count(*) WHEN 1 THEN 'POINT (' || min(nationkey) || ' ' || regionkey || ')' ELSE 'LINESTRING (' || min(nationkey) || ' ' || regionkey || ', ' || max(nationkey) || ' ' || regionkey || ')' END FROM nation WHERE nationkey < 3 GROUP BY regionkey;
SELECT ST_Equals(convex_hull_agg(p), ST_ConvexHull(ST_MultiPoint(array_agg(p)))), ST_Area(convex_hull_agg(p)) > 0 FROM (SELECT ST_Point(custkey, orderkey % 1000) p FROM orders);
expect: [[true, true]]
SELECT regionkey, ST_Area(geometry_union_agg(ST_GeometryFromText(format('POLYGON ((%d 0, %d 0, %d 1, %d 1))', nationkey, nationkey + 2, nationkey + 2, nationkey)))) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, count(DISTINCT k)::double FROM (SELECT regionkey, unnest([nationkey, nationkey + 1]) AS k FROM nation) GROUP BY regionkey;
SELECT geometry_union_agg(g), convex_hull_agg(g) FROM (VALUES CAST(NULL AS Geometry)) t (g);
expect: [[null, null]]
SELECT ST_AsText(geometry_union(ARRAY[ST_Point(1, 1), NULL, ST_Point(0, 0)])), geometry_union(ARRAY[CAST(NULL AS Geometry)]);
expect: [["MULTIPOINT ((0 0), (1 1))", null]]
SELECT ST_Point(1, 2) = ST_Point(1, 2);
error: TYPE_MISMATCH
SELECT DISTINCT g FROM (VALUES ST_Point(1, 2)) t (g);
error: TYPE_MISMATCH
SELECT CAST(ST_Point(1, 2) AS varchar);
error: TYPE_MISMATCH line 1:8: Cannot cast Geometry to varchar
SELECT ROW(ST_Point(1, 2), 'x'), ARRAY[ST_Point(1, 2), NULL], MAP(ARRAY['a'], ARRAY[ST_Point(3, 4)]);
expect: [[["POINT (1 2)", "x"], ["POINT (1 2)", null], {"a": "POINT (3 4)"}]]
-- Relations
SELECT ST_Contains(a, b), ST_Crosses(a, b), ST_Disjoint(a, b), ST_Equals(a, b), ST_Intersects(a, b), ST_Overlaps(a, b), ST_Touches(a, b), ST_Within(a, b) FROM (SELECT ST_GeometryFromText(l) a, ST_GeometryFromText(r) b, n FROM (VALUES (1, 'POINT (20 20)', 'POINT (25 25)'), (2, 'MULTIPOINT (20 20, 25 25)', 'POINT (25 25)'), (3, 'LINESTRING (20 20, 30 30)', 'MULTIPOINT (25 25, 31 31)'), (4, 'LINESTRING (20 20, 30 30)', 'LINESTRING (25 25, 27 27)'), (5, 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'MULTILINESTRING ((3 4, 6 4), (5 0, 5 4))'), (6, 'POLYGON ((0 0, 0 4, 4 4, 4 0))', 'POLYGON ((1 1, 1 2, 2 2, 2 1))'), (7, 'POLYGON ((1 1, 1 4, 4 4, 4 1))', 'POLYGON ((2 2, 2 5, 5 5, 5 2))'), (8, 'POLYGON ((1 1, 1 3, 3 3, 3 1))', 'POLYGON ((3 3, 3 1, 1 1, 1 3))'), (9, 'POLYGON ((1 1, 1 3, 3 3, 3 1))', 'LINESTRING (0 0, 1 1)'), (10, 'LINESTRING (-2 -2, 6 6)', 'POLYGON ((0 0, 0 4, 4 4, 4 0))'), (11, 'LINESTRING EMPTY', 'POLYGON ((0 0, 0 4, 4 4, 4 0))'), (12, 'LINESTRING (1 1, 3 3)', 'POLYGON ((0 0, 0 4, 4 4, 4 0))')) t (n, l, r)) ORDER BY n;
expect: [[false, false, true, false, false, false, false, false], [true, false, false, false, true, false, false, false], [false, true, false, false, true, false, false, false], [true, false, false, false, true, false, false, false], [false, false, false, false, true, true, false, false], [true, false, false, false, true, false, false, false], [false, false, false, false, true, true, false, false], [true, false, false, true, true, false, false, true], [false, false, false, false, true, false, true, false], [false, true, false, false, true, false, false, false], [false, false, true, false, false, false, false, false], [false, false, false, false, true, false, false, true]]
SELECT ST_Contains(ST_GeometryFromText(null), ST_GeometryFromText('POINT (25 25)'));
expect: [[null]]
SELECT ST_Intersects(p, ST_GeometryFromText('LINESTRING (16.6 53, 16.6 56)')), ST_Intersects(p, ST_GeometryFromText('LINESTRING (16.6667 54.05, 16.8667 54.05)')), ST_Intersects(p, ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (16.6 53, 16.6 56))')) FROM (SELECT ST_GeometryFromText('POLYGON ((16.5 54, 16.5 54.1, 16.51 54.1, 16.8 54))') p);
expect: [[true, false, true]]
SELECT ST_Relate(ST_GeometryFromText('LINESTRING (0 0, 3 3)'), ST_GeometryFromText('LINESTRING (1 1, 4 1)'), '****T****'), ST_Relate(ST_GeometryFromText('POLYGON ((2 0, 2 1, 3 1))'), ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'), '****T****'), ST_Relate(ST_GeometryFromText('POLYGON ((2 0, 2 1, 3 1))'), ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'), 'T********');
expect: [[false, true, false]]
SELECT ST_Relate(ST_Point(1, 2), ST_Point(1, 2), 'T');
error: INVALID_FUNCTION_ARGUMENT Invalid intersection pattern: T
SELECT ST_Contains(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (9 9), POLYGON ((0 0, 2 0, 2 2)))'), ST_Point(1, 0.5));
error: INVALID_FUNCTION_ARGUMENT ST_Contains does not support GEOMETRY_COLLECTION of several dimensions
SELECT n.nationkey, count(*) FROM nation n JOIN customer c ON ST_Contains(ST_GeometryFromText(format('POLYGON ((%d 0, %d 0, %d 2, %d 2))', n.nationkey * 10, n.nationkey * 10 + 5, n.nationkey * 10 + 5, n.nationkey * 10)), ST_Point(c.custkey, 1)) GROUP BY n.nationkey;
duckdb: SELECT n.nationkey, count(*) FROM nation n JOIN customer c ON c.custkey > n.nationkey * 10 AND c.custkey < n.nationkey * 10 + 5 GROUP BY n.nationkey;
SELECT transform(geometry_nearest_points(ST_GeometryFromText(a), ST_GeometryFromText(b)), p -> ST_AsText(p)) FROM (VALUES ('POINT (50 100)', 'POINT (150 150)'), ('LINESTRING (50 100, 50 200)', 'LINESTRING (10 10, 20 20)'), ('POINT EMPTY', 'POINT (1 1)')) t (a, b);
expect: [[["POINT (50 100)", "POINT (150 150)"]], [["POINT (50 100)", "POINT (20 20)"]], [null]]
-- Spheres
SELECT great_circle_distance(36.12, -86.67, 33.94, -118.40), great_circle_distance(42.3601, -71.0589, 42.4430, -71.2290), great_circle_distance(36.12, -86.67, 36.12, -86.67);
expect: [[2886.448973436703, 16.73469743457461, 0]]
SELECT great_circle_distance(100, 20, 30, 40);
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -90 and 90
SELECT great_circle_distance(36.12, nan(), 33.94, -118.40);
error: INVALID_FUNCTION_ARGUMENT Longitude must be between -180 and 180
SELECT to_spherical_geography(ST_GeometryFromText(x)) FROM (VALUES 'POINT EMPTY', 'POINT (-40.2 28.9)', 'MULTIPOINT ((-40.2 28.9), (-40.2 31.9))', 'POLYGON ((-40.2 28.9, -37.2 28.9, -37.2 31.9, -40.2 31.9, -40.2 28.9), (-39.2 29.9, -39.2 30.9, -38.2 30.9, -38.2 29.9, -39.2 29.9))') t (x);
expect: [["POINT EMPTY"], ["POINT (-40.2 28.9)"], ["MULTIPOINT ((-40.2 28.9), (-40.2 31.9))"], ["POLYGON ((-40.2 28.9, -37.2 28.9, -37.2 31.9, -40.2 31.9, -40.2 28.9), (-39.2 29.9, -39.2 30.9, -38.2 30.9, -38.2 29.9, -39.2 29.9))"]]
types: SphericalGeography
SELECT to_spherical_geography(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (-40.2 28.9), LINESTRING (-40.2 28.9, -40.2 131.9))'));
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -90 and 90
SELECT ST_Distance(to_spherical_geography(ST_GeometryFromText(a)), to_spherical_geography(ST_GeometryFromText(b))) FROM (VALUES ('POINT (-86.67 36.12)', 'POINT (-118.40 33.94)'), ('POINT (-71.0589 42.3601)', 'POINT (-71.2290 42.4430)'), ('POINT EMPTY', 'POINT (40 30)')) t (a, b);
expect: [[2886448.973436703], [16734.69743457461], [null]]
SELECT ST_Distance(to_spherical_geography(ST_Point(0, 0)), to_spherical_geography(ST_GeometryFromText('LINESTRING (0 0, 1 1)')));
error: INVALID_FUNCTION_ARGUMENT When applied to SphericalGeography inputs, ST_Distance only supports POINT. Input type is: LINE_STRING
SELECT round(abs(ST_Area(to_spherical_geography(ST_GeometryFromText(x))) / a - 1) * 10000) FROM (VALUES ('POLYGON((-135 85, -45 85, 45 85, 135 85, -135 85))', 619.00E9), ('POLYGON((0 0, 0 1, 1 1, 1 0, 0 0))', 123.64E8), ('POLYGON((-122.150124 37.486095, -122.149201 37.486606,  -122.145725 37.486580, -122.145923 37.483961, -122.149324 37.482480,  -122.150837 37.483238,  -122.150901 37.485392, -122.150124 37.486095))', 163290.93943446054), ('POLYGON((90 0, 0 0, 0 90, 90 0))', 637.58E11), ('POLYGON((90 0, 0 0, 0 90, 90 0), (89 1, 1 1, 1 89, 89 1))', 348.04E10)) t (x, a);
expect: [[0], [0], [0], [0], [0]]
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POLYGON EMPTY')));
expect: [[null]]
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POINT (0 1)')));
error: INVALID_FUNCTION_ARGUMENT When applied to SphericalGeography inputs, ST_Area only supports POLYGON or MULTI_POLYGON. Input type is: POINT
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POLYGON((0 0, 0 1, 1 1, 1 1, 1 0, 0 0))')));
error: INVALID_FUNCTION_ARGUMENT Polygon is not valid: it has two identical consecutive vertices
SELECT round(abs(ST_Length(to_spherical_geography(ST_GeometryFromText(x))) / a - 1) / 1e-4) FROM (VALUES ('LINESTRING (-71.05 42.36, -87.62 41.87, -122.41 37.77)', 4350866.6362e0), ('LINESTRING (0.0 90.0, 0.0 -90.0, 0.0 90.0)', 4.003e7), ('MULTILINESTRING ((-71.05 42.36, -87.62 41.87), (-87.62 41.87, -122.41 37.77))', 4350866.6362e0), ('LINESTRING EMPTY', 1e0), ('MULTILINESTRING (EMPTY)', 1e0)) t (x, a);
expect: [[0], [0], [0], [null], [null]]
SELECT ST_AsText(ST_Centroid(to_spherical_geography(ST_GeometryFromText(x)))) FROM (VALUES 'POINT (3 5)', 'POINT EMPTY', 'MULTIPOINT EMPTY', 'MULTIPOINT (0 -45, 0 45)', 'MULTIPOINT (45 0, -45 0)', 'MULTIPOINT (0 0, -180 0)', 'MULTIPOINT (0 -45, 0 45, 30 0, -30 0)') t (x);
expect: [["POINT (3 5)"], [null], [null], ["POINT (0 0)"], ["POINT (0 0)"], ["POINT (-90 45)"], ["POINT (0 0)"]]
SELECT round(ST_X(to_geometry(c)), 9), ST_Y(to_geometry(c)), typeof(c) FROM (SELECT ST_Centroid(to_spherical_geography(ST_GeometryFromText('MULTIPOINT (0 -45, 0 45, 30 0)'))) c);
expect: [[12.367805159, 0, "SphericalGeography"]]
-- GeoJSON and polylines
SELECT ST_AsText(to_geometry(from_geojson_geometry(to_geojson_geometry(to_spherical_geography(ST_GeometryFromText(x)))))) = x FROM (VALUES 'POINT EMPTY', 'LINESTRING EMPTY', 'POLYGON EMPTY', 'MULTIPOINT EMPTY', 'MULTILINESTRING EMPTY', 'MULTIPOLYGON EMPTY', 'GEOMETRYCOLLECTION EMPTY', 'POINT (1 2)', 'MULTIPOINT ((1 2), (3 4))', 'LINESTRING (0 0, 1 2, 3 4)', 'MULTILINESTRING ((1 1, 5 1), (2 4, 4 4))', 'POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))', 'MULTIPOLYGON (((1 1, 3 1, 3 3, 1 3, 1 1)), ((2 4, 6 4, 6 6, 2 6, 2 4)))', 'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 2, 3 4), POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)))') t (x);
expect: [[true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true], [true]]
SELECT ST_AsText(to_geometry(from_geojson_geometry(x))) FROM (VALUES '{"type":"Point", "coordinates":[0,0], "mykey":"myvalue"}', '{"type":"Point", "coordinates":[]}', '{"type":"MultiLineString", "coordinates":[[[0.0,0.0],[1,10]],[[10,10],[20,30]]]}', '{"type":"Point"}', '{"type":"LineString","coordinates":null}', '{"type":"MultiPoint","invalidField":[[10,10],[20,30]]}', '{"type":"FeatureCollection","features":[]}', '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}') t (x);
expect: [["POINT (0 0)"], ["POINT EMPTY"], ["MULTILINESTRING ((0 0, 1 10), (10 10, 20 30))"], ["POINT EMPTY"], ["LINESTRING EMPTY"], ["MULTIPOINT EMPTY"], ["GEOMETRYCOLLECTION EMPTY"], ["POINT (1 2)"]]
SELECT from_geojson_geometry('{ "data": {"type":"Point","coordinates":[0,0]}}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from Json string.  No 'type' property found.
SELECT TRY(from_geojson_geometry(x)) IS NULL FROM (VALUES '', '{', '[]', '1', '{"type":"Circle"}', '{"type":"Point","coordinates":["a","b"]}', '{"type":"Point","coordinates":[1]}', '{"type":"__proto__"}', '{"type":"Point","coordinates":[200,0]}') t (x);
expect: [[true], [true], [true], [true], [true], [true], [true], [true], [true]]
SELECT geometry_as_geojson(ST_GeometryFromText(x)) FROM (VALUES 'POINT (1 2)', 'POINT EMPTY', 'MULTIPOLYGON EMPTY', 'LINESTRING (0 0.5, 1 -2)', 'POLYGON ((0 0, 1 0, 1 1))', 'GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (1 2, 3 4))') t (x);
expect: [["{\"type\":\"Point\",\"coordinates\":[1,2]}"], [null], ["{\"type\":\"MultiPolygon\",\"coordinates\":[]}"], ["{\"type\":\"LineString\",\"coordinates\":[[0,0.5],[1,-2]]}"], ["{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}"], ["{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2]},{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,4]]}]}"]]
SELECT ST_AsText(geometry_from_geojson('{"type":"Point","coordinates":[1000,2]}')), geometry_from_geojson(NULL);
expect: [["POINT (1000 2)", null]]
SELECT geometry_from_geojson('{"type":"Point","coordinates":[]}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Geometry is empty.
SELECT to_encoded_polyline(ST_GeometryFromText('LINESTRING (-120.2 38.5, -120.95 40.7, -126.453 43.252)')), to_encoded_polyline(ST_GeometryFromText('MULTIPOINT (-120.2 38.5, -120.95 40.7, -126.453 43.252)')), to_encoded_polyline(ST_GeometryFromText('LINESTRING EMPTY')), ST_AsText(from_encoded_polyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@')), ST_AsText(from_encoded_polyline(''));
expect: [["_p~iF~ps|U_ulLnnqC_mqNvxq`@", "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "", "LINESTRING (-120.2 38.5, -120.95 40.7, -126.453 43.252)", "LINESTRING EMPTY"]]
SELECT to_encoded_polyline(ST_Point(1, 2));
error: INVALID_FUNCTION_ARGUMENT to_encoded_polyline only applies to LINE_STRING or MULTI_POINT. Input type is: POINT
SELECT from_encoded_polyline('_p~iF');
error: INVALID_FUNCTION_ARGUMENT Input is not an encoded polyline
