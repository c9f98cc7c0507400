/**
 * Every function that Presto's documentation names, by family, exists in the function registry.
 */
import { expect, test } from "vitest";
import { listFunctions } from "../../../src/functions/registry/registry.ts";

const families: Readonly<Record<string, string>> = {
  aggregate: `arbitrary array_agg avg bool_and bool_or every checksum count count_if geometric_mean max min max_by min_by sum
    bitwise_and_agg bitwise_or_agg histogram map_agg map_union multimap_agg approx_distinct approx_most_frequent approx_percentile
    approx_set merge numeric_histogram qdigest_agg tdigest_agg corr covar_pop covar_samp regr_intercept regr_slope kurtosis skewness
    stddev stddev_pop stddev_samp variance var_pop var_samp reduce_agg listagg`,
  window: "cume_dist dense_rank ntile percent_rank rank row_number first_value last_value nth_value lead lag",
  math: `abs cbrt ceil ceiling degrees e exp floor ln log log2 log10 mod pi pow power radians round sign sqrt truncate width_bucket rand
    random acos asin atan atan2 cos cosh sin tan tanh infinity nan is_finite is_infinite is_nan from_base to_base cosine_similarity
    normal_cdf inverse_normal_cdf beta_cdf inverse_beta_cdf wilson_interval_lower wilson_interval_upper`,
  bitwise: `bit_count bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift bitwise_right_shift_arithmetic`,
  string: `chr codepoint concat concat_ws format hamming_distance length levenshtein_distance lower upper lpad rpad ltrim rtrim trim
    luhn_check normalize replace reverse split split_part split_to_map split_to_multimap strpos starts_with substr substring translate
    word_stem to_utf8 from_utf8`,
  regexp: "regexp_like regexp_extract regexp_extract_all regexp_replace regexp_split regexp_count regexp_position",
  binary: `to_base64 from_base64 to_base64url from_base64url to_hex from_hex to_big_endian_64 from_big_endian_64 to_big_endian_32
    from_big_endian_32 to_ieee754_32 from_ieee754_32 to_ieee754_64 from_ieee754_64 crc32 md5 sha1 sha256 sha512 xxhash64 spooky_hash_v2_32
    spooky_hash_v2_64 murmur3 hmac_md5 hmac_sha1 hmac_sha256 hmac_sha512`,
  date: `date last_day_of_month from_iso8601_date from_iso8601_timestamp from_iso8601_timestamp_nanos to_iso8601 from_unixtime
    from_unixtime_nanos to_unixtime to_milliseconds at_timezone with_timezone date_trunc date_add date_diff parse_duration
    human_readable_seconds date_format date_parse format_datetime parse_datetime year quarter month week week_of_year year_of_week yow day
    day_of_month day_of_week dow day_of_year doy hour minute second millisecond timezone_hour timezone_minute`,
  array: `all_match any_match none_match array_distinct array_except array_intersect array_union array_join array_max array_min
    array_position array_remove array_sort arrays_overlap cardinality combinations contains contains_sequence element_at filter flatten
    ngrams reduce repeat sequence shuffle slice transform zip zip_with`,
  map: `map map_from_entries multimap_from_entries map_entries map_concat map_filter map_keys map_values map_zip_with transform_keys
    transform_values`,
  json: `is_json_scalar json_array_contains json_array_get json_array_length json_extract json_extract_scalar json_format json_parse
    json_size`,
  conditional: "greatest least typeof parse_presto_data_size",
  url: `url_extract_fragment url_extract_host url_extract_parameter url_extract_path url_extract_port url_extract_protocol
    url_extract_query url_encode url_decode`,
  // Functions of later versions, and of Presto's plugins.
  later: `regr_avgx regr_avgy regr_count regr_r2 regr_sxx regr_sxy regr_syy bitwise_xor_agg set_agg set_union map_union_sum trim_array
    array_first array_last array_histogram array_sum array_average array_cum_sum array_frequency array_duplicates array_has_duplicates
    array_least_frequent array_max_by array_min_by array_normalize array_sort_desc array_top_n array_split_into_chunks remove_nulls
    find_first find_first_index map_subset map_key_exists map_top_n map_top_n_keys map_top_n_values map_keys_by_top_n_values map_normalize
    map_remove_null_values any_keys_match all_keys_match no_keys_match any_values_match no_values_match to_base32 from_base32 ends_with
    strrpos replace_first trail longest_common_prefix bit_length soundex dot_product euclidean_distance cosine_distance binomial_cdf
    inverse_binomial_cdf cauchy_cdf inverse_cauchy_cdf chi_squared_cdf inverse_chi_squared_cdf f_cdf inverse_f_cdf gamma_cdf
    inverse_gamma_cdf laplace_cdf inverse_laplace_cdf poisson_cdf inverse_poisson_cdf weibull_cdf inverse_weibull_cdf entropy timezone`,
  network: `ip_prefix ip_subnet_min ip_subnet_max ip_subnet_range is_subnet_of ip_prefix_collapse ip_prefix_subnets is_private_ip`,
  setDigest: "make_set_digest merge_set_digest cardinality intersection_cardinality jaccard_index hash_counts",
  geometry: `st_asbinary st_astext st_geometryfromtext st_geomfrombinary st_linefromtext st_linestring st_multipoint st_point st_polygon
    to_spherical_geography to_geometry st_contains st_crosses st_disjoint st_equals st_intersects st_overlaps st_relate st_touches
    st_within geometry_union st_boundary st_buffer st_difference st_envelope st_envelopeaspts expand_envelope st_exteriorring
    st_intersection st_symdifference st_union st_area st_centroid st_convexhull st_coorddim st_dimension st_distance
    geometry_nearest_points st_geometryn st_interiorringn st_geometrytype st_isclosed st_isempty st_issimple st_isring st_isvalid
    st_length st_pointn st_points st_xmax st_ymax st_xmin st_ymin st_startpoint st_endpoint st_x st_y st_interiorrings st_numgeometries
    st_geometries flatten_geometry_collections st_numpoints st_numinteriorring simplify_geometry line_locate_point line_interpolate_point
    line_interpolate_points geometry_invalid_reason great_circle_distance geometry_as_geojson geometry_from_geojson to_geojson_geometry
    from_geojson_geometry to_encoded_polyline from_encoded_polyline convex_hull_agg geometry_union_agg`,
  bingTile: `bing_tile bing_tile_parent bing_tile_children bing_tile_at bing_tiles_around bing_tile_coordinates bing_tile_polygon
    bing_tile_quadkey bing_tile_zoom_level geometry_to_bing_tiles geometry_to_dissolved_bing_tiles`,
  learning: `features learn_classifier learn_libsvm_classifier learn_regressor learn_libsvm_regressor classify regress
    evaluate_classifier_predictions`,
  other: "uuid version empty_approx_set value_at_quantile values_at_quantiles bar color render rgb",
};

const known = new Set(listFunctions().map(({ name }) => name));

test.each(Object.entries(families))("functions of the family %s", (_, names) => {
  const missing = names.split(/\s+/).filter((name) => !known.has(name));
  expect(missing).toEqual([]);
});
