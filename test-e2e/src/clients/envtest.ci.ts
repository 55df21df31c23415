import { expect } from 'chai';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareOf } from '../ci/share.ts';
import { goTool } from '../harness/go-tools.ts';
import { Leftovers } from '../harness/leftovers.ts';
import { execute, run } from '../harness/run.ts';

const root = join(import.meta.dirname, '../../..');

/** The release whose suites are run, and what its module must be, as the Go checksum database has it. */
const controllerRuntime = {
  module: 'sigs.k8s.io/controller-runtime@v0.25.2',
  sum: 'h1:bEkK3PVOIVK9X8QWLGVhJgmFc++47vfT6wakSzAOLsQ=',
  suites: [
    'envtest',
    // Those of a minute and more apart.
    ...shareOf([['webhook', 'manager'], ['client', 'builder'], ['cache']]).flat(),
  ],
} as const;

/** The programs of `kubechain setup-envtest`, as envtest and its ports run them. */
describe('programs for envtest', () => {
  let folder: string;
  let assets: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-envtest-'));
    const command = join(root, 'packages/kubechain/bin/kubechain.js');
    assets = await run(process.execPath, [command, 'setup-envtest', 'use', '-p', 'path', '--bin-dir', folder]);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs tests to their end; resolves to what they printed when nothing has failed and nothing is left running. */
  async function passed(command: string, args: readonly string[], cwd: string): Promise<string> {
    using leftovers = new Leftovers();
    const env = { ...leftovers.env, KUBEBUILDER_ASSETS: assets };
    const { code, stderr, stdout } = await execute(command, args, { cwd, env, timeoutMs: 900_000 });
    expect(code, stdout + stderr).to.equal(0);
    expect(await leftovers.of([])).to.deep.equal([]);
    return stdout;
  }

  describe('in the suites of controller-runtime', function () {
    this.timeout(1_200_000);
    let module: string;

    before(async () => {
      const { Dir, Sum } = JSON.parse(
        await run('go', ['mod', 'download', '-json', controllerRuntime.module], { cwd: folder }),
      ) as { readonly Dir: string; readonly Sum: string };
      expect(Sum).to.equal(controllerRuntime.sum);
      module = join(folder, 'controller-runtime');
      cpSync(Dir, module, { recursive: true });
      await run('chmod', ['-R', 'u+w', module]);
      const packages = controllerRuntime.suites.map((name) => `./pkg/${name}`);
      await run('go', ['test', '-c', '-ldflags', '-s -w', '-o', `${folder}/`, ...packages], { cwd: module });
    });

    for (const name of controllerRuntime.suites)
      it(`pkg/${name} passes`, async () => {
        const output = await passed(
          join(folder, `${name}.test`),
          [
            '-ginkgo.no-color',
            // Its suites choose ports that another process of the machine may take before they listen.
            '-ginkgo.flake-attempts=3',
          ],
          join(module, 'pkg', name),
        );
        expect(Number(/^Ran (\d+) of \d+ Specs/m.exec(output)?.[1])).to.be.greaterThan(0);
        expect(output).to.match(/ 0 Failed /);
      });
  });

  it('a project of kubebuilder passes its tests: a resource, a controller, a webhook', async () => {
    const project = join(folder, 'guestbook');
    mkdirSync(project);
    const kubebuilder = await goTool('kubebuilder');
    const generate = await goTool('controller-gen');
    const kind = ['--group', 'webapp', '--version', 'v1', '--kind', 'Guestbook', '--make=false'];
    for (const args of [
      ['init', '--domain', 'example.com', '--repo', 'example.com/guestbook', '--skip-go-version-check'],
      ['create', 'api', ...kind, '--resource', '--controller'],
      ['create', 'webhook', ...kind, '--defaulting', '--programmatic-validation'],
    ])
      await run(kubebuilder, args, { cwd: project });
    // What `make manifests generate` runs.
    const crds = 'output:crd:artifacts:config=config/crd/bases';
    await run(generate, ['rbac:roleName=manager-role', 'crd', 'webhook', 'paths=./...', crds], { cwd: project });
    await run(generate, ['object:headerFile=hack/boilerplate.go.txt', 'paths=./...'], { cwd: project });
    const output = await passed('go', ['test', '-vet=off', '-count=1', './internal/...'], project);
    expect(output.match(/^ok\s+\S+/gm)?.map((line) => line.replace(/^ok\s+/, ''))).to.deep.equal([
      'example.com/guestbook/internal/controller',
      'example.com/guestbook/internal/webhook/v1',
    ]);
  }).timeout(1_200_000);

  it("Fabric8's kube-api-test on the JVM starts them, twice", async () => {
    const version = /([^/]+?)-[a-z]+-[a-z\d]+$/.exec(assets)?.[1] ?? '';
    const pom = join(root, 'test-e2e/clients/java-envtest/pom.xml');
    const options = ['-q', '-B', '-Dstyle.color=never', `-DbuildDirectory=${join(folder, 'target')}`, '-f', pom];
    const output = await passed(
      'mvn',
      [...options, 'compile', 'exec:java', `-Dexec.args=${folder} ${version}`],
      folder,
    );
    expect(output.match(/ok \S.*/g)).to.deep.equal(Array.from({ length: 2 }, () => `ok v v${version}+kubechain`));
  }).timeout(600_000);
});
