import { expect } from 'chai';
import { readEtcdFlags } from './etcd-flags.ts';

describe("etcd's flags", () => {
  it('are taken as envtest gives them', () => {
    expect(
      readEtcdFlags([
        '--advertise-client-urls=http://127.0.0.1:4001',
        '--data-dir=/tmp/k8s_test',
        '--listen-client-urls=http://127.0.0.1:4001',
        '--listen-peer-urls=http://localhost:0',
        '--unsafe-no-fsync=true',
      ]),
    ).to.deep.equal({
      kind: 'serve',
      dataDir: '/tmp/k8s_test',
      args: ['--data-file=/tmp/k8s_test/kubechain.db', '--listen=http://127.0.0.1:4001', '--unsafe-no-fsync'],
    });
  });
  it('may have values apart, one dash, and be switched off', () => {
    expect(
      readEtcdFlags(['-name', 'a', '--listen-client-urls', 'http://localhost:1/', '--unsafe-no-fsync=false']),
    ).to.deep.equal({
      kind: 'serve',
      dataDir: 'a.etcd',
      args: ['--data-file=a.etcd/kubechain.db', '--listen=http://127.0.0.1:1'],
    });
  });
  it('ask for help and version', () => {
    expect(readEtcdFlags(['--help'])).to.deep.equal({ kind: 'help' });
    expect(readEtcdFlags(['--version'])).to.deep.equal({ kind: 'version' });
  });
  it("are refused in etcd's words", () => {
    expect(() => readEtcdFlags(['--nope'])).to.throw('flag provided but not defined: -nope');
    expect(() => readEtcdFlags(['--data-dir'])).to.throw('flag needs an argument: -data-dir');
  });
});
