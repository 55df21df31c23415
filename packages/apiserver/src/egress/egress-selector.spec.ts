import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EgressSelector } from './egress-selector.ts';

/** Files, and what kube-apiserver 1.36.2 ends with where it is given them. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly {
  readonly name: string;
  readonly file: string;
  readonly told: string;
}[];

describe('the file of --egress-selector-config-file', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'egress-'));
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  const read = (text: string): EgressSelector | undefined => {
    const file = join(directory, 'egress.yaml');
    writeFileSync(file, text);
    return EgressSelector.fromFile(file, new MetricRegistry());
  };
  const selecting = (name: string, connection: object): string =>
    JSON.stringify({
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [{ name, connection }],
    });

  for (const { file, name, told } of recorded)
    it(`is refused: ${name}`, () => {
      expect(() => read(file)).to.throw(`--egress-selector-config-file: ${told}`);
    });

  it('has to be there', () => {
    expect(() => EgressSelector.fromFile('/nonexist', new MetricRegistry())).to.throw(
      '--egress-selector-config-file: failed to read egress selector config: unable to read egress selector ' +
        'configuration from "/nonexist" [open /nonexist: no such file or directory]',
    );
  });

  it('selects nothing when it is not given, or empty', () => {
    expect(EgressSelector.fromFile('', new MetricRegistry())).to.equal(undefined);
    expect(read('{"apiVersion":"apiserver.k8s.io/v1alpha1","kind":"EgressSelectorConfiguration"}')).to.equal(undefined);
  });

  it('selects by names in any case, and by the former one of the control plane', () => {
    const direct = read(selecting('Cluster', { proxyProtocol: 'Direct' }));
    expect(direct?.selected('cluster')).to.deep.equal({ kind: 'direct' });
    expect(direct?.dial('cluster')).to.equal(undefined);
    expect(direct?.selected('etcd')).to.equal(undefined);
    const master = read(
      selecting('master', { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: '/proxy.sock' } } }),
    );
    expect(master?.dial('controlplane')).to.be.a('function');
  });

  it('names the certificate that cannot be used', () => {
    const file = join(directory, 'no.pem');
    writeFileSync(file, 'no certificate');
    const tlsConfig = { clientCert: file, clientKey: file };
    const transport = { tcp: { url: 'https://proxy:8131', tlsConfig } };
    expect(() => read(selecting('cluster', { proxyProtocol: 'HTTPConnect', transport }))).to.throw(
      'failed to create dialer for egressSelection "cluster": ' + `failed to read key pair ${file} & ${file}, got `,
    );
  });
});
