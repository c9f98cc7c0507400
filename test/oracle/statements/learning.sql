-- Presto's ml functions: the documented values, and data that has one right answer
SELECT features(1.0, 2.0, 3.0), typeof(features(1));
expect: [[{"0": 1, "1": 2, "2": 3}, "map(bigint, double)"]]
SELECT classify(features(1, 2), model) FROM (SELECT learn_classifier(labels, features) AS model FROM (VALUES (1, features(1, 2))) t(labels, features)) t2;
expect: [[1]]
types: bigint
SELECT classify(features(1, 2), model) FROM (SELECT learn_classifier(labels, features) AS model FROM (VALUES ('cat', features(1, 2))) t(labels, features)) t2;
expect: [["cat"]]
types: varchar
SELECT learn_classifier(1, features(1)), learn_classifier('a', features(1)), learn_regressor(1, features(1)), typeof(learn_classifier('a', features(1)));
expect: [["<Classifier(bigint)>", "<Classifier(varchar)>", "<Regressor>", "Classifier(varchar)"]]
types: Classifier(bigint), Classifier(varchar), Regressor, varchar
SELECT count(*) FROM nation, (SELECT learn_classifier(IF(nationkey < 12, 'low', 'high'), features(nationkey, regionkey)) m FROM nation) WHERE classify(features(nationkey, regionkey), m) <> IF(nationkey < 12, 'low', 'high') AND nationkey NOT BETWEEN 10 AND 13;
expect: [[0]]
SELECT custkey % 3, count(*) FROM customer, (SELECT learn_libsvm_classifier(custkey % 3, features(custkey % 3, acctbal), 'C=100, kernel=rbf, gamma=4, eps=0.001') m FROM customer) WHERE classify(features(custkey % 3, acctbal), m) = custkey % 3 GROUP BY 1;
duckdb: SELECT custkey % 3 AS k, count(*) FROM customer GROUP BY k;
SELECT classify(MAP(ARRAY[5, 9], ARRAY[3e0, 1e0]), m), classify(MAP(ARRAY[5], ARRAY[-100e0]), m), classify(MAP(), m) FROM (SELECT learn_classifier(l, f) m FROM (VALUES (7, MAP(ARRAY[5], ARRAY[3e0])), (-8, MAP(ARRAY[5], ARRAY[1e0]))) t (l, f));
expect: [[7, -8, -8]]
SELECT regress(features(20), m) > regress(features(10), m), regress(features(10), m) > regress(features(0), m), abs(regress(features(10), m) - 21) < 1 FROM (SELECT learn_regressor(2 * x + 1, features(x)) m FROM UNNEST(sequence(0, 20)) t (x));
expect: [[true, true, true]]
SELECT max(abs(regress(features(nationkey, regionkey), m) - (3 * nationkey - 7 * regionkey))) < 0.1e0 FROM nation, (SELECT learn_libsvm_regressor(3 * nationkey - 7 * regionkey, features(nationkey, regionkey), 'C=1000,eps=0.0001,nu=0.9') m FROM nation);
expect: [[true]]
SELECT regionkey, classify(features(1), learn_classifier(nationkey > 10, features(nationkey))) FROM nation GROUP BY regionkey;
error: FUNCTION_NOT_FOUND
SELECT regionkey, classify(features(0), learn_classifier(IF(nationkey > 12, 1, 0), features(nationkey))) FROM nation GROUP BY regionkey;
expect: [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]
SELECT learn_classifier(x, features(x)) IS NULL FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[true]]
SELECT learn_libsvm_classifier(1, features(1), 'C');
error: INVALID_FUNCTION_ARGUMENT Invalid hyperparameters string for libsvm
SELECT learn_libsvm_classifier(1, features(1), 'D=1');
error: INVALID_FUNCTION_ARGUMENT Unknown parameter D
SELECT learn_libsvm_regressor(1, features(1), 'kernel=cubic');
error: INVALID_FUNCTION_ARGUMENT Unknown kernel type cubic
SELECT learn_libsvm_regressor(1, features(1), 'C=x');
error: INVALID_FUNCTION_ARGUMENT Invalid value of parameter C: x
SELECT learn_libsvm_regressor(1, features(1), 'nu=2');
error: INVALID_FUNCTION_ARGUMENT Invalid hyperparameters for libsvm: nu <= 0 or nu > 1
SELECT learn_regressor(1, features(nan()));
error: INVALID_FUNCTION_ARGUMENT Features must be finite numbers
SELECT learn_classifier(custkey, features(1)) FROM orders;
error: INVALID_FUNCTION_ARGUMENT learn_classifier must not have more than 10000 rows
SELECT evaluate_classifier_predictions(t, p) FROM (VALUES (1, 1), (1, 0), (0, 0), (0, 1), (1, 1)) v (t, p);
expect: [["Accuracy: 3/5 (60.00%)\nPrecision: 2/3 (66.67%)\nRecall: 2/3 (66.67%)"]]
SELECT evaluate_classifier_predictions(2, 1);
error: INVALID_FUNCTION_ARGUMENT evaluate_predictions only supports binary classifiers
SELECT m = m FROM (SELECT learn_regressor(1, features(1)) m);
error: TYPE_MISMATCH
SELECT CAST(learn_classifier(1, features(1)) AS Classifier(varchar));
error: TYPE_MISMATCH line 1:8: Cannot cast Classifier(bigint) to Classifier(varchar)
