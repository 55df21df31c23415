import { messageOf, systemClock } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { KubeObject } from '@kubechain/apimachinery';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { etcdFlags } from '../options/etcd-flags.ts';
import { parseFlags } from '../options/parse-flags.ts';
import { builtinResourceSpec } from '../registry/generic/builtin-resource-spec.ts';
import { createResource } from '../registry/generic/create-resource.ts';
import type { Store } from '../registry/generic/store.ts';
import { openStorage } from './open-storage.ts';
import type { OpenedStorage } from './open-storage.ts';

const encryption = (...keys: string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { aescbc: { keys: keys.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })) } },
          { identity: {} },
        ],
      },
    ],
  });

describe('openStorage', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  let storage: OpenedStorage | undefined;
  const stores: Store[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-open-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await storage?.close();
    storage = undefined;
    await etcd.close();
    rmSync(folder, { recursive: true });
  });
  const open = async (...flags: string[]): Promise<OpenedStorage> => {
    const { values } = parseFlags([`--etcd-servers=${etcd.endpoint}`, ...flags], { etcd: etcdFlags });
    return (storage = await openStorage(values.etcd, {
      clock: systemClock,
      random: () => 0,
      signal: new AbortController().signal,
      encryptionPollMs: 10,
    }));
  };
  const storeOf = (plural: string): Store => {
    const store = createResource(builtinResourceSpec({ group: '', plural }), storage!.restOptions);
    stores.push(store);
    return store;
  };
  const secret = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'a' },
    data: { k: 'djE=' },
  });

  it('rotates encryption keys while it runs', async () => {
    const path = join(folder, 'encryption.json');
    const configure = (...keys: string[]): void => {
      writeFileSync(`${path}.new`, encryption(...keys));
      renameSync(`${path}.new`, path);
    };
    configure('one');
    const {
      factory,
      encryption: { startReloading },
    } = await open(`--encryption-provider-config=${path}`, '--encryption-provider-config-automatic-reload=true');
    startReloading?.();
    const secrets = storeOf('secrets');
    const key = (name: string): string => `${secrets.keyRoot}/a/${name}`;
    const writtenWith = async (name: string): Promise<string> => {
      const [kv] = (await factory.client.range({ key: key(name) })).kvs;
      return kv?.value.toString('latin1').split(':').slice(0, 5).join(':') ?? '';
    };
    await secrets.storage.create(key('old'), secret('old'));
    expect(await writtenWith('old')).to.equal('k8s:enc:aescbc:v1:one');

    configure('two', 'one');
    for (let i = 0; i < 500 && (await writtenWith(`new-${i - 1}`)) !== 'k8s:enc:aescbc:v1:two'; i++) {
      await delay(10);
      await secrets.storage.create(key(`new-${i}`), secret(`new-${i}`));
    }
    expect(await writtenWith('old')).to.equal('k8s:enc:aescbc:v1:one');
    const { items } = await secrets.storage.getList(`${secrets.keyRoot}/`);
    expect(items.length).to.be.above(1);
    expect(items.every((item) => (item.object()['data'] as { k: string }).k === 'djE=')).to.equal(true);

    // An update that changes nothing writes with the new key.
    await secrets.storage.guaranteedUpdate(key('old'), ({ object }) => ({ object: object ?? {} }));
    expect(await writtenWith('old')).to.equal('k8s:enc:aescbc:v1:two');
    configure('two');
    expect((await secrets.storage.get(key('old'), { uncached: true }))?.object()).to.have.nested.property(
      'data.k',
      'djE=',
    );
  });

  it('follows a file only where there is one', async () => {
    await open('--encryption-provider-config-automatic-reload=true').then(
      () => expect.fail('was opened'),
      (error: unknown) => {
        expect(String(error)).to.include(
          '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
        );
      },
    );
  });

  it('tells that it is etcd that does not answer, in time or at all', async () => {
    const { healthChecks } = await open();
    const reason = async (signal: AbortSignal): Promise<string> => {
      try {
        await healthChecks[0]?.check(signal);
      } catch (error) {
        return messageOf(error);
      }
      return 'well';
    };
    expect(await reason(AbortSignal.abort())).to.equal('error getting data from etcd: context deadline exceeded');
    await etcd.close();
    expect(await reason(new AbortController().signal)).to.match(/^error getting data from etcd: ./);
  });

  it('checks the servers of overrides on their own', async () => {
    const other = await startEmbeddedEtcd({ dataFile: join(folder, 'other.db'), unsafeNoFsync: true });
    try {
      const opened = await open(`--etcd-servers-overrides=/configmaps#${other.endpoint},/secrets#${other.endpoint}`);
      expect(opened.healthChecks.map(({ name }) => name)).to.deep.equal(['etcd', 'etcd-override-0']);
      expect(opened.readinessChecks.map(({ name }) => name)).to.deep.equal([
        'etcd-readiness',
        'etcd-override-readiness-0',
      ]);
      await storeOf('configmaps').storage.create('/registry/configmaps/a/x', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', namespace: 'a' },
      });
      const { signal } = new AbortController();
      for (const check of [...opened.healthChecks, ...opened.readinessChecks]) await check.check(signal);
      expect(
        (await opened.factory.client.range({ key: '/registry/configmaps/', rangeEnd: '/registry/configmaps0' })).kvs,
      ).to.deep.equal([]);
      await other.close();
      await opened.healthChecks[0]?.check(signal);
      const failed = await Promise.resolve(opened.healthChecks[1]?.check(signal)).then(
        () => false,
        () => true,
      );
      expect(failed).to.equal(true);
    } finally {
      await other.close();
    }
  });

  it('proves to etcd who it is, and moves on to the next server', async () => {
    const secure = await startEmbeddedEtcd({
      dataFile: join(folder, 'secure.db'),
      unsafeNoFsync: true,
      tls: { cert: tlsFixture.serverCert, key: tlsFixture.serverKey, trustedCa: tlsFixture.ca, clientCertAuth: true },
    });
    try {
      const file = (name: string, content: string): string => {
        writeFileSync(join(folder, name), content);
        return join(folder, name);
      };
      const servers = `--etcd-servers=https://127.0.0.1:1,${secure.endpoint}`;
      const ca = `--etcd-cafile=${file('ca.pem', tlsFixture.ca)}`;
      const { values } = parseFlags(
        [
          servers,
          ca,
          `--etcd-certfile=${file('client.pem', tlsFixture.clientCert)}`,
          `--etcd-keyfile=${file('client.key', tlsFixture.clientKey)}`,
        ],
        { etcd: etcdFlags },
      );
      storage = await openStorage(values.etcd, {
        clock: systemClock,
        random: () => 0,
        signal: new AbortController().signal,
      });
      const secrets = storeOf('secrets');
      await secrets.storage.create(`${secrets.keyRoot}/a/x`, secret('x'));
      expect((await secrets.storage.getList(`${secrets.keyRoot}/`)).items).to.have.lengthOf(1);
      const unknown = parseFlags([servers, ca], { etcd: etcdFlags }).values.etcd;
      const refused = await openStorage(unknown, {
        clock: systemClock,
        random: () => 0,
        signal: new AbortController().signal,
        connectTimeoutMs: 200,
      }).then(() => '', String);
      expect(refused).to.match(/--etcd-servers.*cannot be reached/);
      const half = await openStorage(
        { ...unknown, 'etcd-certfile': join(folder, 'client.pem') },
        { clock: systemClock, random: () => 0, signal: new AbortController().signal },
      ).then(() => '', String);
      expect(half).to.include('--etcd-certfile and --etcd-keyfile must be given together');
    } finally {
      await storage?.close();
      await secure.close();
    }
  });
});
