import { expect } from 'chai';
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { goTool } from '../../harness/go-tools.ts';
import { Machine } from '../machine.ts';
import { checkDockerPrograms } from '../programs.ts';
import { makeBaseImage } from './base-image.ts';
import { startDockerEngine } from './docker-engine.ts';
import { makeNodeImage, NODE_IMAGE } from './node-image.ts';
import { startTunnel, type Tunnel } from './tunnel.ts';

const script = join(import.meta.dirname, '../../../../scripts/kind-e2e.sh');

describe('scripts/kind-e2e.sh with Docker and kind', () => {
  let machine: Machine;
  let tunnel: Tunnel;

  before(async function () {
    // Programs may have to be built, and Debian fetched.
    this.timeout(3_600_000);
    checkDockerPrograms();
    const kept = process.env['KUBECHAIN_KIND_FOLDER'] ?? join(tmpdir(), 'kubechain-kind-systems');
    mkdirSync(kept, { recursive: true });
    machine = await Machine.start('kind-host');
    tunnel = await startTunnel(machine.addresses.outer);
    await startDockerEngine(machine);
    await makeBaseImage(machine, kept);
    await makeNodeImage(machine, kept);
    for (const name of ['kind', 'kubectl', 'helm3'] as const) machine.install(await goTool(name));
    await machine.ok('ln', '-s', 'helm3', '/machine/bin/helm');
    // Newer clients have what builds images as a plugin.
    machine.install('/usr/bin/docker');
  });
  after(async () => {
    tunnel?.close();
    await machine?.stop();
  });

  it('creates a cluster, loads, installs, tests, sees a request in the debugger, and deletes it', async function () {
    this.timeout(1_800_000);
    const output = await machine.ok(
      'env',
      `PATH=/machine/bin:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      `HOME=${homedir()}`,
      'DOCKER_BUILDKIT=1',
      `DOCKER_BUILD_FLAGS=--network host --build-arg HTTPS_PROXY=${tunnel.url}`,
      `KIND_NODE_IMAGE=${NODE_IMAGE}`,
      'bash',
      script,
    );
    expect(output)
      .to.include('== done')
      .and.to.match(/stopped in \S+ \(file:\S+\)/);
    expect((await machine.ok('docker', 'ps', '--all', '--quiet')).trim()).to.equal('');
  });
});
