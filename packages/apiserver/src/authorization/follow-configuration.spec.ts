import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configureLogging } from '../logging/logger.ts';
import { newAuthorization } from './authorization-config.ts';
import { AuthorizationMetrics } from './authorization-metrics.ts';
import type { AuthorizationAttributes, AuthorizationResult } from './authorizer.ts';
import { followConfiguration, readConfigurationFile, type FollowedAuthorization } from './follow-configuration.ts';

const request: AuthorizationAttributes = {
  user: { name: 'bob', groups: [] },
  verb: 'list',
  resourceRequest: true,
  path: '',
  namespace: 'x',
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  name: '',
};
const configuration = (...types: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

describe('authorizers of a file', () => {
  let folder: string;
  let path: string;
  let registry: MetricRegistry;
  let followed: FollowedAuthorization;
  const replace = (text: string): void => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const decision = (): string => (followed.authorizer.authorize(request) as AuthorizationResult).decision;
  const reloads = (status: string): number =>
    registry
      .samples('apiserver_authorization_config_controller_automatic_reloads_total')
      .find(({ labels }) => labels['status'] === status)?.value ?? 0;
  const until = async (holds: () => boolean): Promise<void> => {
    for (let i = 0; i < 100 && !holds(); i++) await delay(50);
  };

  before(() => {
    configureLogging({ verbosity: 0, format: 'text', components: new Map(), write: () => undefined });
    folder = mkdtempSync(join(tmpdir(), 'kubechain-follow-'));
    path = join(folder, 'authorizers.json');
    writeFileSync(path, configuration('AlwaysDeny'));
    registry = new MetricRegistry();
    const metrics = new AuthorizationMetrics(registry, () => 0);
    followed = followConfiguration(readConfigurationFile(path), {
      metrics,
      build: (authorizers) => newAuthorization({ authorizers, metrics }),
    });
  });
  after(() => {
    followed.stop();
    rmSync(folder, { recursive: true });
    configureLogging({ verbosity: 0, format: 'text', components: new Map() });
  });

  it('change with it, and stay while it is wrong', async function () {
    this.timeout(30_000);
    expect(decision()).to.equal('NoOpinion');
    replace(configuration('AlwaysDeny', 'AlwaysAllow'));
    await until(() => decision() === 'Allow');
    expect([decision(), reloads('success'), reloads('failure')]).to.deep.equal(['Allow', 1, 0]);
    // One that was there at the start is gone; then one that was not asked for then; then none at all.
    for (const [i, wrong] of [configuration('AlwaysAllow'), configuration('AlwaysDeny', 'RBAC'), 'x'].entries()) {
      replace(wrong);
      await until(() => reloads('failure') === i + 1);
      expect([decision(), reloads('failure')]).to.deep.equal(['Allow', i + 1]);
    }
    replace(configuration('AlwaysDeny'));
    await until(() => decision() === 'NoOpinion');
    expect([decision(), reloads('success')]).to.deep.equal(['NoOpinion', 2]);
  });
  it('are counted by what they decide', () => {
    expect(registry.samples('apiserver_authorization_decisions_total').map(({ labels }) => labels)).to.deep.equal([
      { type: 'AlwaysAllow', name: 'alwaysallow', decision: 'allowed' },
    ]);
    const [info] = registry.samples('apiserver_authorization_config_controller_last_config_info');
    expect(info?.labels['hash']).to.match(/^sha256:[0-9a-f]{64}$/);
  });
  it('cannot be read from no file', () => {
    expect(() => readConfigurationFile(join(folder, 'none'))).to.throw('--authorization-config: cannot read');
  });
});
