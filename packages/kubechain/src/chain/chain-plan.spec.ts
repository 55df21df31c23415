import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataDir } from '../data-dir/data-dir.ts';
import type { PKI } from '../pki/pki.ts';
import { commonFlags, kubeletClientFlags, serverCommand } from './chain-plan.ts';

describe('the serving certificate of the chain', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kubechain-cert-dir-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  const pair = { certFile: 'own.crt', keyFile: 'own.key' };
  const pki = {
    ca: pair,
    serving: pair,
    frontProxyCA: pair,
    frontProxyClient: pair,
    kubeletClient: { certFile: 'kubelet.crt', keyFile: 'kubelet.key' },
    serviceAccountKeyFile: 'sa.key',
    serviceAccountPublicKeyFile: 'sa.pub',
  } as unknown as PKI;
  const flags = new Map(
    ['tls-cert-file', 'tls-private-key-file', 'cert-dir'].map((name) => [name, { isBoolean: false }]),
  );
  const argsWith = (...given: readonly string[]): readonly string[] =>
    serverCommand({ name: 'aggregator', main: 'main.ts', flags } as unknown as Parameters<typeof serverCommand>[0], {
      dir: { logs: 'logs', run: 'run' } as unknown as DataDir,
      pki,
      etcdServers: 'unix:etcd.sock',
      options: {
        dataDir: 'data',
        securePort: 6443,
        securePortGiven: false,
        serverFlags: given.length === 0 ? [] : [{ name: 'cert-dir', arguments: given }],
      },
    }).args;
  const own = ['--tls-cert-file=own.crt', '--tls-private-key-file=own.key'];

  it('is its own', () => {
    expect(argsWith()).to.deep.equal(own);
  });

  it('is the one in --cert-dir, where there is one', () => {
    expect(argsWith(`--cert-dir=${directory}`)).to.deep.equal([...own, `--cert-dir=${directory}`]);
    for (const file of ['apiserver.crt', 'apiserver.key']) writeFileSync(join(directory, file), '');
    expect(argsWith(`--cert-dir=${directory}`)).to.deep.equal([`--cert-dir=${directory}`]);
    expect(argsWith('--cert-dir', directory)).to.deep.equal(['--cert-dir', directory]);
  });
});

describe("the headers of a front proxy that the chain's servers believe", () => {
  const pki = new Proxy({}, { get: () => ({ certFile: 'x', keyFile: 'x' }) }) as unknown as PKI;
  const names = (...given: readonly string[]): readonly string[] =>
    commonFlags(
      pki,
      'unix:etcd.sock',
      given.map((argument) => ({ name: argument.slice(2).split('=')[0] ?? '', arguments: [argument] })),
    )
      .map(([name]) => name)
      .filter((name) => name.endsWith('-headers'));

  it('name the uid, unless it is said by which they name users', () => {
    expect(names()).to.include('requestheader-uid-headers');
    expect(names('--requestheader-username-headers=X-User')).not.to.include('requestheader-uid-headers');
  });
});

describe('what the chain shows kubelets', () => {
  const pki = {
    frontProxyClient: { certFile: 'proxy.crt', keyFile: 'proxy.key' },
    kubeletClient: { certFile: 'kubelet.crt', keyFile: 'kubelet.key' },
  };

  it('is a certificate of its own authority', () => {
    expect(kubeletClientFlags(pki, [])).to.deep.equal([
      ['kubelet-client-certificate', 'kubelet.crt'],
      ['kubelet-client-key', 'kubelet.key'],
    ]);
  });

  it("is the front proxy's where nodes are played", () => {
    expect(kubeletClientFlags(pki, [{ name: 'nodes', arguments: ['--nodes=1'] }])).to.deep.equal([
      ['kubelet-client-certificate', 'proxy.crt'],
      ['kubelet-client-key', 'proxy.key'],
    ]);
  });
});
