import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** For the beginning of ES modules: CommonJS packages in them ask for Node's modules by require. */
export const requireBanner =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = " +
  'createBundleRequire(import.meta.url);';

/**
 * JSON.parse reads a large table several times as fast as the same table as an object literal. Packages' own are left
 * to esbuild: they are required, not imported, and would find a module with a default export.
 */
export const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, ({ path }) =>
      path.includes('/node_modules/')
        ? undefined
        : {
            contents:
              // Without effects: what nobody reads of is left out.
              'export default /* @__PURE__ */ JSON.parse(' +
              `${JSON.stringify(JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))});`,
            loader: 'js',
          },
    );
  },
};
