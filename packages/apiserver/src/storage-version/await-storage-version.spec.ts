import { systemClock, type KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { ResourceStorage } from '../informers/resource-storage.ts';
import { awaitStorageVersion } from './await-storage-version.ts';

describe('awaitStorageVersion', () => {
  it('waits until it is told for this server, whatever reading meets before', async () => {
    const told = (apiServerID: string): KubeObject => ({ status: { storageVersions: [{ apiServerID }] } });
    const answers: (KubeObject | Error | undefined)[] = [undefined, new Error('away'), {}, told('b'), told('a')];
    const asked: string[] = [];
    const errors: unknown[] = [];
    const get = (key: string): Promise<{ object: () => KubeObject } | undefined> => {
      asked.push(key);
      const answer = answers.shift();
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(answer === undefined ? undefined : { object: () => answer });
    };
    await awaitStorageVersion({
      storage: { keyRoot: '/r', storage: { get } } as unknown as ResourceStorage,
      name: 'apps.deployments',
      apiServerID: 'a',
      clock: { ...systemClock, setTimer: (run) => systemClock.setTimer(run, 0) },
      signal: new AbortController().signal,
      onError: (error) => errors.push(error),
    });
    expect(asked).to.deep.equal(Array.from({ length: 5 }, () => '/r/apps.deployments'));
    expect(errors.map(String)).to.deep.equal(['Error: away']);
  });
});
