module.exports = {
  timeout: 60_000,
  'forbid-only': true,
  require: ['./test-e2e/src/fuzz/seed-properties.ts', './test-e2e/src/ci/second-tries.ts'],
  // Of CI, where one failure in thousands of tests would say nothing of all others: docs/testing.md.
  retries: Number(process.env.KUBECHAIN_TEST_RETRIES ?? 0),
};
