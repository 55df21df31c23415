import { firstPEMBlock, parseCertificates } from '@kubechain/apiserver/certificates';
import type { StoreHooks } from '@kubechain/apiserver/resources';
import type { KubeObject } from '@kubechain/apimachinery';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';

/** What a signer may take off or add: 5 minutes, by which short certificates begin earlier, and a twentieth. */
const leewayMs = 5 * 60_000;
const leewayShare = 0.05;

/**
 * Counts certificates that were issued for a wanted time, and those that hold about so long
 * (pkg/registry/certificates/certificates/storage/metrics.go, 1.36): what an update of a status does besides.
 */
export function countIssuedDurations(registry: MetricRegistry): NonNullable<StoreHooks['beginUpdate']> {
  const of = 'sliced by signer (only kubernetes.io signer names are specifically identified)';
  const counter = (name: string, which: string): ReturnType<MetricRegistry['counter']> =>
    registry.counter(
      `apiserver_certificates_registry_${name}`,
      `[ALPHA] Total number of issued CSRs with a requested duration${which}, ${of}`,
      ['signerName'],
    );
  const requested = counter('csr_requested_duration_total', '');
  const honored = counter('csr_honored_duration_total', ' that was honored');
  return (object: KubeObject, old: KubeObject, _context, { dryRun }) => {
    const { spec, status } = old as CertificateSigningRequest;
    const certificate = (object as CertificateSigningRequest).status?.certificate ?? '';
    if (spec?.expirationSeconds === undefined) return undefined;
    const { expirationSeconds, signerName } = spec;
    if (dryRun || certificate === '' || (status?.certificate ?? '') !== '') return undefined;
    return (success) => {
      if (!success) return;
      const signer = signerName.startsWith('kubernetes.io/') ? signerName : 'other';
      requested.cell(signer).inc();
      if (isHonored(expirationSeconds * 1000, certificate)) honored.cell(signer).inc();
    };
  };
}

/** @param certificate PEM in base64, which validation has read */
function isHonored(wantedMs: number, certificate: string): boolean {
  const block = firstPEMBlock(Buffer.from(certificate, 'base64'));
  const [first] = block === undefined ? [] : parseCertificates(block.bytes);
  if (first === undefined) return false;
  const heldMs = first.validToDate.getTime() - first.validFromDate.getTime();
  return Math.abs(wantedMs - heldMs) < leewayMs + wantedMs * leewayShare;
}
