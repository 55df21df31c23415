import { builtinScheme } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { InformerChange, ObjectInformer, Store } from '@kubechain/apiserver/resources';
import { DiscoveryManager } from '@kubechain/apiserver/servers';
import { expect } from 'chai';
import type { APIService } from '../apiservice/api-service.ts';
import { AutoRegistration } from './auto-registration.ts';

/** What a registration needs, with `create` in the place of what makes APIServices. */
function registrationWith(create: (object: KubeObject) => Promise<KubeObject>) {
  const delegated = new DiscoveryManager();
  const known = new Map<string, APIService>();
  const handlers: ((change: InformerChange<APIService>) => void)[] = [];
  const whole = Promise.withResolvers<void>();
  const clock = new FakeClock();
  const stop = new AbortController();
  const registration = new AutoRegistration({
    store: {
      spec: { scheme: builtinScheme() },
      create: (_context: unknown, _name: string, object: KubeObject) => create(object),
    } as unknown as Store,
    services: {
      get: (name: string) => known.get(name),
      values: () => known.values(),
      onChange: (handler: (change: InformerChange<APIService>) => void) => void handlers.push(handler),
    } as unknown as ObjectInformer<APIService>,
    delegated,
    delegatedWhole: whole.promise,
    crds: { groupVersions: function* () {}, onChange: () => undefined, serves: () => false },
    clock,
  });
  return {
    registration,
    delegated,
    clock,
    stop,
    /** Those behind have told all that they serve. */
    tellWhole: async (): Promise<void> => {
      whole.resolve();
      await clock.advance(0);
    },
    /** An APIService comes back from storage. */
    see: async (value: APIService): Promise<void> => {
      const name = value.metadata.name ?? '';
      known.set(name, value);
      for (const handler of handlers) handler({ kind: 'set', key: name, value, previous: undefined });
      await clock.advance(0);
    },
    problem: (check: { readonly whole: boolean }): string => {
      try {
        void registration.completionCheck(check).check(stop.signal);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

describe('AutoRegistration', () => {
  const ready = { whole: true };
  const alive = { whole: false };

  it('is ready once all behind the server have told what they serve, and discovery knows it', async () => {
    const made: KubeObject[] = [];
    const { registration, delegated, clock, stop, tellWhole, see, problem } = registrationWith((object) => {
      made.push(object);
      return Promise.resolve(object);
    });
    let isWhole = false;
    void registration.whole.then(() => (isWhole = true));
    try {
      expect(problem(alive)).to.equal('missing APIService');
      await registration.start(stop.signal);
      expect(problem(alive)).to.equal('');
      expect(problem(ready)).to.equal('missing APIService');

      delegated.setGroupVersion({ group: 'apps', version: 'v1' }, []);
      await tellWhole();
      await clock.advance(0);
      expect(made).to.have.lengthOf(1);
      expect(problem(ready), 'before it has come back').to.equal('missing APIService');
      expect(isWhole).to.equal(false);

      const [value] = made as unknown as [APIService];
      expect(value.metadata.name).to.equal('v1.apps');
      await see(value);
      expect(problem(ready)).to.equal('');
      expect(isWhole).to.equal(true);

      delegated.setGroupVersion({ group: 'batch', version: 'v1' }, []);
      expect(problem(ready), 'once is enough').to.equal('');
    } finally {
      stop.abort();
    }
  });

  it('is not ready while an APIService cannot be made', async () => {
    const made: KubeObject[] = [];
    let isFull = true;
    const { registration, delegated, clock, stop, tellWhole, see, problem } = registrationWith((object) => {
      if (isFull) return Promise.reject(new TypeError('full'));
      made.push(object);
      return Promise.resolve(object);
    });
    try {
      delegated.setGroupVersion({ group: 'apps', version: 'v1' }, []);
      await registration.start(stop.signal);
      await tellWhole();
      await clock.advance(100);
      expect(problem(ready), 'until it is tried again').to.equal('missing APIService');
      isFull = false;
      await clock.advance(100);
      expect(made).to.have.lengthOf(1);
      await see(made[0] as unknown as APIService);
      expect(problem(ready)).to.equal('');
    } finally {
      stop.abort();
    }
  });

  it('is ready without an APIService that cannot be made and that nobody wants any more', async () => {
    const { registration, delegated, clock, stop, tellWhole, problem } = registrationWith(() =>
      Promise.reject(new TypeError('full')),
    );
    try {
      delegated.setGroupVersion({ group: 'apps', version: 'v1' }, []);
      await registration.start(stop.signal);
      await tellWhole();
      delegated.removeGroupVersion({ group: 'apps', version: 'v1' });
      await clock.advance(1_000);
      expect(problem(ready)).to.equal('');
    } finally {
      stop.abort();
    }
  });
});
