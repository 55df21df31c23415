import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeletClient, type KubeletClientOptions } from './kubelet-client.ts';
import { defaultAddressTypes } from './preferred-address-types.ts';

describe('the way to kubelets', () => {
  const node: Node = {
    status: {
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: 'node-1' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_251 } },
      declaredFeatures: ['X'],
    },
  };
  const client = (options: Partial<KubeletClientOptions> = {}): KubeletClient =>
    new KubeletClient({
      port: 10_250,
      preferredAddressTypes: defaultAddressTypes,
      certificateAuthority: '',
      clientCertificate: '',
      clientKey: '',
      ...options,
    });

  it("goes to the node's first address of a preferred type, at the port that it tells", () => {
    expect(client().connection(node)).to.include({ hostname: 'node-1', port: '10251' });
    expect(client({ preferredAddressTypes: ['ExternalIP', 'InternalIP'] }).connection(node)).to.include({
      hostname: '10.0.0.1',
    });
    expect(client().connection({ status: { addresses: [{ type: 'Hostname', address: 'x' }] } })).to.include({
      port: '10250',
    });
    expect(client().connection(node).declaredFeatures).to.deep.equal(['X']);
  });

  it('ends without an address', () => {
    expect(() => client({ preferredAddressTypes: ['ExternalIP'] }).connection(node)).to.throw(
      'no preferred addresses found; known addresses: [{InternalIP 10.0.0.1} {Hostname node-1}]',
    );
    expect(() => client().connection({})).to.throw('no preferred addresses found; known addresses: []');
  });

  it('checks certificates with an authority, unless the client does not want it, and shows its own', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kubelet-client-'));
    try {
      const file = (name: string, text: string): string => {
        writeFileSync(join(directory, name), text);
        return join(directory, name);
      };
      expect(client().connection(node).tls).to.deep.equal({ rejectUnauthorized: false });
      const options = {
        certificateAuthority: file('ca', 'CA'),
        clientCertificate: file('cert', 'CERT'),
        clientKey: file('key', 'KEY'),
      };
      const both = client(options);
      expect(both.connection(node).tls).to.deep.equal({
        ca: Buffer.from('CA'),
        allowPartialTrustChain: true,
        cert: Buffer.from('CERT'),
        key: Buffer.from('KEY'),
      });
      file('cert', 'NEW');
      expect(both.connection(node).uncheckedTLS).to.deep.equal({
        ca: Buffer.from('CA'),
        allowPartialTrustChain: true,
        cert: Buffer.from('NEW'),
        key: Buffer.from('KEY'),
        rejectUnauthorized: false,
      });
      expect(() => client({ ...options, certificateAuthority: join(directory, 'none') })).to.throw('ENOENT');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
