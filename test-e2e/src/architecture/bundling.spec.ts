import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** `const … = await import('package')`, apart from packages of Node's and of ours. */
const dynamicImport = /(\{[^{}]*\}|\w+)\s*=\s*await import\('((?!node:|\.|@kubechain\/)[^']+)'\)/g;

/** Not bundled: makes bundles itself. */
const outside = ['esbuild'];

describe('bundles', () => {
  it('can load what sources import when they first need it', () => {
    // esbuild gives the dynamic import of a CommonJS package a default export and nothing else, unlike Node.
    const wrong: string[] = [];
    for (const entry of readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })) {
      if (
        !entry.isFile() ||
        !entry.name.endsWith('.ts') ||
        entry.name.endsWith('spec.ts') ||
        entry.parentPath.includes(`${sep}node_modules`)
      )
        continue;
      const file = join(entry.parentPath, entry.name);
      for (const [, binding = '', name = ''] of readFileSync(file, 'utf8').matchAll(dynamicImport)) {
        if (outside.includes(name) || /^\{ default: \w+ \}$/.test(binding) || isModule(name)) continue;
        wrong.push(
          `${file}: ${name} is CommonJS; import it statically in a file of its own, and that file dynamically`,
        );
      }
    }
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
