module.exports = {
  timeout: 60_000,
  'forbid-only': true,
  require: ['./test-e2e/src/fuzz/seed-properties.ts'],
  reporter: './test-e2e/src/ci/reporter.ts',
};
