import { expect } from 'chai';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { run } from '../harness/run.ts';
import { majors, NodeReleases } from './node-releases.ts';
import { commandOf, packedTarballs, root } from './packed.ts';
import { UserProject } from './user-project.ts';
import { wrongTypes } from './wrong-types.ts';

const program = (name: string): string => join(root, 'node_modules/.bin', name);

/** A program of a user: an environment, a list through @kubernetes/client-node, and the end of it. */
const body = `
async function main() {
  const env = await startTestEnvironment();
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  await env.stop();
  console.log(JSON.stringify({ namespaces: items.map(({ metadata }) => metadata.name), url: env.url, dataDir: env.dataDir }));
}
main();
`;
const sources = {
  'esm.mjs': `import { startTestEnvironment } from 'kubechain/testing';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';${body}`,
  'cjs.cjs': `const { startTestEnvironment } = require('kubechain/testing');
const { CoreV1Api, KubeConfig } = require('@kubernetes/client-node');${body}`,
};

interface Seen {
  readonly namespaces: readonly string[];
  readonly url: string;
  readonly dataDir: string;
}

const refused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => {
      resolve(true);
    });
  });

/** The tarballs of `npm run pack`, as their users meet them: checked, and installed in an empty folder. */
describe('the packages', function () {
  this.timeout(300_000);
  let tarballs: readonly string[];
  let project: UserProject;

  before(async function () {
    this.timeout(900_000);
    tarballs = await packedTarballs();
    project = new UserProject();
    await project.install(commandOf(tarballs));
  });
  after(() => {
    project?.[Symbol.dispose]();
  });

  it('are lean: at most 60 packages and 35 MB with all that they need', async () => {
    const listed = await run('npm', ['ls', '--all', '--parseable'], { cwd: project.folder });
    expect(listed.trim().split('\n').slice(1)).to.have.length.within(1, 60);
    const modules = project.path('node_modules');
    const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(modules, path)))
      .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
    expect(bytes).to.be.lessThan(35e6);
  });

  it('keep the rules of publint', async () => {
    expect(tarballs).to.have.length.greaterThan(10);
    for (const file of tarballs) await run(program('publint'), ['run', file, '--strict']);
  });

  it('have the types that they say, for import and for require', async () => {
    for (const file of tarballs) {
      const { modulesForRequire, wrong } = await wrongTypes(file);
      expect(wrong, basename(file)).to.deep.equal([]);
      // What test runners load by `require` through loaders of their own has a CommonJS form; Node loads the rest.
      if (file === commandOf(tarballs))
        expect(modulesForRequire).to.have.members(
          [
            'all-in-one',
            'extension',
            ...['node-test', 'node-test-worker', 'vitest', 'vitest-worker'].map((name) => `testing/${name}`),
          ].map((path) => `./${path}`),
        );
    }
  });

  describe('in programs with @kubernetes/client-node', () => {
    let releases: NodeReleases;

    before(async () => {
      releases = await NodeReleases.open(...majors);
      await project.install('@kubernetes/client-node@^2.0.1');
      project.write(sources);
    });
    after(() => {
      releases?.[Symbol.dispose]();
    });

    for (const major of majors)
      for (const name of Object.keys(sources))
        it(`start and end an environment: ${name} on Node ${major}`, async () => {
          const node = releases.program(major);
          expect(await run(node, ['-p', 'process.versions.node.split(".")[0]'])).to.equal(`${major}\n`);
          // It ends by itself: what a thread or socket holds would keep it until it is killed.
          const { code, stdout, stderr } = await project.execute(node, [name]);
          expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
          const { namespaces, url, dataDir } = JSON.parse(stdout) as Seen;
          expect(namespaces).to.include('default');
          expect(existsSync(dataDir), dataDir).to.equal(false);
          expect(await refused(url), url).to.equal(true);
        });
  });
});
