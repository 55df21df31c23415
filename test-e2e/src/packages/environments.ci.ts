import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { run } from '../harness/run.ts';
import { NodeReleases } from './node-releases.ts';
import { commandOf, packedTarballs } from './packed.ts';
import { figuresProgram, unitProgram, type Figures } from './runners/figures.ts';
import { Leftovers } from '../harness/leftovers.ts';
import { support } from './runners/support.ts';
import { UserProject } from './user-project.ts';

/** What a user's test makes of many environments. */
const manyTests = `
import { appendFileSync, existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startTestEnvironment } from 'kubechain/testing';
import { visit } from '../support.cjs';

async function useOne(name) {
  let dataDir;
  {
    await using env = await startTestEnvironment();
    ({ dataDir } = env);
    await visit('file', env.kubeconfig, name);
    expect(existsSync(dataDir)).toBe(true);
  }
  expect(existsSync(dataDir)).toBe(false);
}

for (let count = 1; count <= 20; count++)
  test('one after the other: ' + count, () => useOne('of-' + count));

test('four side by side', async () => {
  const envs = await Promise.all(['a', 'b', 'c', 'd'].map(() => startTestEnvironment()));
  await Promise.all(envs.map((env, index) => visit('file', env.kubeconfig, 'of-side-' + index)));
  await Promise.all(envs.map((env) => env.stop()));
});
`;

/**
 * Processor time, in that of a program that does nothing: 20 ms on a quiet machine, 30 and more on a busy one, where
 * wall times say little. Guards against what grows, not the times themselves: those after the first start took 160 to
 * 365 ms, an end with open watches 14 to 47 ms, on a busy machine.
 */
const atMost = { cold: 42, warm: 7, stop: 1.5 };
/** Measured: 137 to 142 MiB. */
const idleBytes = 150 * 2 ** 20;

describe('environments of the package', function () {
  this.timeout(300_000);
  let project: UserProject;
  let releases: NodeReleases;
  const node = (): string => releases.program(24);

  before(async function () {
    this.timeout(900_000);
    releases = await NodeReleases.open(24);
    project = new UserProject({ type: 'module' });
    await project.install(commandOf(await packedTarballs()), 'vitest@^5.1.1');
    project.write({
      'support.cjs': support,
      'tests/many.test.js': manyTests,
      'vitest.config.js': 'export default { test: { testTimeout: 60_000 } };\n',
      'figures.js': figuresProgram,
      'unit.js': unitProgram,
    });
  });
  after(() => {
    project?.[Symbol.dispose]();
    releases?.[Symbol.dispose]();
  });

  it('leave no process, port or file: twenty one after the other and four side by side in a vitest run', async () => {
    using leftovers = new Leftovers();
    const seen = project.path('seen');
    const { code, stderr, stdout } = await project.execute(node(), ['node_modules/vitest/vitest.mjs', 'run'], {
      env: { ...leftovers.env, SEEN: seen },
    });
    expect(code, stdout + stderr).to.equal(0);
    const visits = readFileSync(seen, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly server: string; readonly namespaces: readonly string[] });
    expect(visits).to.have.length(24);
    for (const { namespaces } of visits) expect(namespaces).to.have.length(1);
    expect(await leftovers.of(new Set(visits.map(({ server }) => server)))).to.deep.equal([]);
  });

  it('start fast, the first time and after it, are small at rest, and end at once with open watches', async () => {
    const runs: Figures[] = [];
    const units: number[] = [];
    for (let count = 0; count < 4; count++) {
      units.push(JSON.parse(await run(node(), [project.path('unit.js')])) as number);
      runs.push(JSON.parse(await run(node(), [project.path('figures.js')])) as Figures);
    }
    const unit = Math.min(...units);
    for (const figure of ['cold', 'warm', 'stop'] as const) {
      const cpuMs = Math.min(...runs.map((one) => one[figure].cpuMs));
      expect(cpuMs / unit, `${figure}: ${JSON.stringify({ units, runs })}`).to.be.lessThan(atMost[figure]);
    }
    expect(Math.min(...runs.map(({ residentBytes }) => residentBytes))).to.be.lessThan(idleBytes);
  });
});
