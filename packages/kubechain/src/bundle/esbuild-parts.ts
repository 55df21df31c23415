import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
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

/** In place of `import.meta.url` the address of the source: what lies beside it is found from wherever it is run. */
export const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (path.includes('/node_modules/') || !text.includes('import.meta.url')) return undefined;
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};
