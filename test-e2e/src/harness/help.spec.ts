import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headOf } from './help.ts';

const root = join(import.meta.dirname, '..');

describe('the help of a command', () => {
  it('is what its file begins with', () => {
    expect(headOf('/**\n * One.\n *\n *   npm run one\n */\nimport 1;\n')).to.equal('One.\n\n  npm run one\n');
    expect(headOf('/** One: `npm run one`. */\nimport 1;\n')).to.equal('One: `npm run one`.\n');
    expect(headOf('// One.\n//   npm run one\nimport 1;\n')).to.equal('One.\n  npm run one\n');
  });

  it('is printed', () => {
    const file = join(root, 'scaling/main.ts');
    const printed = execFileSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
    expect(printed).to.equal(headOf(readFileSync(file, 'utf8')));
    expect(printed).to.include('npm run scaling -- [--by shape|type]');
  }).timeout(30_000);

  it('is there for all that read arguments', () => {
    const without = globSync('**/*.ts', { cwd: root }).filter((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return (
        /\bparseArgs\(/.test(source) &&
        !source.includes('helpFrom(import.meta.filename)') &&
        !file.startsWith('harness')
      );
    });
    expect(without).to.deep.equal([]);
  });
});
