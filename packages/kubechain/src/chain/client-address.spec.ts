import { expect } from 'chai';
import type { PKI } from '../pki/pki.ts';
import { clientAddress, ownCertificateBeside } from './client-address.ts';

describe('where clients of this machine reach a chain', () => {
  const flag = (argument: string): { readonly name: string; readonly arguments: readonly string[] } => ({
    name: argument.slice(2).split('=')[0] ?? '',
    arguments: [argument],
  });
  const pki = { serving: { certFile: 'own.crt', keyFile: 'own.key' } } as unknown as PKI;

  for (const [given, server] of [
    [[], 'https://127.0.0.1:6443'],
    [['--bind-address=0.0.0.0'], 'https://127.0.0.1:6443'],
    [['--bind-address=::'], 'https://127.0.0.1:6443'],
    [['--bind-address=192.0.2.7'], 'https://192.0.2.7:6443'],
    [['--bind-address=::1'], 'https://[::1]:6443'],
  ] as const)
    it(`is where it listens: ${given.join(' ') || 'no flag'}`, () => {
      expect(clientAddress(given.map(flag), 6443)).to.deep.equal({ server });
      expect(ownCertificateBeside(pki, given.map(flag))).to.deep.equal([]);
    });

  it('is asked for by a name of its own certificate, where another one is shown', () => {
    const given = [flag('--tls-cert-file=theirs.crt'), flag('--tls-private-key-file=theirs.key')];
    expect(clientAddress(given, 6443)).to.deep.equal({
      server: 'https://127.0.0.1:6443',
      serverName: 'kubernetes.default.svc',
    });
    expect(ownCertificateBeside(pki, given).flatMap((one) => one.arguments)).to.deep.equal([
      '--tls-sni-cert-key=own.crt,own.key:kubernetes.default.svc,kubernetes.default.svc.cluster.local,' +
        'kubernetes.default,kubernetes',
    ]);
  });
});
