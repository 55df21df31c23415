import { defineConfig } from 'vitest/config';

// One worker that keeps its modules: its files share the environments of topologies.ts.
export default defineConfig({
  test: { globals: true, testTimeout: 120_000, hookTimeout: 120_000, isolate: false, fileParallelism: false },
});
