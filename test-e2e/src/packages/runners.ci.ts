import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { shareOf } from '../ci/share.ts';
import type { Result } from '../harness/run.ts';
import { majors, NodeReleases, type Major } from './node-releases.ts';
import { commandOf, packedTarballs } from './packed.ts';
import { Leftovers } from '../harness/leftovers.ts';
import { kinds, projectFiles, type Kind, type Preset, type Runner } from './runners/projects.ts';
import { isCompiled, runners } from './runners/runners.ts';
import { support, supportTypes, type Visit } from './runners/support.ts';
import { UserProject } from './user-project.ts';

/** Each kind of project on the releases that have been there for long, on the newest those that differ most. */
const kindsOn = (major: Major): readonly Kind[] =>
  major === 26 ? kinds.filter(({ language, module }) => (module === 'esm') === (language === 'ts')) : kinds;

const presets = ['run', 'worker'] as const;
/** The releases on which a kind of project is tried with a preset; in a run of CI one of them or, every other time, none. */
function majorsOf(kind: Kind, preset: Preset, runner: string): readonly Major[] {
  // node:test of Node 22 has no setup for a run: see below.
  const those = majors.filter((major) => kindsOn(major).includes(kind) && (runner !== 'node-test' || major !== 22));
  const turns = those.flatMap((major) => [major, undefined]);
  return shareOf(turns, kinds.indexOf(kind) + presets.indexOf(preset)).filter((major) => major !== undefined);
}

/** What a run of a user's tests has left in the file of what they saw. */
interface Outcome extends Result {
  readonly visits: readonly Visit[];
}

for (const [name, runner] of Object.entries<Runner>(runners))
  describe(`environments of the package in tests of ${name}`, function () {
    this.timeout(300_000);
    let project: UserProject;
    let releases: NodeReleases;
    let runs = 0;

    before(async function () {
      this.timeout(900_000);
      releases = await NodeReleases.open(...majors);
      project = new UserProject();
      await project.install(commandOf(await packedTarballs()), 'tsx@^4.23', 'typescript@5.9.3', ...runner.packages);
      project.write({ 'support.cjs': support, 'support.d.cts': supportTypes });
    });
    after(() => {
      project?.[Symbol.dispose]();
      releases?.[Symbol.dispose]();
    });

    /** Runs the tests of a project in a folder of its own, and looks whether all that they started is gone. */
    async function outcome(
      major: Major,
      files: Readonly<Record<string, string>>,
      command: ReturnType<Runner['command']>,
    ): Promise<Outcome> {
      const folder = `run${++runs}`;
      project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])));
      const seen = project.path(folder, 'seen');
      using leftovers = new Leftovers();
      const result = await project.execute(releases.program(major), command.args, {
        cwd: project.path(folder),
        env: { ...leftovers.env, SEEN: seen, NO_COLOR: '1', ...command.env },
      });
      expect(result.code, result.stdout + result.stderr).to.equal(0);
      const visits = readFileSync(seen, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Visit);
      expect(await leftovers.of(new Set(visits.map(({ server }) => server)))).to.deep.equal([]);
      return { ...result, visits };
    }

    /** Each of two files has been in the environment of the preset, and in one of its own. */
    function expectEnvironments(visits: readonly Visit[], preset: Preset): void {
      expect(visits.map(({ name, scope }) => `${scope} ${name}`)).to.have.members(
        ['preset', 'file'].flatMap((scope) => [`${scope} of-one`, `${scope} of-two`]),
      );
      const ofFiles = visits.filter(({ scope }) => scope === 'file');
      for (const { name, namespaces } of ofFiles) expect(namespaces).to.deep.equal([name]);
      const ofPreset = visits.filter(({ scope }) => scope === 'preset');
      const servers = new Set(ofPreset.map(({ server }) => server));
      const workers = new Set(ofPreset.map(({ worker }) => worker));
      expect(servers.size).to.equal(preset === 'run' ? 1 : workers.size);
      expect(new Set([...servers, ...ofFiles.map(({ server }) => server)]).size).to.equal(servers.size + 2);
      // Who shares an environment sees what was there before.
      const last = ofPreset.toSorted((a, b) => b.namespaces.length - a.namespaces.length)[0];
      expect(last?.namespaces).to.have.length(servers.size === 1 ? 2 : 1);
    }

    for (const kind of kinds)
      for (const preset of presets)
        for (const major of majorsOf(kind, preset, name))
          it(`are one for each ${preset} and file: ${kind.module}, ${kind.language}, Node ${major}`, async () => {
            const files = { ...projectFiles(kind, runner), ...runner.files(kind, preset) };
            const { visits } = await outcome(major, files, runner.command(kind, preset));
            expectEnvironments(visits, preset);
          });

    if (name === 'vitest' || name === 'jest')
      it('take what journals are held to into their words', async () => {
        const imports = `import { startTestEnvironment } from 'kubechain/testing';
import { journalMatchers } from 'kubechain/testing/matchers';
import { expect, test } from '${runner.names.from}';
`;
        project.write({
          'matchers/tests/journal.test.mjs': `${imports}
expect.extend(journalMatchers);
test('matchers', async () => {
  const env = await startTestEnvironment({ control: true });
  try {
    await env.install('{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: default}}');
    await expect(env.journal).toHaveRequest({ resource: 'configmaps', verb: 'patch' });
    await expect(env.journal).not.toHaveNoWrites();
    await expect(expect(env.journal).toHaveNoWrites({ resource: 'configmaps' })).rejects.toThrow(/configmaps\\/one/);
  } finally {
    await env.stop();
  }
}, 60000);
`,
          'matchers/vitest.config.mjs': "export default { test: { include: ['tests/**'] } };\n",
          'matchers/jest.config.json': '{ "testMatch": ["**/*.test.mjs"] }',
        });
        const kind = { module: 'esm', language: 'js' } as const;
        const command = runner.command(kind, 'run');
        const { code, stderr, stdout } = await project.execute(releases.program(24), command.args, {
          cwd: project.path('matchers'),
          env: { NO_COLOR: '1', ...command.env },
        });
        expect(code, stdout + stderr).to.equal(0);
        expect(stdout + stderr).to.match(/1 passed/);
      });

    if (name === 'node-test')
      for (const kind of kinds)
        it(`are one for each run and file, by kubechain run: ${kind.module}, ${kind.language}, Node 22`, async () => {
          const node = releases.program(22);
          const args = ['--test', ...(isCompiled(kind) ? ['--import', 'tsx'] : []), `tests/*.test.${kind.language}`];
          const { visits } = await outcome(22, projectFiles(kind, runner), {
            args: ['../node_modules/kubechain/bin/kubechain.cjs', 'run', '--', node, ...args],
          });
          expectEnvironments(visits, 'run');
        });
  });
