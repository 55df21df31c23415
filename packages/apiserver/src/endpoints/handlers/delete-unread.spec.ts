import { expect } from 'chai';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import { ResourceServer } from '../../testing/resource-server.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly message?: string; readonly reason?: string };
}

const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const invalid = `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: `;

describe(`DELETE with ${option}`, () => {
  let server: ResourceServer;
  let path: string;
  let asked: AuthorizationAttributes[];
  let mayDeleteUnread: boolean;

  const open = async (unsafeDeletion: boolean): Promise<void> => {
    asked = [];
    mayDeleteUnread = true;
    const authorizer: Authorizer = {
      authorize: (attributes) => {
        asked.push(attributes);
        return mayDeleteUnread ? { decision: 'Allow', reason: '' } : { decision: 'NoOpinion', reason: 'no rule' };
      },
    };
    server = new ResourceServer({ authorizer, unsafeDeletion });
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
    });
    path = `${await server.listen()}/api/v1/namespaces/a/configmaps`;
    await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'x' } }),
    });
  };
  afterEach(() => server.close());
  const remove = async (url: string, options?: Record<string, unknown>): Promise<Answer> => {
    const response = await fetch(url, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      ...(options === undefined
        ? {}
        : { body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', [option]: true, ...options }) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };

  describe('with the feature gate', () => {
    beforeEach(() => open(true));

    const combinations: readonly (readonly [field: string, value: unknown])[] = [
      ['dryRun', ['All']],
      ['propagationPolicy', 'Background'],
      ['orphanDependents', false],
      ['gracePeriodSeconds', 0],
      ['preconditions', { uid: 'u' }],
    ];
    for (const [field, value] of combinations) {
      it(`refuses ${field} beside it`, async () => {
        const { body, status } = await remove(`${path}/x`, { [field]: value });
        expect({ status, message: body.message }).to.deep.equal({
          status: 422,
          message: `${invalid}cannot be set together with .${field}`,
        });
      });
    }

    it('refuses collections', async () => {
      const { body, status } = await remove(path, {});
      expect({ status, message: body.message }).to.deep.equal({
        status: 422,
        message: `${invalid}is not allowed with DELETECOLLECTION, try again after removing the option`,
      });
    });

    it('wants a right of its own', async () => {
      mayDeleteUnread = false;
      const { body, status } = await remove(`${path}/x?${option}=true`);
      expect({ status, message: body.message }).to.deep.equal({
        status: 403,
        message: 'configmaps "x" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: no rule',
      });
      expect(asked.map(({ verb, namespace, resource, name }) => ({ verb, namespace, resource, name }))).to.deep.equal([
        { verb: 'unsafe-delete-ignore-read-errors', namespace: 'a', resource: 'configmaps', name: 'x' },
      ]);
    });

    it('refuses objects that can be read, or are not there', async () => {
      for (const name of ['x', 'nobody']) {
        const { body, status } = await remove(`${path}/${name}`, {});
        expect({ status, message: body.message }).to.deep.equal({
          status: 422,
          message:
            `configmaps "${name}" is invalid: ${option}: Invalid value: true: is exclusively used to delete ` +
            'corrupt object(s), try again by removing this option',
        });
      }
    });
  });

  describe('without the feature gate', () => {
    beforeEach(() => open(false));

    it('deletes as if the option were not there', async () => {
      expect((await remove(`${path}/x`, { gracePeriodSeconds: 0 })).status).to.equal(200);
      expect(asked).to.deep.equal([]);
    });
  });
});
