import { monotonicClock } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { ObjectRecord } from '@kubechain/shared-storage';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { RegisteredVersions } from './registered-versions.ts';

const crd = {
  spec: {
    group: 'x.io',
    versions: [
      { name: 'v1', served: true },
      { name: 'v2', served: true },
      { name: 'v0', served: false },
    ],
  },
} as unknown as CustomResourceDefinition;
const signal = new AbortController().signal;

/** The APIServices that there are, and how often one was looked at. */
function stored(...names: readonly string[]): {
  readonly names: Set<string>;
  looks: number;
  readonly keyRoot: string;
  readonly storage: { get(key: string): Promise<ObjectRecord | undefined> };
} {
  const apiServices = {
    names: new Set(names),
    looks: 0,
    keyRoot: '/registry/apiservices',
    storage: {
      get(key: string): Promise<ObjectRecord | undefined> {
        apiServices.looks++;
        return Promise.resolve(
          apiServices.names.has(key.slice('/registry/apiservices/'.length)) ? ({} as ObjectRecord) : undefined,
        );
      },
    },
  };
  return apiServices;
}

describe('RegisteredVersions', () => {
  it('waits for each served version', async () => {
    const apiServices = stored('v1.', 'v1.x.io');
    let done = false;
    const waiting = new RegisteredVersions(apiServices, { clock: monotonicClock }).wait(crd, signal).then(() => {
      done = true;
    });
    await new Promise((resolve) => {
      setTimeout(resolve, 40);
    });
    expect(done).to.equal(false);
    apiServices.names.add('v2.x.io');
    await waiting;
  });

  it('waits for nobody where no aggregator has ever worked', async () => {
    const apiServices = stored();
    await new RegisteredVersions(apiServices, { clock: monotonicClock }).wait(crd, signal);
    expect(apiServices.looks).to.equal(1);
  });

  it('gives up, and does not try again soon', async () => {
    const apiServices = stored('v1.');
    const registered = new RegisteredVersions(apiServices, { clock: monotonicClock, limitMs: 30, vainMs: 200 });
    await registered.wait(crd, signal);
    const { looks } = apiServices;
    expect(looks).to.be.above(2);
    await registered.wait(crd, signal);
    expect(apiServices.looks).to.equal(looks);
    await new Promise((resolve) => {
      setTimeout(resolve, 220);
    });
    await registered.wait(crd, signal);
    expect(apiServices.looks).to.be.above(looks);
  });

  it('ends with its process, and survives storage that fails', async () => {
    const ending = new AbortController();
    const waiting = new RegisteredVersions(stored('v1.'), { clock: monotonicClock }).wait(crd, ending.signal);
    setTimeout(() => {
      ending.abort();
    }, 20);
    await waiting;
    await new RegisteredVersions(
      { keyRoot: '', storage: { get: () => Promise.reject(new TypeError('etcd is gone')) } },
      { clock: monotonicClock },
    ).wait(crd, signal);
  });
});
