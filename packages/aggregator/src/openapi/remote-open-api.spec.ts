import { limits, systemClock } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RemoteService } from '../remote/remote-service.ts';
import { startExtensionServer, type ExtensionServer } from '../remote/testing/extension-server.ts';
import { RemoteOpenAPI } from './remote-open-api.ts';

describe('RemoteOpenAPI', () => {
  let server: ExtensionServer;
  let routes: Map<string, RemoteService>;
  let openAPI: RemoteOpenAPI;
  /** Follows an APIService, and waits for its documents to be read, or `ms`. */
  const follow = async (group: string, ms = 10_000): Promise<void> => {
    const { generation } = openAPI;
    routes.set(`/apis/${group}/v1`, server.remote(group));
    openAPI.sync();
    const end = performance.now() + ms;
    while (openAPI.generation === generation && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const document = (description: string, definitions: object = {}): string =>
    JSON.stringify({
      swagger: '2.0',
      info: { title: description, version: 'v' },
      paths: { '/apis/a.example/v1/as': { get: { responses: { 200: { description: 'OK' } } } } },
      definitions,
    });

  beforeEach(async () => {
    server = await startExtensionServer();
    routes = new Map();
    openAPI = new RemoteOpenAPI(routes, systemClock);
  });
  afterEach(async () => {
    openAPI.stop();
    await server.stop();
  });

  it('keeps no more than extensionOpenAPI of all servers together', async () => {
    server.documents.set('/openapi/v2', document('a'.repeat(limits.extensionDocument.value * 0.9)));
    await follow('a.example');
    await follow('b.example');
    expect(openAPI.documentsV2()).to.have.length(2);
    await follow('c.example', 1_000);
    expect(openAPI.documentsV2()).to.have.length(2);

    routes.delete('/apis/a.example/v1');
    routes.delete('/apis/c.example/v1');
    openAPI.sync();
    await follow('c.example');
    expect(openAPI.documentsV2()).to.have.length(2);
  });

  it('has no more than extensionPaths in its index', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: limits.extensionPaths.value + 1 }, (_, i) => [`apis/a${i}/v1`, { serverRelativeURL: '/' }]),
    );
    server.documents.set('/openapi/v3', JSON.stringify({ paths }));
    await follow('a.example');
    expect(Object.keys(openAPI.index().paths)).to.have.length(limits.extensionPaths.value);
  });

  it('knows the index of a server whose version 2 is too large', async () => {
    server.documents.set('/openapi/v3', '{"paths":{"apis/a.example/v1":{"serverRelativeURL":"/a"}}}');
    server.documents.set('/openapi/v2', document('a'.repeat(limits.extensionDocument.value)));
    await follow('a.example');
    expect(openAPI.index()).to.deep.equal({ paths: { 'apis/a.example/v1': { serverRelativeURL: '/a' } } });
    expect(openAPI.documentsV2()).to.deep.equal([]);
  });

  it('lets others go on between the steps on a large version 2', async () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 6_000 }, (_, i) => [
        `d${i}`,
        { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
      ]),
    );
    server.documents.set('/openapi/v2', document('', definitions));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const parsed = JSON.parse.bind(JSON);
    let atParse = 0;
    JSON.parse = (...args) => {
      if (args[0].length > 100_000) atParse = turns;
      return parsed(...args) as unknown;
    };
    try {
      await follow('a.example');
    } finally {
      JSON.parse = parsed;
      clearInterval(timer);
    }
    expect(openAPI.index().paths).to.have.property('apis/a.example/v1');
    // Filtering, converting, writing and packing are steps of their own.
    expect(turns - atParse).to.be.at.least(4);
  });
});
