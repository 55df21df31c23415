import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { loadRelease, type ReleaseAge } from '@kubechain/apimachinery';
import type { APIService } from '../apiservice/api-service.ts';
import { RemoteService } from '../remote/remote-service.ts';
import { ServiceResolutionError } from '@kubechain/apiserver/proxies';
import type { RoutedService, RoutedSlice } from '@kubechain/apiserver/proxies';
import { checkAvailability } from './check-availability.ts';

const apiService: APIService = {
  metadata: { name: 'v1.example.com' },
  spec: {
    group: 'example.com',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
    service: { namespace: 'n', name: 's', port: 443 },
    insecureSkipTLSVerify: true,
  },
};
const service: RoutedService = {
  name: 's',
  type: 'ClusterIP',
  clusterIP: '10.0.0.1',
  externalName: '',
  primaryFamily: 'IPv4',
  ports: [{ name: 'https', port: 443 }],
};
const slice: RoutedSlice = {
  service: 'n/s',
  addressType: 'IPv4',
  ports: [{ name: 'https', port: 8443 }],
  readyAddresses: ['127.0.0.1'],
};

describe('checkAvailability', () => {
  let server: Server;
  let status = 200;
  /** Answers before those of `status`. */
  let before200: number[] = [];
  let asked: string[] = [];
  let address = '';
  before(async () => {
    server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
      asked.push(
        `${request.url} ${String(request.headers['x-remote-user'])} ${String(request.headers['x-remote-group'])}`,
      );
      response.writeHead(before200.shift() ?? status).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  async function check(
    found: RoutedService | undefined,
    slices: readonly RoutedSlice[],
    {
      at = address,
      of = apiService,
      release,
    }: { readonly at?: string; readonly of?: APIService; readonly release?: ReleaseAge | undefined } = {},
  ): Promise<unknown> {
    const remote = new RemoteService(of, {
      release,
      resolve: () => {
        if (at === '') throw new ServiceResolutionError('cannot route to service with ClusterIP "None"');
        return at;
      },
      clientCertificate: undefined,
    });
    try {
      return await checkAvailability(
        remote,
        { service: () => found, slices: () => slices },
        new AbortController().signal,
      );
    } finally {
      remote.close();
    }
  }
  const no = (reason: string, message: string, retry = false): unknown => ({
    availability: { status: 'False', reason, message },
    retry,
  });

  const missing: readonly (readonly [
    reason: string,
    service: RoutedService | undefined,
    slices: readonly RoutedSlice[],
    message: string,
  ])[] = [
    ['ServiceNotFound', undefined, [], 'service/s in "n" is not present'],
    [
      'ServicePortError',
      { ...service, ports: [{ name: 'https', port: 80 }] },
      [],
      'service/s in "n" is not listening on port 443',
    ],
    ['EndpointsNotFound', service, [], 'cannot find endpointslices for service/s in "n"'],
    [
      'MissingEndpoints',
      service,
      [{ ...slice, readyAddresses: [] }],
      'endpointslices for service/s in "n" have no addresses with port name "https"',
    ],
    [
      'MissingEndpoints',
      service,
      [{ ...slice, ports: [{ name: 'http', port: 1 }] }],
      'endpointslices for service/s in "n" have no addresses with port name "https"',
    ],
  ];
  for (const [reason, found, slices, message] of missing) {
    it(`${reason}: ${message}`, async () => {
      expect(await check(found, slices)).to.deep.equal(no(reason, message));
      expect(asked).to.deep.equal([]);
    });
  }
  it('passes when the server gives its document to the aggregator', async () => {
    expect(await check(service, [slice])).to.deep.equal({
      availability: { status: 'True', reason: 'Passed', message: 'all checks passed' },
      retry: false,
    });
    expect(asked[0]).to.equal('/apis/example.com/v1 system:kube-aggregator system:masters');
  });
  it('asks no endpoints of a service that is no cluster IP', async () => {
    expect(await check({ ...service, type: 'ExternalName', ports: [] }, [])).to.deep.include({ retry: false });
  });
  const passes = { availability: { status: 'True', reason: 'Passed', message: 'all checks passed' }, retry: false };
  for (const type of ['NodePort', 'LoadBalancer'])
    it(`asks no endpoints of a ${type}`, async () => {
      expect(await check({ ...service, type, ports: [] }, [])).to.deep.equal(passes);
    });
  it('needs one of several slices to have a ready endpoint', async () => {
    expect(
      await check(service, [{ ...slice, readyAddresses: [] }, { ...slice, ports: [{ name: 'http', port: 1 }] }, slice]),
    ).to.deep.equal(passes);
  });
  it('is content with one answer of five', async () => {
    before200 = [500, 404, 500, 302];
    expect(await check(service, [slice])).to.deep.equal(passes);
    expect(asked).to.have.length(5);
  });
  it('takes a redirect for a failure', async () => {
    before200 = [302, 302, 302, 302, 302];
    const url = `https://${address}/apis/example.com/v1`;
    expect(await check(service, [slice])).to.deep.equal(
      no('FailedDiscoveryCheck', `failing or missing response from ${url}: bad status from ${url}: 302`, true),
    );
  });
  it('asks for the core group where it is', async () => {
    expect(
      await check(service, [slice], { of: { metadata: { name: 'v1.' }, spec: { ...apiService.spec, group: '' } } }),
    ).to.deep.equal(passes);
    expect(asked[0]).to.match(/^\/api\/v1 /);
  });
  it('says why a service leads nowhere', async () => {
    expect(await check(service, [slice], { at: '' })).to.deep.equal(
      no('FailedDiscoveryCheck', 'cannot route to service with ClusterIP "None"', true),
    );
  });
  const withoutAuthority: APIService = {
    ...apiService,
    spec: { ...apiService.spec, insecureSkipTLSVerify: false, caBundle: 'Z2FyYmFnZQ==' },
  };
  it('cannot say anything while the caBundle is none', async () => {
    expect(await check(service, [slice], { of: withoutAuthority })).to.equal(undefined);
  });
  it('did not look at certificates before 1.36', async () => {
    const release = await loadRelease('1.35');
    expect(await check(service, [slice], { of: withoutAuthority, release })).to.deep.equal(passes);
    const { caBundle: _bundle, ...spec } = withoutAuthority.spec;
    const ofNobody = { ...withoutAuthority, spec };
    expect(await check(service, [slice], { of: ofNobody, release })).to.deep.equal(passes);
    expect(await check(service, [slice], { of: ofNobody })).to.have.nested.property('availability.status', 'False');
  });
  it('says what the server answered, and wants to ask again', async () => {
    status = 404;
    const url = `https://${address}/apis/example.com/v1`;
    expect(await check(service, [slice])).to.deep.equal(
      no('FailedDiscoveryCheck', `failing or missing response from ${url}: bad status from ${url}: 404`, true),
    );
    status = 200;
  });
  it('says that nobody listens', async () => {
    const url = 'https://127.0.0.1:1/apis/example.com/v1';
    expect(await check(service, [slice], { at: '127.0.0.1:1' })).to.deep.equal(
      no(
        'FailedDiscoveryCheck',
        `failing or missing response from ${url}: Get "${url}": dial tcp 127.0.0.1:1: connect: connection refused`,
        true,
      ),
    );
  });
});
