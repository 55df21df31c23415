import { builtinScheme, systemClock } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { InformerChange, ObjectInformer, Store } from '@kubechain/apiserver/resources';
import { DiscoveryManager } from '@kubechain/apiserver/servers';
import { expect } from 'chai';
import type { APIService } from '../apiservice/api-service.ts';
import { AutoRegistration } from './auto-registration.ts';

describe('AutoRegistration', () => {
  it('is ready once all behind the server have told what they serve, and discovery knows it', async () => {
    const delegated = new DiscoveryManager();
    const known = new Map<string, APIService>();
    const handlers: ((change: InformerChange<APIService>) => void)[] = [];
    const made: KubeObject[] = [];
    let whole = false;
    const registration = new AutoRegistration({
      store: {
        spec: { scheme: builtinScheme() },
        create: (_context: unknown, _name: string, object: KubeObject) => {
          made.push(object);
          return Promise.resolve(object);
        },
      } as unknown as Store,
      services: {
        get: (name: string) => known.get(name),
        values: () => known.values(),
        onChange: (handler: (change: InformerChange<APIService>) => void) => void handlers.push(handler),
      } as unknown as ObjectInformer<APIService>,
      delegated,
      delegatedIsWhole: () => whole,
      crds: { groupVersions: function* () {}, onChange: () => undefined, serves: () => false },
      clock: systemClock,
    });
    const stop = new AbortController();
    const { signal } = stop;
    const problem = (): string => {
      try {
        void registration.readinessCheck.check(signal);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const alive = (): void => void registration.healthCheck.check(signal);
    try {
      expect(alive).to.throw('missing APIService');
      await registration.start(signal);
      expect(alive).not.to.throw();
      expect(problem()).to.equal('missing APIService');

      delegated.setGroupVersion({ group: 'apps', version: 'v1' }, []);
      whole = true;
      expect(problem(), 'while it is being made').to.equal('missing APIService');
      while (made.length === 0) await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect(problem(), 'before it has come back').to.equal('missing APIService');

      const [value] = made as unknown as [APIService];
      expect(value.metadata.name).to.equal('v1.apps');
      known.set('v1.apps', value);
      for (const handler of handlers) handler({ kind: 'set', key: 'v1.apps', value, previous: undefined });
      while (problem() !== '') await new Promise(setImmediate);

      whole = false;
      expect(problem(), 'once is enough').to.equal('');
    } finally {
      stop.abort();
    }
  });
});
