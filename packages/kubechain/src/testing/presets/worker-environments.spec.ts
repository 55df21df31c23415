import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasWorkerEnvironments, useWorkerEnvironment } from './worker-environment.ts';
import { WorkerEnvironments } from './worker-environments.ts';

const numbers = ['VITEST_POOL_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID', 'NODE_TEST_WORKER_ID'] as const;

describe('environments of workers', function () {
  this.timeout(60_000);
  const before = { ...process.env };
  beforeEach(() => {
    for (const name of numbers) delete process.env[name];
  });
  afterEach(() => {
    process.env = { ...before };
  });

  /** Asks as the worker of this number does, by each runner's name for it. */
  async function kubeconfigOf(variable: (typeof numbers)[number] | undefined, value = ''): Promise<string> {
    if (variable !== undefined) process.env[variable] = value;
    await useWorkerEnvironment();
    if (variable !== undefined) delete process.env[variable];
    return process.env['KUBECONFIG'] ?? '';
  }

  it('are one for each number, started when it is asked for, and end with the run', async () => {
    expect(hasWorkerEnvironments()).to.equal(false);
    const environments = new WorkerEnvironments();
    await environments.start();
    expect(hasWorkerEnvironments()).to.equal(true);
    const first = await kubeconfigOf('VITEST_POOL_ID', '1');
    const second = await kubeconfigOf('JEST_WORKER_ID', '2');
    expect(await kubeconfigOf('MOCHA_WORKER_ID', '1')).to.equal(first);
    expect(await kubeconfigOf('NODE_TEST_WORKER_ID', '2')).to.equal(second);
    // A process without a number has its own.
    expect(await kubeconfigOf(undefined)).not.to.be.oneOf([first, second]);
    for (const kubeconfig of [first, second]) expect(existsSync(kubeconfig)).to.equal(true);
    await environments.stop();
    expect(hasWorkerEnvironments()).to.equal(false);
    for (const kubeconfig of [first, second]) expect(existsSync(dirname(kubeconfig))).to.equal(false);
  });

  it('say why there is none', async () => {
    const environments = new WorkerEnvironments(() => Promise.reject(new RangeError('no room')));
    await environments.start();
    const told = await kubeconfigOf('VITEST_POOL_ID', '1').catch(String);
    expect(told).to.equal('LaunchError: RangeError: no room');
    await environments.stop();
  });
});
