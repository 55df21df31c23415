import { expect } from 'chai';
import { ResourceServer } from '../../testing/resource-server.ts';

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
