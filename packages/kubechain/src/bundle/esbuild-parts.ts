import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** For the beginning of ES modules: CommonJS packages in them ask for Node's modules by require. */
export const requireBanner =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = " +
  'createBundleRequire(import.meta.url);';

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

/** Of the table's text; what is shorter stays in the program. */
const LEAST_BYTES_BESIDE = 4096;

/**
 * JSON.parse reads a large table several times as fast as the same table as an object literal. It reads it from a file
 * of `directory`, where the programs go: each is there once, however many groups of programs load it, and V8 keeps no
 * source of it. Packages' own are left to esbuild: they are required, not imported, and would find a module with a
 * default export.
 */
export function jsonBeside(directory: string): Plugin {
  return {
    name: 'json-beside',
    setup(build) {
      build.onLoad({ filter: /\.json$/ }, ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
        if (text.length < LEAST_BYTES_BESIDE) return { contents: textAsModule(text), loader: 'js' };
        const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
        const name = `${basename(path, '.json')}-${hash}.json`;
        mkdirSync(directory, { recursive: true });
        writeFileSync(join(directory, name), text);
        return { contents: readAsModule(name), loader: 'js' };
      });
    },
  };
}

// Both without effects: what nobody reads of is left out.
const textAsModule = (text: string): string => `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(text)});`;
const readAsModule = (name: string): string =>
  "import { readFileSync } from 'node:fs';\n" +
  "const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));\n" +
  `export default /* @__PURE__ */ read('./${name}');`;
