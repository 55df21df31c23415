import { expect } from 'chai';
import { cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Result } from '../harness/run.ts';
import { commandOf, packedTarballs, root } from './packed.ts';
import { UserProject } from './user-project.ts';

const examples = join(root, 'examples');

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The projects that users are shown, run as they stand, with the package of this checkout. */
describe('examples', function () {
  this.timeout(900_000);
  let command: string;
  before(async () => {
    command = commandOf(await packedTarballs());
  });

  /** A project of the registry's packages that an example names. */
  async function installed(example: string): Promise<UserProject> {
    const project = new UserProject();
    cpSync(join(examples, example), project.folder, { recursive: true });
    const { devDependencies } = JSON.parse(readFileSync(project.path('package.json'), 'utf8')) as Manifest;
    const others = Object.entries(devDependencies).filter(([name]) => name !== 'kubechain');
    await project.install(command, ...others.map(([name, range]) => `${name}@${range}`));
    return project;
  }

  /** A project beside the example, with the command alone in it. */
  async function withCommand(example: string): Promise<UserProject> {
    const project = new UserProject();
    cpSync(join(examples, example), project.path(example), { recursive: true });
    await project.install(command);
    return project;
  }

  const onPath = (project: UserProject): Record<string, string> => ({
    PATH: [project.path('node_modules/.bin'), process.env['PATH']].join(delimiter),
  });

  function passed({ code, stderr, stdout }: Result, expected: RegExp): void {
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(expected);
  }

  it('mocha', async () => {
    using project = await installed('mocha');
    passed(await project.execute('npm', ['test'], { timeoutMs: 300_000 }), /15 passing/);
  });

  it('vitest', async () => {
    using project = await installed('vitest');
    const env = { NO_COLOR: '1' };
    passed(await project.execute('npm', ['test'], { env, timeoutMs: 300_000 }), /Tests +12 passed/);
  });

  it('Go with controller-runtime', async () => {
    using project = await withCommand('go');
    const options = { cwd: project.path('go'), env: onPath(project), timeoutMs: 900_000 };
    passed(
      await project.execute('go', ['test', '-count=1', '-v', './...'], options),
      /--- PASS: TestOperator[^]*--- PASS: TestSeedRepeatsRun[^]*--- PASS: TestTenants/,
    );
  });

  it('Python with pytest', async () => {
    using project = await withCommand('python');
    const cwd = project.path('python');
    const pip = ['-m', 'pip', 'install', '-q', '-r', 'requirements.txt'];
    const made = await project.execute('python3', ['-m', 'venv', 'venv'], { cwd });
    expect(made.code, made.stderr).to.equal(0);
    const python = join(cwd, 'venv/bin/python');
    const filled = await project.execute(python, pip, { cwd, timeoutMs: 300_000 });
    expect(filled.code, filled.stderr).to.equal(0);
    const options = { cwd, env: onPath(project), timeoutMs: 300_000 };
    passed(await project.execute(python, ['-m', 'pytest', '-q', '--ignore=venv'], options), /14 passed/);
  });

  it('files that are judged without a cluster, as their README says', async () => {
    using project = await withCommand('offline');
    const text = readFileSync(project.path('offline/README.md'), 'utf8');
    const calls = [...text.matchAll(/^kubechain (.*?)(?: +# .*)?$/gm)];
    expect(calls).to.have.length(4);
    for (const [line, args = ''] of calls) {
      const options = { cwd: project.path('offline'), env: onPath(project) };
      const { code, stderr, stdout } = await project.execute('kubechain', args.split(' '), options);
      expect(code, line + stdout + stderr).to.equal(line.includes('exit code 1') ? 1 : 0);
    }
  });
});
