import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/kubechain.js', import.meta.url));

function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

describe('kubechain command', () => {
  it('tells its version', () =>
    expect(run('--version')).to.deep.equal({ code: 0, stdout: 'kubechain 0.1.0\n', stderr: '' }));
  for (const args of [[], ['--help'], ['-h'], ['up', '--help']]) {
    it(`helps: ${['kubechain', ...args].join(' ')}`, () => {
      const { code, stdout, stderr } = run(...args);
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.include('--data-dir DIR');
    });
  }
  it('refuses other commands in one line', () => {
    expect(run('down')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'kubechain: unknown command "down"; see kubechain --help\n',
    });
  });
});
