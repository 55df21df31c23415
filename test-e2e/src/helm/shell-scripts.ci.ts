import { expect } from 'chai';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../harness/run.ts';

const root = join(import.meta.dirname, '../../..');

describe('scripts for shells', () => {
  const scripts = globSync(['.ci/*', 'scripts/**/*.sh', 'test-e2e/src/**/*.sh'], { cwd: root }).sort();

  it('are found', () => {
    expect(scripts).to.include.members(['.ci/run', 'scripts/kind-e2e.sh', 'test-e2e/src/node/machine-init.sh']);
  });
  for (const script of scripts)
    it(`${script}: shellcheck finds nothing`, async () => {
      const { code, stdout, stderr } = await execute('shellcheck', ['--norc', join(root, script)]);
      expect(code, `${stdout}${stderr}`).to.equal(0);
    });
});
