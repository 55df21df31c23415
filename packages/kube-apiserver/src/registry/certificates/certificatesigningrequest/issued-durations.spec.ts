import { generateKeyPairSync } from 'node:crypto';
import { createCertificate } from '@kubechain/apiserver/certificates';
import { internalContext } from '@kubechain/apiserver/resources';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { countIssuedDurations } from './issued-durations.ts';

const hours = 3_600;
const minutes = 60;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const context = internalContext({
  groupResource: { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' },
});

/** A certificate that holds for so long, as a status has it. */
function certificateFor(seconds: number): string {
  const begin = Date.UTC(2026, 0, 1);
  const pem = createCertificate({
    commonName: 'panda',
    isCA: false,
    notBefore: new Date(begin),
    notAfter: new Date(begin + seconds * 1000),
    publicKey,
    signingKey: privateKey,
  });
  return Buffer.from(pem).toString('base64');
}

describe('what certificate requests wanted and got', () => {
  const setUp = () => {
    const registry = new MetricRegistry();
    const begin = countIssuedDurations(registry);
    const told = (): readonly string[] =>
      ['requested', 'honored'].flatMap((which) =>
        registry
          .samples(`apiserver_certificates_registry_csr_${which}_duration_total`)
          .map(({ labels, value }) => `${which} ${labels['signerName'] ?? ''} ${value}`),
      );
    const update = async (
      expirationSeconds: number | undefined,
      certificate: string,
      { before, dryRun = false, signerName = 'kubernetes.io/kube-apiserver-client', success = true } = {} as {
        readonly before?: string;
        readonly dryRun?: boolean;
        readonly signerName?: string;
        readonly success?: boolean;
      },
    ): Promise<void> => {
      const spec = { signerName, request: '', ...(expirationSeconds === undefined ? {} : { expirationSeconds }) };
      const status = before === undefined ? {} : { certificate: before };
      const options = { dryRun, forceAllowCreate: false, fieldManager: 'x', fieldValidation: 'Strict' } as const;
      await (
        await begin({ spec, status: { certificate } }, { spec, status }, context, options)
      )?.(success);
    };
    return { told, update };
  };

  it('is counted once it is issued, by signer', async () => {
    const { told, update } = setUp();
    await update(10 * hours, certificateFor(10 * hours));
    await update(2 * hours, certificateFor(2 * hours + 5 * minutes));
    await update(48 * hours, certificateFor(24 * hours));
    await update(10 * hours, certificateFor(10 * hours), { signerName: 'example.com/own' });
    expect(told()).to.deep.equal([
      'requested kubernetes.io/kube-apiserver-client 3',
      'requested other 1',
      'honored kubernetes.io/kube-apiserver-client 2',
      'honored other 1',
    ]);
  });

  it('is not counted where nothing was wanted, issued or stored, or it was before', async () => {
    const { told, update } = setUp();
    const certificate = certificateFor(hours);
    await update(undefined, certificate);
    await update(hours, '');
    await update(hours, certificate, { before: certificate });
    await update(hours, certificate, { dryRun: true });
    await update(hours, certificate, { success: false });
    expect(told()).to.deep.equal([]);
  });
});
