import { systemClock } from '@kubechain/apimachinery';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { RoutedService, ServiceDirectory } from '@kubechain/apiserver/proxies';
import type { RESTStorage } from '@kubechain/apiserver/resources';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import type { APIService, APIServiceCondition } from '../apiservice/api-service.ts';
import { RemoteService } from '../remote/remote-service.ts';
import { AvailabilityController } from './availability-controller.ts';

const name = 'v1.example.com';
const spec: APIService['spec'] = {
  group: 'example.com',
  version: 'v1',
  groupPriorityMinimum: 1,
  versionPriority: 1,
  service: { namespace: 'n', name: 's', port: 443 },
  insecureSkipTLSVerify: true,
};

describe('AvailabilityController', () => {
  let server: Server;
  let status: number;
  let asked: number;
  /** How often what was found should have been written. */
  let updates: number;
  let service: RoutedService | undefined;
  let stored: APIService | undefined;
  let written: APIServiceCondition[];
  let ready: boolean;
  let now: number;
  let controller: AvailabilityController;
  let remote: RemoteService;

  before(async () => {
    server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (_request, response) => {
      asked++;
      response.writeHead(status).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    [status, asked, updates, written, ready, now] = [200, 0, 0, [], true, 0];
    service = {
      name: 's',
      type: 'ExternalName',
      clusterIP: '',
      externalName: 'localhost',
      primaryFamily: undefined,
      ports: [],
    };
    stored = { metadata: { name }, spec };
    remote = new RemoteService(stored, {
      resolve: () => `127.0.0.1:${(server.address() as AddressInfo).port}`,
      clientCertificate: undefined,
    });
    // As storage does it: the change is made to what is there, and what changes nothing is not written.
    const update: RESTStorage['update'] = async (context, _name, info) => {
      updates++;
      if (stored === undefined) throw notFound({ group: 'apiregistration.k8s.io', resource: 'apiservices' }, name);
      const changed = (await info.updatedObject(context, stored)) as APIService;
      if (changed !== stored) written.push(...(changed.status?.conditions ?? []));
      stored = changed;
      return { result: changed as KubeObject, created: false } as never;
    };
    const services = { follow: () => Promise.resolve(), service: () => service, slices: () => [] } satisfies Pick<
      ServiceDirectory,
      'follow' | 'service' | 'slices'
    >;
    controller = new AvailabilityController({
      status: { update },
      fields: {
        update: (_live, object, manager) =>
          Promise.resolve({ ...object, metadata: { name, managedFields: [{ manager }] } }),
      },
      services: services as unknown as ServiceDirectory,
      clock: { ...systemClock, now: () => now },
      ready: () => ready,
    });
  });
  afterEach(() => {
    controller.stop();
    remote.close();
  });

  const condition = (): APIServiceCondition | undefined => stored?.status?.conditions?.[0];
  async function until(what: () => boolean): Promise<void> {
    for (const deadline = Date.now() + 60_000; !what();) {
      if (Date.now() > deadline) throw new TypeError(`not in time: ${JSON.stringify(written)}`);
      await delay(5);
    }
  }

  it('says what it found, at the time of the change', async () => {
    now = Date.parse('2026-01-02T03:04:05.678Z');
    controller.set(name, remote);
    await until(() => written.length > 0);
    expect(written).to.deep.equal([
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: '2026-01-02T03:04:05Z',
        reason: 'Passed',
        message: 'all checks passed',
      },
    ]);
    expect(stored?.metadata.managedFields).to.deep.equal([{ manager: 'kube-apiserver' }]);
  });
  it('says so of a local one, which it asks nobody about', async () => {
    stored = {
      metadata: { name },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    };
    controller.set(name, undefined);
    await until(() => written.length > 0);
    expect([condition()?.status, condition()?.reason, asked]).to.deep.equal(['True', 'Local', 0]);
  });
  it('corrects what somebody else writes, and leaves alone what it has written itself', async () => {
    controller.set(name, remote);
    await until(() => written.length === 1);
    controller.conditionsChanged(name, stored?.status?.conditions ?? []);
    await delay(300);
    expect(asked).to.equal(5);
    for (const conditions of [[{ type: 'Available', status: 'False', reason: 'Mine', message: 'mine' }], []] as const) {
      const before = written.length;
      stored = { metadata: { name }, spec, status: { conditions: [...conditions] } };
      controller.conditionsChanged(name, conditions);
      await until(() => written.length > before);
      expect(written.at(-1)).to.include({ status: 'True', reason: 'Passed' });
    }
  });
  it('asks a server that failed again and again, and writes once what it finds', async () => {
    status = 500;
    controller.set(name, remote);
    await until(() => asked >= 15);
    expect(written.map(({ status: state, reason }) => [state, reason])).to.deep.equal([
      ['False', 'FailedDiscoveryCheck'],
    ]);
    status = 200;
    await until(() => condition()?.status === 'True');
    expect(written).to.have.length(2);
  });
  it('does not try to write again what it was told is written', async () => {
    status = 500;
    controller.set(name, remote);
    await until(() => written.length === 1);
    controller.conditionsChanged(name, stored?.status?.conditions ?? []);
    const before = updates;
    const askedBefore = asked;
    await until(() => asked >= askedBefore + 15);
    expect(updates - before).to.be.at.most(1);
  });
  it('writes that a server is back before it was told of its own writing that it had failed', async () => {
    controller.set(name, remote);
    await until(() => written.length === 1);
    controller.conditionsChanged(name, stored?.status?.conditions ?? []);
    status = 500;
    controller.serviceChanged('n/s');
    await until(() => condition()?.status === 'False');
    status = 200;
    await Promise.race([until(() => condition()?.status === 'True'), delay(5_000)]);
    expect(written.map(({ status: state }) => state)).to.deep.equal(['True', 'False', 'True']);
  });
  it('writes no failure of a server while this process is just starting', async () => {
    [status, ready] = [500, false];
    controller.set(name, remote);
    await until(() => asked >= 15);
    expect(written).to.deep.equal([]);
    ready = true;
    await until(() => condition()?.reason === 'FailedDiscoveryCheck');
  });
  it('writes that there is no service even then, and looks again as soon as there is one', async () => {
    const there = service;
    [service, ready] = [undefined, false];
    controller.set(name, remote);
    await until(() => condition()?.reason === 'ServiceNotFound');
    await delay(50);
    expect(asked).to.equal(0);
    service = there;
    controller.serviceChanged('n/other');
    await delay(50);
    expect(condition()?.reason).to.equal('ServiceNotFound');
    controller.serviceChanged('n/s');
    await until(() => condition()?.reason === 'Passed');
  });
  it('leaves alone one that has changed between local and remote meanwhile', async () => {
    stored = {
      metadata: { name },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    };
    controller.set(name, remote);
    await until(() => asked > 0);
    await delay(50);
    expect(written).to.deep.equal([]);
  });
  it('gives up on one that is gone', async () => {
    stored = undefined;
    controller.set(name, remote);
    await until(() => updates > 0);
    await delay(100);
    expect([updates, written]).to.deep.equal([1, []]);
  });
  it('asks no more after it was told that one is gone', async () => {
    status = 500;
    controller.set(name, remote);
    await until(() => asked > 0);
    controller.delete(name);
    // What was on its way may still arrive.
    let before: number;
    do {
      before = asked;
      await delay(300);
    } while (asked !== before);
    await delay(150);
    expect(asked).to.equal(before);
    controller.serviceChanged('n/s');
    await delay(50);
    expect(asked).to.equal(before);
  });
});
