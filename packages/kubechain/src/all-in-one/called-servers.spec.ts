import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CalledThread } from './called-thread.ts';

const servers = JSON.stringify(new URL('./called-servers.ts', import.meta.url).href);
const namespace = JSON.stringify({ metadata: { name: 'made' } });
/** In a process of its own: such servers end with it. */
const program = `
const { openCalledServers } = await import(${servers});
const call = await openCalledServers([]);
const headers = { 'content-type': 'application/json' };
const asked = { method: 'POST', url: '/api/v1/namespaces', headers, body: Buffer.from(${JSON.stringify(namespace)}) };
const { status } = await call(asked);
console.log(JSON.stringify({ status, resources: process.getActiveResourcesInfo() }));
process.exit();
`;

describe('servers that are called', function () {
  this.timeout(60_000);

  it('listen nowhere, and make no files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-called-'));
    try {
      const env = { ...process.env, TMPDIR: folder, HOME: folder, NODE_COMPILE_CACHE: '' };
      const args = ['--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
      const told = JSON.parse(stdout) as { readonly status: number; readonly resources: readonly string[] };
      expect(told.status).to.equal(201);
      expect(told.resources.filter((name) => /TCP|TLS|UDP|Server/.test(name))).to.deep.equal([]);
      expect(readdirSync(folder)).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('answer on a thread, warnings included', async () => {
    const thread = new CalledThread([]);
    try {
      const body = { metadata: { name: 'a' }, subsets: [] };
      const answer = await thread.ask({ method: 'POST', path: '/api/v1/namespaces/default/endpoints', body });
      expect(answer.status).to.equal(201);
      expect(answer.warnings).to.have.length(1);
      const refused = await thread.send({ method: 'GET', path: '/api/v1/namespaces/none' }).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      expect(refused).to.equal('namespaces "none" not found');
    } finally {
      await thread.close();
    }
  });

  it('tell whoever asks what is wrong with their flags', async () => {
    const thread = new CalledThread(['--service-cluster-ip-range=nonsense']);
    try {
      const refused = await thread.ask({ method: 'GET', path: '/api' }).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      expect(refused).to.match(/service-cluster-ip-range/);
    } finally {
      await thread.close();
    }
  });
});
