import { expect } from 'chai';
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, run } from './harness/run.ts';

const root = join(import.meta.dirname, '../..');
const tarballs = join(root, 'dist/npm');
const program = (name: string): string => join(root, 'node_modules/.bin', name);

/** The Node releases that users run it with, as the registry has them. */
const releases = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' } as const;

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
  let folder: string;
  const install = (...packages: string[]): Promise<string> =>
    run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });

  before(async function () {
    this.timeout(900_000);
    await run('npm', ['run', '-s', 'pack'], { cwd: root });
    folder = mkdtempSync(join(tmpdir(), 'kubechain-packages-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
    await install(globSync(join(tarballs, 'kubechain-[0-9]*.tgz'))[0]!);
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  it('are lean: at most 60 packages and 35 MB with all that they need', async () => {
    const installed = (await run('npm', ['ls', '--all', '--parseable'], { cwd: folder })).trim().split('\n').slice(1);
    expect(installed).to.have.length.within(1, 60);
    const bytes = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(folder, 'node_modules', path)))
      .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
    expect(bytes).to.be.lessThan(35e6);
  });

  it('keep the rules of publint', async () => {
    const files = readdirSync(tarballs);
    expect(files).to.have.length.greaterThan(10);
    for (const file of files) await run(program('publint'), ['run', join(tarballs, file), '--strict']);
  });

  describe('in programs with @kubernetes/client-node', () => {
    before(async () => {
      await install(
        '@kubernetes/client-node@^2.0.1',
        ...Object.entries(releases).map(
          ([major, version]) => `node${major}@npm:node-${process.platform}-${process.arch}@${version}`,
        ),
      );
      for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
    });

    for (const major of Object.keys(releases))
      for (const name of Object.keys(sources))
        it(`start and end an environment: ${name} on Node ${major}`, async () => {
          const node = join(folder, `node_modules/node${major}/bin/node`);
          expect(await run(node, ['-p', 'process.versions.node.split(".")[0]'])).to.equal(`${major}\n`);
          // It ends by itself: what a thread or socket holds would keep it until it is killed.
          const { code, stdout, stderr } = await execute(node, [name], { cwd: folder, timeoutMs: 60_000 });
          expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
          const { namespaces, url, dataDir } = JSON.parse(stdout) as Seen;
          expect(namespaces).to.include('default');
          expect(existsSync(dataDir), dataDir).to.equal(false);
          expect(await refused(url), url).to.equal(true);
        });
  });
});
