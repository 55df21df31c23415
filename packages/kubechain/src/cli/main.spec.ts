import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/kubechain.js', import.meta.url));

function run(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

describe('kubechain command', () => {
  it('tells its version', () =>
    expect(run('--version')).to.deep.equal({ code: 0, stdout: 'kubechain 0.1.0\n', stderr: '' }));
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    it(`helps: ${['kubechain', ...args].join(' ')}`, () => {
      const { code, stdout, stderr } = run(...args);
      expect([code, stderr]).to.deep.equal([0, '']);
      for (const command of ['up', 'run', 'status', 'logs', 'down', 'reset', 'kubeconfig', 'doctor', 'setup-envtest'])
        expect(stdout).to.match(new RegExp(`^  ${command} `, 'm'));
    });
  }
  for (const args of [
    ['up', '--help'],
    ['help', 'up'],
  ]) {
    it(`helps by topic: ${args.join(' ')}`, () => {
      const { code, stdout, stderr } = run(...args);
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.include('--data-dir DIR');
    });
  }
  it('tells what may have been meant, in one line', () => {
    expect(run('dwn')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: "kubechain: unknown command 'dwn' (Did you mean down?)\n",
    });
    expect(run('status', '--data-dri', 'x').stderr).to.equal(
      "kubechain: unknown option '--data-dri' (Did you mean --data-dir?)\n",
    );
    expect(run('up', '--secure-prt=1').stderr).to.include('unknown flag: --secure-prt; did you mean --secure-port');
  });
  it('refuses wrong values before anything starts', () => {
    expect(run('up', '--output', 'xml').stderr).to.equal(
      'kubechain: invalid argument "xml" for "--output" flag: must be json or text\n',
    );
    expect(run('logs', 'nobody', '--data-dir', '/nowhere').stderr).to.equal("kubechain: no logs in '/nowhere/logs'\n");
    expect(run('kubeconfig', '--data-dir', '/nowhere').stderr).to.equal(
      "kubechain: no kubeconfig in '/nowhere': kubechain up makes it\n",
    );
  });
  for (const [flag, refusal] of [
    ['--enable-admission-plugins=Nope', '--enable-admission-plugins plugin "Nope" is unknown'],
    ['--audit-policy-file=/nowhere', '--audit-policy-file: cannot read /nowhere: no such file'],
    ['--service-account-key-file=/', '--service-account-key-file: cannot read /: is a directory'],
  ] as const) {
    it(`refuses ${flag} before anything starts`, () => {
      // What began to start would make its directory, which cannot be made there.
      const { code, stderr, stdout } = run('up', '--data-dir', '/dev/null/data', flag);
      expect({ code, stderr, stdout }).to.deep.equal({ code: 1, stderr: `kubechain: ${refusal}\n`, stdout: '' });
    });
  }
  it('says in one line which file cannot be used', () => {
    expect(run('journal', '--replay', '/nowhere', '--data-dir', '/nowhere').stderr).to.match(/^kubechain: [^\n]*\n$/);
    expect(run('fault', 'add', '@/', '--data-dir', '/nowhere').stderr).to.equal(
      'kubechain: EISDIR: illegal operation on a directory, read\n',
    );
    expect(run('snapshot', 'list', '--data-dir', '/nowhere').stderr).to.equal(
      "kubechain: no chain that runs on '/nowhere' serves the control API: kubechain up --control starts one\n",
    );
    expect(run('logs', '--data-dir', '/nowhere').stderr).to.equal("kubechain: no logs in '/nowhere/logs'\n");
    expect(run('up', '--from-snapshot=/nowhere', '--data-dir', '/dev/null/data').stderr).to.equal(
      'kubechain: --from-snapshot: cannot read /nowhere: no such file\n',
    );
  });
  it('ends without a word when nobody reads on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-unread-'));
    try {
      mkdirSync(join(folder, 'logs'));
      for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `logs/${name}.log`), 'line\n'.repeat(100_000));
      const command = '"$0" "$1" logs --data-dir "$2" | head -1';
      const args = ['-c', command, process.execPath, bin, folder];
      const { stderr, stdout } = spawnSync('sh', args, { encoding: 'utf8' });
      expect({ stderr, stdout }).to.deep.equal({ stderr: '', stdout: `${'a'.padEnd(15)} line\n` });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  it('says of a directory where nothing runs that nothing does', () => {
    const { code, stdout } = run('status', '--data-dir', '/nowhere', '--output', 'json');
    expect(code).to.equal(3);
    expect(JSON.parse(stdout)).to.include({ state: 'stopped', dataDir: '/nowhere' });
    expect(run('down', '--data-dir', '/nowhere')).to.deep.equal({ code: 0, stdout: 'nothing runs\n', stderr: '' });
  });
  for (const [shell, check] of [
    ['bash', ['bash', '-n']],
    ['zsh', undefined],
    ['fish', undefined],
  ] as const) {
    it(`completes in ${shell}`, () => {
      const { code, stdout } = run('completion', shell);
      expect(code).to.equal(0);
      for (const word of ['setup-envtest', 'data-dir']) expect(stdout).to.include(word);
      if (check !== undefined) expect(spawnSync(check[0], [check[1]], { input: stdout }).status).to.equal(0);
    });
  }
});
