import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** `const … = await import('package')`, apart from packages of Node's and of ours. */
const dynamicImport = /(\{[^{}]*\}|\w+)\s*=\s*await import\('((?!node:|\.|@kubechain\/)[^']+)'\)/g;

/** Not bundled: makes bundles itself. */
const outside = ['esbuild'];

/** An import of node:http that is more than one of types. */
const importOfHTTP = /^import (?!type\b)[^;]*from 'node:http';$/m;

const sources = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
  .filter(
    ({ name, parentPath }) =>
      name.endsWith('.ts') && !name.endsWith('spec.ts') && !/node_modules|\bdist\b/.test(parentPath),
  )
  .map(({ name, parentPath }) => {
    const file = join(parentPath, name);
    return { file, text: readFileSync(file, 'utf8') };
  });

describe('bundles', () => {
  it('can load what sources import when they first need it', () => {
    // esbuild gives the dynamic import of a CommonJS package a default export and nothing else, unlike Node.
    const wrong = sources.flatMap(({ file, text }) =>
      [...text.matchAll(dynamicImport)]
        .filter(
          ([, binding = '', name = '']) =>
            !outside.includes(name) && !/^\{ default: \w+ \}$/.test(binding) && !isModule(name),
        )
        .map(
          ([, , name]) =>
            `${file}: ${name} is CommonJS; import it statically in a file of its own, and that file dynamically`,
        ),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('load no fetch: an import of node:http evaluates all that it exports', () => {
    const wrong = sources
      .filter(({ file, text }) => !file.includes(`${sep}testing${sep}`) && importOfHTTP.test(text))
      .map(({ file }) => `${file}: process.getBuiltinModule('node:http') gives what is asked for and no more`);
    expect(wrong).to.deep.equal([]);
  });
});

function isModule(name: string): boolean {
  const folder =
    createRequire(join(root, 'package.json'))
      .resolve.paths(name)
      ?.find((path) => path.startsWith(root)) ?? '';
  return (JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { type?: string }).type === 'module';
}
