import { expect } from 'chai';
import { cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { shareOf } from '../ci/share.ts';
import { run, type Result, type RunOptions } from '../harness/run.ts';
import { commandOf, packedTarballs, root } from './packed.ts';
import { UserProject } from './user-project.ts';

const examples = join(root, 'examples');
const names = ['mocha', 'vitest', 'go', 'python', 'offline'] as const;

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What an example needs from the registry, besides the package of this checkout. */
function dependenciesOf(example: 'mocha' | 'vitest'): readonly string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(examples, example, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(devDependencies)
    .filter(([name]) => name !== 'kubechain')
    .map(([name, range]) => `${name}@${range}`);
}

/** Begins work whose result several tests may wait for. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/**
 * The projects that users are shown, run as they stand, with the package of this checkout. They are folders of one
 * project, so that packages are installed once, and programs of two languages run while the tests of others do.
 */
describe('examples', function () {
  this.timeout(900_000);
  let project: UserProject;
  let go: Promise<Result>;
  let python: Promise<Result>;

  before(async () => {
    project = new UserProject();
    for (const name of names) cpSync(join(examples, name), project.path(name), { recursive: true });
    const packages = begun(pythonPackages());
    const modules = begun(call('go', 'go', ['test', '-run', '^$', './...']));
    const needed = new Set([...dependenciesOf('mocha'), ...dependenciesOf('vitest')]);
    await project.install(commandOf(await packedTarballs()), ...needed);
    go = begun(modules.then(() => call('go', 'go', ['test', '-count=1', '-v', './...'])));
    const pytest = ['-m', 'pytest', '-q', '--ignore=venv'];
    python = begun(Promise.all([packages, go]).then(() => call('python', pythonOf(), pytest)));
  });
  after(async () => {
    await Promise.allSettled([go, python]);
    project?.[Symbol.dispose]();
  });

  /** Runs a program in the folder of an example, with the command on its path. */
  function call(
    example: (typeof names)[number],
    program: string,
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<Result> {
    return project.execute(program, args, {
      cwd: project.path(example),
      timeoutMs: 600_000,
      env: {
        PATH: [project.path('node_modules/.bin'), process.env['PATH']].join(delimiter),
        NO_COLOR: '1',
      },
      ...options,
    });
  }

  const pythonOf = (): string => project.path('python/venv/bin/python');

  async function pythonPackages(): Promise<void> {
    const cwd = project.path('python');
    await run('python3', ['-m', 'venv', 'venv'], { cwd });
    // What is imported is compiled then.
    const install = ['-m', 'pip', 'install', '-q', '--no-compile', '-r', 'requirements.txt'];
    await run(pythonOf(), install, { cwd, timeoutMs: 300_000 });
  }

  function passed({ code, stderr, stdout }: Result, expected: RegExp): void {
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(expected);
  }

  for (const [runner, expected] of shareOf([
    ['mocha', /29 passing/],
    ['vitest', /Tests +25 passed/],
  ] as const))
    it(runner, async () => {
      passed(await call(runner, 'npm', ['test']), expected);
    });

  it('Go with controller-runtime', async () => {
    passed(await go, /--- PASS: TestOperator[^]*--- PASS: TestSeedRepeatsRun[^]*--- PASS: TestTenants/);
  });

  it('Python with pytest', async () => {
    passed(await python, /14 passed/);
  });

  it('files that are judged without a cluster, as their README says', async () => {
    const text = readFileSync(project.path('offline/README.md'), 'utf8');
    const calls = [...text.matchAll(/^kubechain (.*?)(?: +# .*)?$/gm)];
    expect(calls).to.have.length(4);
    for (const [line, args = ''] of calls) {
      const { code, stderr, stdout } = await call('offline', 'kubechain', args.split(' '));
      expect(code, line + stdout + stderr).to.equal(line.includes('exit code 1') ? 1 : 0);
    }
  });
});
