import { expect } from 'chai';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ciJobs } from './jobs.ts';

const root = join(import.meta.dirname, '../../..');

/** What the README's test command runs, by the patterns in its scripts. */
function testCommandFiles(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['test']).to.equal('node scripts/test.ts');
  const suites = [...readFileSync(join(root, 'scripts/test.ts'), 'utf8').matchAll(/'(test:[^']+)'/g)];
  expect(suites.map(([, suite]) => suite)).to.deep.equal(['test:unit', 'test:e2e']);
  return [...`${scripts['test:unit']} ${scripts['test:e2e']}`.matchAll(/'([^']+)'/g)].flatMap(([, pattern]) =>
    globSync(pattern!, { cwd: root }),
  );
}

describe('the jobs of CI', () => {
  const jobs = ciJobs(root);
  const names = jobs.map(({ name }) => name);

  it('have names of their own, and need only what comes before them', () => {
    expect(new Set(names).size).to.equal(names.length);
    for (const [i, { name, needs = [] }] of jobs.entries())
      expect(names.slice(0, i), name).to.include.members([...needs]);
  });

  it('run every test file, parts of it by complementary patterns', () => {
    const files = ['spec', 'e2e', 'ci', 'etcd-spec'].flatMap((suffix) =>
      globSync([`packages/*/src/**/*.${suffix}.ts`, `test-e2e/src/**/*.${suffix}.ts`], { cwd: root }),
    );
    expect(files.length).to.be.greaterThan(100);
    const filesOf = new Map(
      jobs
        .filter(({ counts }) => counts === 'mocha')
        .map((job) => [
          job,
          job.name === 'npm test' ? testCommandFiles() : globSync(job.command.at(-1)!, { cwd: root }),
        ]),
    );
    for (const file of files) {
      const wholes = jobs.filter((job) => filesOf.get(job)?.includes(file));
      expect(wholes, file).not.to.have.length(0);
      if (/\.(?:spec|e2e)\.ts$/.test(file))
        expect(
          wholes.map(({ name }) => name),
          file,
        ).to.include('npm test');
      const patterns = wholes.flatMap(({ command }) =>
        command.includes('--grep') && !command.includes('--invert') ? [command[command.indexOf('--grep') + 1]] : [],
      );
      const rest = wholes
        .filter(({ command }) => command.includes('--invert'))
        .map(({ command }) => command[command.indexOf('--grep') + 1]);
      expect(rest, file).to.deep.equal(patterns.length === 0 ? [] : [patterns.join('|')]);
    }
  });

  it('play the faults twenty times', () => {
    const faults = jobs.filter(({ name }) => name.includes('faults'));
    expect(faults.map(({ name }) => name).sort()).to.deep.equal([
      'chain-faults-etcd.ci',
      'chain-faults.e2e',
      'etcd-3.6-faults.ci',
      'storage-faults.etcd-spec',
      'storage-faults.spec',
    ]);
    for (const { env } of faults) expect(env).to.deep.include({ KUBECHAIN_FAULT_ROUNDS: '20' });
  });

  it('try again only what depends on the network', () => {
    for (const { attempts, counts } of jobs) if (attempts !== undefined) expect(counts).to.equal(undefined);
  });
});
