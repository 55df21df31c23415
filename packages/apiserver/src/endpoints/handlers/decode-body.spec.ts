import { expect } from 'chai';
import { builtinScheme } from '@kubechain/apimachinery';
import { jsonMediaType } from '../../negotiation/media-types.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { refusal } from '../../testing/refusal.ts';
import { ResourceServer } from '../../testing/resource-server.ts';
import { decodeBody } from './decode-body.ts';
import type { RequestScope } from './request-scope.ts';

describe('bodies in another version of their kind', () => {
  let server: ResourceServer;
  let url: string;

  before(async () => {
    server = new ResourceServer();
    server.install({
      group: 'apps',
      plural: 'deployments',
      singular: 'deployment',
      kind: 'Deployment',
      namespaced: true,
      memoryVersion: { group: 'apps', version: 'v1' },
    });
    url = `${await server.listen()}/apis/apps/v1/namespaces/a/deployments`;
  });
  after(() => server.close());

  const post = async (
    apiVersion: string,
    query = '',
  ): Promise<{ readonly message: unknown; readonly warning: string | null }> => {
    const response = await fetch(url + query, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion, kind: 'Deployment', metadata: { name: 'x' }, foo: 1 }),
    });
    const { message } = (await response.json()) as { message: unknown };
    return { message, warning: response.headers.get('warning') };
  };

  for (const apiVersion of ['apps/v1beta2', 'extensions/v1beta1'])
    it(`are told of their unknown fields before they are refused: ${apiVersion}`, async () => {
      expect(await post(apiVersion)).to.deep.equal({
        message: `the API version in the data (${apiVersion}) does not match the expected API version (apps/v1)`,
        warning: String.raw`299 - "unknown field \"foo\""`,
      });
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
      expect((await post(apiVersion, '?fieldValidation=Strict')).message).to.equal(
        `Deployment in version "${version}" cannot be handled as a Deployment: strict decoding error: unknown field ` +
          '"foo"',
      );
    });
});

describe('bodies of a subresource in versions of another group', () => {
  const scheme = builtinScheme();
  const kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
  const scope = {
    scheme,
    kind,
    kindInfo: scheme.kind(kind),
    apiVersion: 'policy/v1',
    storage: { acceptsGroupVersion: ({ group }: { readonly group: string }) => group === 'policy' },
  } as unknown as RequestScope;
  const decode = (body: object): Promise<unknown> =>
    decodeBody(scope, {} as RequestContext, {
      body: Buffer.from(JSON.stringify(body)),
      mediaType: jsonMediaType,
      fieldValidation: 'Ignore',
    });

  it('are read in each version of their kind', async () => {
    for (const apiVersion of ['policy/v1', 'policy/v1beta1'])
      expect(await decode({ apiVersion, kind: 'Eviction', metadata: { name: 'x' } })).to.have.property('apiVersion');
  });

  it('are refused where they are of another kind of that group', async () => {
    const { message } = await refusal(() => decode({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }));
    expect(message).to.equal(
      'PodDisruptionBudget in version "v1" cannot be handled as a Eviction: converting (v1.PodDisruptionBudget) to ' +
        '(policy.Eviction): unknown conversion',
    );
  });
});
