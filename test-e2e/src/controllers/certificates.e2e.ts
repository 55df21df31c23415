import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { expect } from 'chai';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { Client, Http2Transport, resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const nodeUsages = ['digital signature', 'client auth'];

describe('controllers of certificates and trust', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['csrsigning', 'csrapproving', 'bootstrapsigner', 'validatingadmissionpolicy-status'],
    });
  });
  after(() => cluster.stop());

  async function request(
    name: string,
    subject: string,
    spec: { readonly signerName: string; readonly usages: readonly string[]; readonly expirationSeconds?: number },
  ): Promise<{ readonly key: string }> {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
    const made = await Pkcs10CertificateRequestGenerator.create({
      name: subject,
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: spec.usages.includes('server auth')
        ? [
            new SubjectAlternativeNameExtension([
              { type: 'dns', value: 'node-a.local' },
              { type: 'ip', value: '10.1.2.3' },
            ]),
          ]
        : [],
    });
    await cluster.client.resource(resources.certificatesigningrequests).create({
      metadata: { name },
      spec: { ...spec, request: Buffer.from(made.toString('pem')).toString('base64') },
    });
    const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    return { key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n` };
  }
  const get = (name: string): Promise<CertificateSigningRequest> =>
    cluster.client.resource(resources.certificatesigningrequests).get({ name });
  const approve = async (name: string): Promise<void> => {
    const found = await get(name);
    await cluster.client
      .resource(resources.certificatesigningrequests)
      .update(
        { ...found, status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'yes' }] } },
        'approval',
      );
  };
  const issued = (name: string): Promise<X509Certificate> =>
    eventually(async () => {
      const { status } = await get(name);
      const text = status?.certificate ?? '';
      return text === '' ? undefined : new X509Certificate(Buffer.from(text, 'base64'));
    });

  it("approve and sign a kubelet's request for a client's certificate, with which it gets in", async () => {
    const { key } = await request('kubelet', 'O=system:nodes, CN=system:node:a', {
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: nodeUsages,
      expirationSeconds: 3600,
    });
    const certificate = await issued('kubelet');
    const [condition] = (await get('kubelet')).status?.conditions ?? [];
    expect(condition).to.deep.include({
      type: 'Approved',
      reason: 'AutoApproved',
      message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    });
    const authority = new X509Certificate(cluster.env.caCertificate);
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).to.equal(true);
    expect([certificate.subject, certificate.ca, certificate.keyUsage]).to.deep.equal([
      'O=system:nodes\nCN=system:node:a',
      false,
      ['1.3.6.1.5.5.7.3.2'],
    ]);
    expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).to.equal(65 * 60_000);
    const transport = new Http2Transport({
      server: cluster.env.url,
      ca: cluster.env.caCertificate,
      clientCertificate: { cert: certificate.toString(), key },
    });
    const who = await new Client({ transport, userAgent: 'kubelet' }).resource(resources.selfsubjectreviews).create({});
    transport.close();
    expect((who as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username).to.equal(
      'system:node:a',
    );
  });
  it('sign what somebody approved, names included', async () => {
    await request('serving', 'O=system:nodes, CN=system:node:a', {
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    await approve('serving');
    const certificate = await issued('serving');
    expect(certificate.subjectAltName).to.equal('DNS:node-a.local, IP Address:10.1.2.3');
    expect(certificate.validToDate.getTime() - Date.now()).to.be.greaterThan(300 * 24 * 3_600_000);
  });
  it('refuse what was approved and does not fit its signer, and leave alone what is not theirs', async () => {
    await request('wrong', 'CN=somebody', {
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['code signing'],
    });
    await request('other', 'CN=somebody', { signerName: 'example.com/own', usages: ['client auth'] });
    await approve('other');
    await approve('wrong');
    const failed = await eventually(async () => {
      const { status } = await get('wrong');
      return status?.conditions?.find(({ type }) => type === 'Failed');
    });
    expect(failed).to.deep.include({
      status: 'True',
      reason: 'SignerValidationFailure',
      message: 'invalid usage for client certificate: code signing',
    });
    expect((await get('other')).status?.certificate).to.equal(undefined);
  });
  it('sign cluster-info by tokens that are for it', async () => {
    const { client } = cluster;
    await client.resource(resources.secrets).create({
      metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' },
    });
    const place = { namespace: 'kube-public', name: 'cluster-info' };
    await client.resource(resources.configmaps).create({ metadata: place, data: { kubeconfig: 'content' } });
    const signed = async (): Promise<string | undefined> =>
      (await client.resource(resources.configmaps).get(place)).data?.['jws-kubeconfig-abcdef'];
    expect(await eventually(signed)).to.match(/^[\w-]+\.\.[\w-]+$/);
    await client.resource(resources.secrets).delete({ namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
    await eventually(async () => (await signed()) === undefined);
  });
  it('tell what is wrong with the types of a policy', async () => {
    const policies = cluster.client.resource(resources.validatingadmissionpolicies);
    await policies.create({
      metadata: { name: 'replicas' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['*'] }],
        },
        validations: [{ expression: 'object.spec.replicas > 1' }, { expression: 'object.replicas > 1' }],
      },
    } as never);
    const status = await eventually(async () => {
      const found = await policies.get({ name: 'replicas' });
      return found.status?.observedGeneration === 1 ? found.status : undefined;
    });
    expect(status.typeChecking?.expressionWarnings).to.deep.equal([
      {
        fieldRef: 'spec.validations[1].expression',
        warning:
          "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas > 1\n " +
          '| ......^\n',
      },
    ]);
  });
});
